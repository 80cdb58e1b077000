# SPDX-License-Identifier: BSD-3-Clause
#
# Every function of the tables of docs/03_operations.md that makes an expression of operands is
# differentiated in tests/grad beside central differences, in a statement with error_of(..) or in a
# test of that name; or docs/15_gradients.md names it among "Functions without a derivative". Not
# those of the sections that make tensors of nothing or at once. Operators are rows of
# expr/rows.hpp: partials.cmake.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

# What CMake's lists take for their own becomes letters.
function(read_plain file result)
    set(text "")
    if(EXISTS ${file})
        file(READ ${file} text)
    endif()
    string(REPLACE ";" "@" text "${text}")
    string(REGEX REPLACE "[][]" " " text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The words before ( or < in backticks.
function(names_of text result)
    string(REGEX MATCHALL "`[^`]*`" codes "${text}")
    set(names "")
    foreach(code IN LISTS codes)
        string(REGEX MATCHALL "[a-zA-Z0-9_]+[<(]" words "${code}")
        list(APPEND names ${words})
    endforeach()
    list(TRANSFORM names REPLACE "[<(]" "")
    list(REMOVE_DUPLICATES names)
    set(${result} "${names}" PARENT_SCOPE)
endfunction()

read_plain(${ROOT}/docs/03_operations.md page)
string(REGEX REPLACE "\n## Tensors that are computed.*" "" page "${page}")
string(REPLACE "\\|" "/" page "${page}") # an escaped bar does not end the cell
string(REGEX MATCHALL "\n\\| `[^|]*\\|" cells "${page}")
names_of("${cells}" functions)
if(NOT functions)
    fault("no function was found in docs/03_operations.md: has its form changed?")
endif()

set(without "")
read_plain(${ROOT}/docs/15_gradients.md page)
if(page MATCHES "\nFunctions without a derivative(([^\n]+\n)+)")
    names_of("${CMAKE_MATCH_1}" without)
endif()

set(checked "")
file(GLOB sources ${ROOT}/tests/grad/*.cpp)
foreach(source IN LISTS sources)
    read_plain(${source} text)
    string(REGEX MATCHALL "error_of\\([^@]*@" statements "${text}")
    string(APPEND checked "${statements}\n")
endforeach()

foreach(name IN LISTS functions)
    if(NOT name IN_LIST without AND NOT EXISTS ${ROOT}/tests/grad/${name}.cpp
       AND NOT checked MATCHES "[^a-zA-Z0-9_]${name}[<(]")
        fault("docs/03_operations.md: ${name} is differentiated in no test, and docs/15_gradients.md names none for it")
    endif()
endforeach()
foreach(name IN LISTS without)
    if(NOT name IN_LIST functions)
        fault("docs/15_gradients.md: ${name} is no function of docs/03_operations.md")
    endif()
endforeach()
verdict()
