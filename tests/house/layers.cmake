# SPDX-License-Identifier: BSD-3-Clause
#
# core <- tensor <- expr <- grad, and expr <- plan <- host | device <- nn | distributed: a header includes its own
# layer and those to its left; host and device do not know each other, nor do nn and distributed,
# and these alone include felt/felt.hpp, felt/device.hpp and arrays by name. The steps of the planner
# are folders with numbers: a header of step n includes no step after it.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

set(below_core    core)
set(below_tensor  ${below_core} tensor)
set(below_expr    ${below_tensor} expr)
set(below_plan    ${below_expr} plan)
set(below_host    ${below_plan} host)
set(below_device  ${below_plan} device)
set(below_grad    ${below_expr} grad)
set(below_nn      ${below_plan} host device grad nn felt.hpp npz_arrays.hpp)
set(below_distributed ${below_plan} host device distributed felt.hpp device.hpp)

file(GLOB_RECURSE headers RELATIVE ${ROOT}/include ${ROOT}/include/felt/*.hpp)
list(FILTER headers INCLUDE REGEX "^felt/.*/")
foreach(header IN LISTS headers)
    string(REGEX MATCH "^felt/([a-z]+)/" own ${header})
    set(layer ${CMAKE_MATCH_1})
    if(NOT DEFINED below_${layer})
        fault("${header} is in no layer")
    endif()
    file(STRINGS ${ROOT}/include/${header} includes REGEX "^ *# *include +[<\"]felt/")
    foreach(line IN LISTS includes)
        string(REGEX MATCH "felt/([a-z_]+)(/|\\.hpp)[a-z0-9_/.]*" other "${line}")
        set(target ${CMAKE_MATCH_1})
        if(CMAKE_MATCH_2 STREQUAL ".hpp")
            string(APPEND target ".hpp")
        endif()
        if(NOT target IN_LIST below_${layer})
            fault("${header} may not include ${other}")
        endif()
        if("${header} ${line}" MATCHES "^felt/plan/([0-9])_.* .*felt/(plan/([0-9])_[a-z0-9_/.]*)"
           AND CMAKE_MATCH_3 GREATER CMAKE_MATCH_1)
            fault("${header} may not include felt/${CMAKE_MATCH_2}, a later step")
        endif()
    endforeach()
endforeach()
verdict()
