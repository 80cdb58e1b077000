# SPDX-License-Identifier: BSD-3-Clause
#
# Every expression of docs/03_operations.md is compiled for a device: tests/device names it, as a
# call in an expression or as the functor op::name.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

# What runs at once, is computed by the host only, or is a snapshot that the host makes.
set(no_expression all_close packed)

set(sources "")
file(GLOB files ${ROOT}/tests/device/*.cu ${ROOT}/tests/device/*.hpp)
foreach(source IN LISTS files)
    file(READ ${source} text)
    string(APPEND sources "${text}")
endforeach()

# The sections of expressions, whose rows begin with calls in backticks.
file(READ ${ROOT}/docs/03_operations.md text)
string(REGEX REPLACE "\n## (Sorting|Linear algebra|Running).*" "" text "${text}")
string(REGEX REPLACE "\n## Complex numbers.*\n## Views" "\n## Views" text "${text}")
string(REGEX REPLACE "[][;]" " " text "${text}")
string(REPLACE "\\|" "/" text "${text}")
string(REGEX MATCHALL "\n\\| `[^|]*\\|" rows "${text}")
set(listed "")
foreach(row IN LISTS rows)
    string(REGEX MATCHALL "[`(, ][a-zA-Z0-9_]+[<(]" words "${row}")
    list(APPEND listed ${words})
endforeach()
list(TRANSFORM listed REPLACE "[`(, <]" "")
list(REMOVE_DUPLICATES listed)
if(NOT listed)
    fault("docs/03_operations.md: no row was found: has its form changed?")
endif()
foreach(word IN LISTS listed)
    if(word IN_LIST no_expression)
        continue()
    endif()
    set(call "[^a-zA-Z0-9_]${word}(<[^\n]*>)?\\(")
    if(NOT sources MATCHES "${call}|op::${word}[^a-z0-9_]")
        fault("docs/03_operations.md: ${word} is compiled for no device in tests/device")
    endif()
endforeach()
verdict()
