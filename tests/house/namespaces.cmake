# SPDX-License-Identifier: BSD-3-Clause
#
# Headers and src/ open felt::FELT_ABI, never felt alone, so that sources compiled for different
# instructions share nothing; and what opens it includes a header of Felt, which defines FELT_ABI:
# else that would be its name.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/include/felt/*.hpp ${ROOT}/src/*.cpp)
foreach(source IN LISTS sources)
    file(READ ${ROOT}/${source} text)
    if("\n${text}" MATCHES "\nnamespace felt(::[a-z]+)* {")
        fault("${source} opens namespace felt without FELT_ABI")
    elseif(text MATCHES "\nnamespace felt::inline FELT_ABI" AND NOT text MATCHES "#include <felt/")
        fault("${source} opens FELT_ABI and includes nothing that defines it")
    endif()
endforeach()
verdict()
