# SPDX-License-Identifier: BSD-3-Clause
#
# GDB, with ARGUMENTS, prints what EXPECTED holds of the locals of PROGRAM; where memory is, is not
# compared.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C.UTF-8
    ${GDB} -batch -nx -iex "set debuginfod enabled off" ${ARGUMENTS}
    -x ${CMAKE_CURRENT_LIST_DIR}/print.gdb ${PROGRAM}
    OUTPUT_VARIABLE printed ERROR_VARIABLE warned)
string(REGEX REPLACE "(^|\n)(Breakpoint|.Thread|Using|.Inferior)[^\n]*" "" printed "${printed}")
string(REGEX REPLACE "at 0x[0-9a-f]+ in" "at ADDRESS in" printed "${printed}")
string(STRIP "${printed}" printed)
file(READ ${EXPECTED} expected)
string(STRIP "${expected}" expected)
if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "GDB does not print what ${EXPECTED} says, but:\n${printed}\n${warned}")
endif()
