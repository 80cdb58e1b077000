# SPDX-License-Identifier: BSD-3-Clause
#
# The loops know kinds of node, never an operation: nothing under host/ or device/ names a row
# of the tables in expr/, as op::exp or as a call exp(x). A row is a struct whose first member is
# its name; std::max and xsimd::exp are tools of the loops and not meant, and the rows of
# operators have names that anything may be called by (add), so they are only found as op::add.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/report.cmake)

# The code of a header without its comments; list separators would split it.
function(read_code file result)
    file(READ ${file} code)
    string(REPLACE ";" " " code "${code}")
    string(REGEX REPLACE "//[^\n]*" "" code "${code}")
    set(${result} "${code}" PARENT_SCOPE)
endfunction()

set(rows)
set(row "struct ([a-z0-9_]+) *{[ \n]*static constexpr char const\\* name = \"([^\"]*)\"")
file(GLOB_RECURSE tables ${ROOT}/include/felt/expr/*.hpp)
foreach(table IN LISTS tables)
    read_code(${table} code)
    string(REGEX MATCHALL "${row}" found "${code}")
    list(APPEND rows ${found})
endforeach()
if(tables AND NOT rows)
    fault("no row was found in felt/expr: has its form changed?")
endif()

file(GLOB_RECURSE loops RELATIVE ${ROOT}/include
     ${ROOT}/include/felt/host/*.hpp ${ROOT}/include/felt/device/*.hpp)
foreach(header IN LISTS loops)
    read_code(${ROOT}/include/${header} code)
    string(REGEX REPLACE "(std|xsimd)::[a-z0-9_]+" "" code "${code}")
    string(REGEX REPLACE "(\\.|->)(template )?[a-z0-9_]+" "" code "${code}")
    foreach(entry IN LISTS rows)
        string(REGEX MATCH "${row}" entry "${entry}")
        set(operation ${CMAKE_MATCH_1})
        set(mention "op::${operation}[^a-z0-9_]")
        if(CMAKE_MATCH_2 STREQUAL operation)
            string(APPEND mention "|[^A-Za-z0-9_]${operation} *\\(")
        endif()
        if(code MATCHES "${mention}")
            fault("${header} names the operation ${operation}")
        endif()
    endforeach()
endforeach()
verdict()
