# SPDX-License-Identifier: BSD-3-Clause
#
# A page is a page: no header above 300 lines. What differs between compilers stands in
# core/config.hpp, core/version.hpp (instructions), core/xsimd.hpp (versions of it) and device/
# alone, so no other header has an #if.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

file(GLOB_RECURSE headers RELATIVE ${ROOT}/include ${ROOT}/include/felt/*.hpp)
foreach(header IN LISTS headers)
    file(READ ${ROOT}/include/${header} text)
    string(REGEX REPLACE "[^\n]" "" newlines "${text}")
    string(LENGTH "${newlines}" lines)
    if(lines GREATER 300)
        fault("${header} has ${lines} lines")
    endif()
    if(NOT header MATCHES "^felt/(core/(config|version|xsimd).hpp|device/)" AND text MATCHES "\n[ \t]*#[ \t]*if")
        fault("${header} has #if")
    endif()
endforeach()
verdict()
