# SPDX-License-Identifier: BSD-3-Clause
#
# What felt.pc says of an installed TREE: its version, and flags that find its headers and xsimd.
# (That programs run with these headers other tests say.)
cmake_minimum_required(VERSION 3.25)
set(ENV{PKG_CONFIG_PATH} "${TREE}/${PC_DIR}:$ENV{PKG_CONFIG_PATH}")
execute_process(COMMAND ${PKG_CONFIG} --exists xsimd RESULT_VARIABLE without_xsimd)
if(without_xsimd)
    message(STATUS "Skipped: there is no xsimd.pc, which felt.pc requires")
    return()
endif()
execute_process(COMMAND ${PKG_CONFIG} --modversion felt OUTPUT_VARIABLE version
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PKG_CONFIG} --cflags felt OUTPUT_VARIABLE flags
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT version STREQUAL FELT_VERSION OR NOT flags MATCHES "-I[^ ]*include")
    message(FATAL_ERROR "felt.pc: version ${version}, flags ${flags}")
endif()
separate_arguments(flags)
string(REPLACE "." ";" numbers ${version})
list(GET numbers 0 major)
list(GET numbers 1 minor)
list(GET numbers 2 patch)
execute_process(COMMAND ${COMPILER} -std=c++20 ${flags} -fsyntax-only
    -DEXPECTED_VERSION="${version}" -DEXPECTED_MAJOR=${major} -DEXPECTED_MINOR=${minor}
    -DEXPECTED_PATCH=${patch} ${ROOT}/tests/install/consumer/main.cpp COMMAND_ERROR_IS_FATAL ANY)
