# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles SOURCE with CXX, which must fail: every line marked `// rejects: WORDS` carries one
# error, whose message with its notes says WORDS within LINES_AT_MOST lines, and no other line, here
# or in an included header, carries any. A line marked `// explains: WORDS` may say them in more
# lines, one marked `// warns: WORDS` drops a value. INCLUDES is the list of include folders.
cmake_minimum_required(VERSION 3.25)
if(NOT LINES_AT_MOST)
    set(LINES_AT_MOST 11)
endif()

# The compiler's words stand above the verdict, with their lines unbroken.
function(fail why words)
    message(NOTICE "${words}")
    message(FATAL_ERROR "${why}")
endfunction()

set(includes ${INCLUDES})
list(TRANSFORM includes PREPEND -I)
execute_process(COMMAND ${CXX} --version OUTPUT_VARIABLE compiler)
set(flags -fmax-errors=0 -fdiagnostics-color=never -fconcepts-diagnostics-depth=2)
if(compiler MATCHES "clang")
    set(flags -ferror-limit=0 -fno-color-diagnostics)
endif()
set(ENV{LC_ALL} C)
list(APPEND flags -Werror=unused-result -Werror=unused-value)
execute_process(COMMAND ${CXX} -std=c++20 -fsyntax-only ${flags} ${includes} ${SOURCE}
                OUTPUT_QUIET ERROR_VARIABLE log)

# A compiler repeats the line it complains about, and the mark with it; the mark is no proof.
string(REGEX REPLACE "// (rejects|explains|warns):[^\n]*" "" log "${log}")

# g++ explains why a requirement is not met by an error that belongs to the note above it.
string(REGEX REPLACE "(is invalid, because\n([^\n]*\\|[^\n]*\n)*[^\n]*:[0-9]+:[0-9]+: )error: "
       "\\1" log "${log}")

# The text of error number n is error_<n>_says, the line it points to error_<n>_at.
set(head "([^\n:]+):([0-9]+):[0-9]+: (fatal )?error: ")
set(errors 0)
set(rest "${log}")
while(rest MATCHES "${head}")
    set(error_${errors}_at "${CMAKE_MATCH_1}:${CMAKE_MATCH_2}")
    string(LENGTH "${CMAKE_MATCH_0}" length)
    string(FIND "${rest}" "${CMAKE_MATCH_0}" start)
    math(EXPR start "${start} + ${length}")
    string(SUBSTRING "${rest}" ${start} -1 rest)
    set(end -1)
    if(rest MATCHES "${head}")
        string(FIND "${rest}" "${CMAKE_MATCH_0}" end)
    endif()
    string(SUBSTRING "${rest}" 0 ${end} error_${errors}_says)
    math(EXPR errors "${errors} + 1")
endwhile()

# One marked line: the errors at it, taken off the list.
set(left ${errors})
function(check_line number mark words)
    set(here 0)
    set(n 0)
    while(n LESS errors)
        if(error_${n}_at STREQUAL "${SOURCE}:${number}")
            math(EXPR here "${here} + 1")
            math(EXPR left "${left} - 1")
            set(says "${error_${n}_says}")
        endif()
        math(EXPR n "${n} + 1")
    endwhile()
    set(left ${left} PARENT_SCOPE)
    if(NOT here EQUAL 1)
        fail("line ${number} has ${here} errors instead of one" "${log}")
    endif()
    string(FIND "${says}" "${words}" found)
    if(found EQUAL -1)
        fail("line ${number} is rejected without saying ${words}" "${says}")
    endif()
    string(REGEX REPLACE "[^\n]" "" breaks "${says}")
    string(LENGTH "${breaks}" lines)
    if(mark STREQUAL "rejects" AND lines GREATER LINES_AT_MOST)
        fail("line ${number} is rejected in ${lines} lines" "${says}")
    endif()
endfunction()

file(READ ${SOURCE} text)
string(APPEND text "\n")
set(number 0)
set(marks 0)
string(FIND "${text}" "\n" end)
while(NOT end EQUAL -1)
    math(EXPR number "${number} + 1")
    string(SUBSTRING "${text}" 0 ${end} line)
    if(line MATCHES "// (rejects|explains|warns): (.*[^ ])")
        math(EXPR marks "${marks} + 1")
        check_line(${number} ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    endif()
    math(EXPR end "${end} + 1")
    string(SUBSTRING "${text}" ${end} -1 text)
    string(FIND "${text}" "\n" end)
endwhile()

if(marks EQUAL 0)
    message(FATAL_ERROR "no line is marked")
endif()
if(left GREATER 0)
    fail("${left} errors at lines that are not marked" "${log}")
endif()
