# SPDX-License-Identifier: BSD-3-Clause
#
# One line at the end of the configure step of a project that uses Felt, if a program of it is built
# without optimisation, or for the instructions of 2003: both cost most of what Felt gains, and
# neither shows. Set FELT_ADVICE to OFF to hear nothing. Felt's own build hears nothing either.

# The targets of a folder and of those below it.
function(felt_targets_below folder result)
    get_property(all DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    get_property(folders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    foreach(below IN LISTS folders)
        if(NOT below STREQUAL felt_SOURCE_DIR)
            felt_targets_below(${below} found)
            list(APPEND all ${found})
        endif()
    endforeach()
    set(${result} ${all} PARENT_SCOPE)
endfunction()

# What is said of a target that links Felt; nothing, if it is well.
function(felt_advice_for target result)
    set(${result} "" PARENT_SCOPE)
    get_target_property(links ${target} LINK_LIBRARIES)
    if(target STREQUAL "felt_compiled" OR NOT links MATCHES "felt::")
        return()
    endif()
    get_target_property(options ${target} COMPILE_OPTIONS)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    set(flags " ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${options}")
    set(remedies)
    if(NOT CMAKE_CONFIGURATION_TYPES AND NOT CMAKE_BUILD_TYPE AND NOT flags MATCHES "[ ;]-O")
        list(APPEND remedies "without optimisation (-DCMAKE_BUILD_TYPE=Release)")
    endif()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT FELT_NATIVE
       AND NOT links MATCHES "felt::native" AND NOT flags MATCHES "[ ;]-m(arch|avx|sse4)")
        list(APPEND remedies "for SSE2 only (link felt::native, or -DFELT_NATIVE=ON)")
    endif()
    list(JOIN remedies " and " remedies)
    set(${result} "${remedies}" PARENT_SCOPE)
endfunction()

function(felt_advise)
    felt_targets_below(${CMAKE_SOURCE_DIR} targets)
    foreach(target IN LISTS targets)
        felt_advice_for(${target} advice)
        if(advice)
            message(WARNING
                "felt: ${target} is compiled ${advice}. FELT_ADVICE=OFF: not to be told")
            return()
        endif()
    endforeach()
endfunction()

# Once, when all targets are there, however often Felt is looked for.
get_property(felt_advises GLOBAL PROPERTY FELT_ADVISES)
if(NOT felt_advises AND (NOT DEFINED FELT_ADVICE OR FELT_ADVICE))
    set_property(GLOBAL PROPERTY FELT_ADVISES TRUE)
    cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR} CALL felt_advise)
endif()
