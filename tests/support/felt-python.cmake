# SPDX-License-Identifier: BSD-3-Clause
#
# felt_find_python(<variable> <package>...): the path of a Python that can import these packages, or
# what if() takes for false.
function(felt_find_python variable)
    find_package(Python3 QUIET COMPONENTS Interpreter)
    set(found ${variable}-NOTFOUND)
    if(Python3_FOUND)
        list(JOIN ARGN ", " packages)
        execute_process(COMMAND ${Python3_EXECUTABLE} -c "import ${packages}"
            RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
        if(failed EQUAL 0)
            set(found ${Python3_EXECUTABLE})
        endif()
    endif()
    set(${variable} ${found} PARENT_SCOPE)
endfunction()
