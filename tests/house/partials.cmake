# SPDX-License-Identifier: BSD-3-Clause
#
# Every row of expr/rows.hpp has its derivative in grad/partials.hpp, or is a step there.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

set(partials "")
if(EXISTS ${ROOT}/include/felt/grad/partials.hpp)
    file(READ ${ROOT}/include/felt/grad/partials.hpp partials)
endif()
file(STRINGS ${ROOT}/include/felt/expr/rows.hpp rows REGEX "^struct ")
foreach(row IN LISTS rows)
    string(REGEX MATCH "^struct ([a-z0-9_]+)" found "${row}")
    set(name ${CMAKE_MATCH_1})
    if(NOT partials MATCHES "struct partial<op::${name}>")
        fault("felt/expr/rows.hpp: ${name} has no derivative in felt/grad/partials.hpp")
    endif()
endforeach()
verdict()
