# SPDX-License-Identifier: BSD-3-Clause
#
# Planner, host and device use the field's words (docs/glossary.md), in names, comments and in what
# explain() says, and not what somebody here once called a thing.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

set(instead_of_twin "equal node, common sub-expression")
set(instead_of_dear "expensive")
set(instead_of_dearer "costlier")
set(instead_of_home "destination reuse, reused")
set(instead_of_cramped "a tile that is too small")
set(instead_of_remade "repack")

foreach(folder IN ITEMS plan host device)
    file(GLOB_RECURSE found RELATIVE ${ROOT} ${ROOT}/include/felt/${folder}/*.hpp)
    list(APPEND headers ${found})
endforeach()
foreach(header IN LISTS headers)
    file(READ ${ROOT}/${header} text)
    string(TOLOWER "${text}" text)
    foreach(word IN ITEMS twin dear dearer home cramped remade)
        if("\n${text}\n" MATCHES "[^a-z]${word}s?[^a-z]")
            fault("${header} says ${word}, docs/glossary.md: ${instead_of_${word}}")
        endif()
    endforeach()
endforeach()
verdict()
