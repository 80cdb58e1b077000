# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles program.cpp to PROGRAM, with CXX and INCLUDES, as one does to debug it.
cmake_minimum_required(VERSION 3.25)
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(COMMAND ${CXX} -std=c++20 -g -O0 ${INCLUDES}
    ${CMAKE_CURRENT_LIST_DIR}/program.cpp -o ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
