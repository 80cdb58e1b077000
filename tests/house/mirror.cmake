# SPDX-License-Identifier: BSD-3-Clause
#
# Every header has the test that mirrors it: include/felt/a/b.hpp <-> tests/a/b.cpp, or, for one
# page of several, b_c.hpp <-> tests/a/b.cpp. Those that only include others have none; device headers may
# have a .cu instead.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

file(GLOB_RECURSE headers RELATIVE ${ROOT}/include/felt ${ROOT}/include/felt/*.hpp)
list(REMOVE_ITEM headers felt.hpp device.hpp engine.hpp)
foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.hpp$" "" name ${header})
    string(REGEX REPLACE "_[^_/]*$" "" whole ${name})
    if(NOT EXISTS ${ROOT}/tests/${name}.cpp AND NOT EXISTS ${ROOT}/tests/${name}.cu
       AND NOT EXISTS ${ROOT}/tests/${whole}.cpp)
        fault("felt/${header} has no tests/${name}.cpp")
    endif()
endforeach()
verdict()
