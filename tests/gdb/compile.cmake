# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles program.cpp to PROGRAM, with CXX and INCLUDES (Felt's first), as one does to debug it.
# With NAMESPACE the headers are copied, and their names stand in an inline namespace of that name.
cmake_minimum_required(VERSION 3.25)
if(NAMESPACE)
    list(POP_FRONT INCLUDES original)
    set(changed ${PROGRAM}_include)
    set(count 0)
    foreach(folder IN ITEMS core tensor expr grad)
        file(GLOB_RECURSE headers RELATIVE ${original} ${original}/felt/${folder}/*.hpp)
        foreach(header IN LISTS headers)
            file(READ ${original}/${header} text)
            string(REGEX REPLACE "namespace felt([a-z:]*) {"
                "namespace felt::inline ${NAMESPACE}\\1 {" to "${text}")
            if(NOT to STREQUAL text)
                math(EXPR count "${count} + 1")
            endif()
            file(WRITE ${changed}/${header} "${to}")
        endforeach()
    endforeach()
    if(count LESS 50)
        message(FATAL_ERROR "only ${count} headers open the namespace felt")
    endif()
    list(PREPEND INCLUDES ${changed})
endif()
list(TRANSFORM INCLUDES PREPEND -I)
execute_process(COMMAND ${CXX} -std=c++20 -g -O0 ${INCLUDES}
    ${CMAKE_CURRENT_LIST_DIR}/program.cpp -o ${PROGRAM} COMMAND_ERROR_IS_FATAL ANY)
