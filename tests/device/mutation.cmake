# SPDX-License-Identifier: BSD-3-Clause
#
# One of mutations.cmake: whether a test finds it, compiled with the header that has it.
#
#   cmake -DNAME=.. -DROOT=.. -DWORK=folder -DCOMPILER=.. "-DFOLDERS=of headers" -P mutation.cmake
cmake_minimum_required(VERSION 3.25)
set(found FALSE)
separate_arguments(FOLDERS)
list(PREPEND FOLDERS ${WORK} ${ROOT}/include ${ROOT})
list(TRANSFORM FOLDERS PREPEND -I)
# Packets that are not aligned are errors on a GPU.
set(compile ${COMPILER} -std=c++20 -O1 -w -fopenmp -fsanitize=alignment -fno-sanitize-recover=alignment
    -DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN ${FOLDERS})

# To the front of the search path, where it hides the header of the library.
function(change header old new)
    file(READ ${ROOT}/include/felt/${header}.hpp text)
    string(FIND "${text}" "${old}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "${NAME}: felt/${header}.hpp has no '${old}'")
    endif()
    string(REPLACE "${old}" "${new}" text "${text}")
    file(WRITE ${WORK}/felt/${header}.hpp "${text}")
endfunction()

function(mutation name header old new)
    if(NOT name STREQUAL NAME)
        return()
    endif()
    set(found TRUE PARENT_SCOPE)
    file(REMOVE_RECURSE ${WORK})
    change(${header} "${old}" "${new}")
    foreach(test IN LISTS ARGN)
        execute_process(COMMAND ${compile} ${ROOT}/tests/${test}.cpp -o ${WORK}/program
            COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND ${WORK}/program TIMEOUT 300 RESULT_VARIABLE result OUTPUT_VARIABLE out
            ERROR_VARIABLE out)
        if(NOT result EQUAL 0)
            message("found by tests/${test}.cpp: ${result}\n${out}")
            return()
        endif()
    endforeach()
    message(FATAL_ERROR "${NAME} was found by none of ${ARGN}")
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/mutations.cmake)
if(NOT found)
    message(FATAL_ERROR "there is no mutation ${NAME}")
endif()
