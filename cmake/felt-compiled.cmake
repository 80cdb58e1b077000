# SPDX-License-Identifier: BSD-3-Clause
#
# felt::compiled: felt::felt, and what no expression changes, compiled once in the build of whoever
# links it, by that build's flags. All sources that link it must have the same: what differs, the
# linker says. FELT_NATIVE compiles it, and them, for this machine's instructions.
add_library(felt_compiled STATIC EXCLUDE_FROM_ALL
    ${felt_sources}/engine.cpp ${felt_sources}/float.cpp ${felt_sources}/double.cpp
    ${felt_sources}/others.cpp)
add_library(felt::compiled ALIAS felt_compiled)
target_compile_definitions(felt_compiled PUBLIC FELT_COMPILED)
target_link_libraries(felt_compiled PUBLIC felt::felt $<$<BOOL:${FELT_NATIVE}>:felt::native>)
# Without optimisation the loops would take a hundred times as long, and nobody steps through them.
target_compile_options(felt_compiled PRIVATE
    $<$<AND:$<CONFIG:Debug>,$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>>:-O2>)
