# SPDX-License-Identifier: BSD-3-Clause
#
# How many functions the programs of benchmarks/compile_time/ instantiate, which is what compiling
# them costs, and does not depend on the machine: header-only, with felt::compiled, and for each of
# ten statements more. COMPILER, ROOT, FLAGS; MOST and so on say what is allowed.
cmake_minimum_required(VERSION 3.25)

function(count_functions result source)
    string(RANDOM name)  # two tests run this at a time
    set(object ${CMAKE_CURRENT_BINARY_DIR}/instantiated_${name}.o)
    execute_process(COMMAND ${COMPILER} -std=c++20 -O0 ${ARGN} -I${ROOT}/include
        -c ${ROOT}/benchmarks/compile_time/${source}.cpp -o ${object} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${NM} ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE ${object})
    string(REGEX MATCHALL " [tTwWuV] " found "${symbols}")
    list(LENGTH found count)
    set(${result} ${count} PARENT_SCOPE)
endfunction()

function(hold what count most)
    if(count GREATER most)
        message(SEND_ERROR "${what}: ${count} functions, at most ${most} are allowed")
    else()
        message(STATUS "${what}: ${count} functions, of ${most}")
    endif()
endfunction()

count_functions(hello hello)
count_functions(compiled hello -DFELT_COMPILED)
count_functions(more statements -DFELT_COMPILED)
math(EXPR further "(${more} - ${compiled}) / 10")
hold("the first program" ${hello} ${HELLO})
hold("the same with felt::compiled" ${compiled} ${COMPILED})
hold("each further statement" ${further} ${FURTHER})
