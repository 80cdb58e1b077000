# SPDX-License-Identifier: BSD-3-Clause
#
# Two objects of the same source, for SSE2 and for AVX2, share no function of Felt or xsimd, and one
# program of both is right.
cmake_minimum_required(VERSION 3.25)
file(MAKE_DIRECTORY ${BINARY})
function(compile name)
    execute_process(COMMAND ${COMPILER} -std=c++20 -O0 ${ARGN} -DPART=${name}
        -DTHREADS=${name}_threads -I${ROOT}/include ${INCLUDES} -c ${ROOT}/tests/abi/part.cpp
        -o ${BINARY}/${name}.o COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${NM} ${BINARY}/${name}.o OUTPUT_VARIABLE symbols
        COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL " [WVu] [^\n]*(4felt|5xsimd)[^\n]*" shared "${symbols}")
    set(${name} ${shared} PARENT_SCOPE)
endfunction()

list(TRANSFORM XSIMD PREPEND -I OUTPUT_VARIABLE INCLUDES)
compile(narrow -msse2)
compile(wide -mavx2 -mfma)
list(LENGTH narrow in_narrow)
list(LENGTH wide in_wide)
if(in_narrow LESS 1000 OR in_wide LESS 1000)
    message(FATAL_ERROR "inline functions were to be emitted: ${in_narrow} and ${in_wide}")
endif()
set(all ${narrow} ${wide})
list(REMOVE_DUPLICATES all)
list(LENGTH all in_all)
math(EXPR shared "${in_narrow} + ${in_wide} - ${in_all}")
if(shared)
    foreach(symbol IN LISTS narrow)
        if(symbol IN_LIST wide)
            message(FATAL_ERROR "${shared} functions are in both, such as${symbol}")
        endif()
    endforeach()
endif()
message(STATUS "${in_narrow} inline functions for SSE2, ${in_wide} for AVX2, none in both")

execute_process(COMMAND ${COMPILER} -std=c++20 ${ROOT}/tests/abi/main.cpp ${BINARY}/narrow.o
    ${BINARY}/wide.o -o ${BINARY}/both COMMAND_ERROR_IS_FATAL ANY)
set(ENV{FELT_NUM_THREADS} 2)
execute_process(COMMAND ${BINARY}/both COMMAND_ERROR_IS_FATAL ANY)
