# SPDX-License-Identifier: BSD-3-Clause
#
# felt_strict: the library as our own programs use it, with our warnings as errors and every
# optional header that can be used here. Never installed, never seen by users.
add_library(felt_strict INTERFACE)
target_link_libraries(felt_strict INTERFACE felt)
set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
target_compile_options(felt_strict INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${warnings}>"
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fconcepts-diagnostics-depth=2>
    # g++ 12 takes the undefined registers in its own AVX-512 intrinsics for mistakes, and its own
    # strings; in a precompiled header it forgets where it is not to say so.
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-uninitialized>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-restrict;-Wno-array-bounds>)
# g++ collects its garbage too often for large sources of templates: up to a sixth of its time. In
# return it may take half a gigabyte more.
set(less_collecting "SHELL:--param ggc-min-expand=400 --param ggc-min-heapsize=1000000")
target_compile_options(felt_strict INTERFACE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${less_collecting}>")
# A precompiled header is no header of others: ours, which may be in it, are to warn.
set(CMAKE_PCH_PROLOGUE "")
if(FELT_NATIVE)
    target_link_libraries(felt_strict INTERFACE felt_native)
endif()
foreach(optional IN ITEMS felt::xtensor felt::npz felt::eigen felt::linalg felt::fft)
    if(TARGET ${optional})
        target_link_libraries(felt_strict INTERFACE ${optional})
    endif()
endforeach()

# felt_ours: what our programs of several sources link. felt.hpp is precompiled for them.
if(FELT_TESTS OR FELT_EXAMPLES OR FELT_BENCHMARKS)
    add_library(felt_ours INTERFACE)
    target_link_libraries(felt_ours INTERFACE felt_strict felt_compiled)
    target_include_directories(felt_ours INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(felt_compiled PRIVATE felt_strict)
    target_precompile_headers(felt_compiled PRIVATE <felt/felt.hpp>)
    set_target_properties(felt_compiled PROPERTIES CXX_EXTENSIONS OFF)
endif()
