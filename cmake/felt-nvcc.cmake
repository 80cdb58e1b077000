# SPDX-License-Identifier: BSD-3-Clause
#
# nvcc, called by commands of our own: the CUDA language of CMake 3.25 does not know C++20. Found or
# not, for tests and examples; users call nvcc as they like.
find_program(FELT_NVCC NAMES $ENV{CUDACXX} nvcc HINTS /usr/local/cuda/bin)
mark_as_advanced(FELT_NVCC)

# A call of a host function is a warning only, in code for both.
# nvcc on top of clang takes our host-device operators for host functions, so it stands on g++.
set(FELT_NVCC_COMPILE ${FELT_NVCC} -std=c++20 -arch=sm_90 -Werror all-warnings)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    list(APPEND FELT_NVCC_COMPILE -ccbin ${CMAKE_CXX_COMPILER})
endif()

# Kernels stay in registers: the assembler's warnings as errors.
set(FELT_NVCC_ASSEMBLE -Xptxas -warn-spills,-warn-lmem-usage,-Werror)

# Programs with a part for a GPU stand on the compiler of the rest, and on CUDA's runtime.
set(FELT_NVCC_LINKS OFF)
if(FELT_NVCC AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cudart_static)
        set(FELT_NVCC_LINKS ON)
    endif()
endif()
if(FELT_CUDA AND NOT FELT_NVCC_LINKS)
    message(FATAL_ERROR "FELT_CUDA needs g++, nvcc (PATH, /usr/local/cuda/bin, CUDACXX) and "
                        "CUDA's runtime as a static library")
endif()

# What a program says that was to use a GPU, and found none.
set(FELT_NO_GPU "no CUDA-capable device|CUDA driver version is insufficient")

# What sees Thrust takes longest to compile. Where no device can be but the host, the examples do
# without it unless they are asked.
set(FELT_WITH_DEVICE ${FELT_DEVICE})
if(FELT_DEVICE STREQUAL "AUTO")
    set(FELT_WITH_DEVICE OFF)
    if(FELT_NVCC OR EXISTS /dev/nvidia0)
        set(FELT_WITH_DEVICE ON)
    endif()
endif()
if(NOT FELT_WITH_DEVICE)
    message(STATUS "Without: the device in examples, by FELT_DEVICE=${FELT_DEVICE}")
elseif(NOT TARGET felt::device)
    set(FELT_WITH_DEVICE OFF)
    message(STATUS "Without: the device in examples, Thrust was not found")
endif()

# felt_nvcc_part(<target> <like> <source>...): a library of sources for a GPU, with the headers of
# target <like> and the flags of this build. Nothing may include Thrust for a host beside it.
function(felt_nvcc_part target like)
    string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
    if(FELT_THREADS)
        list(APPEND flags ${OpenMP_CXX_FLAGS})
    endif()
    if(FELT_NATIVE)
        list(APPEND flags -march=native)
    endif()
    list(TRANSFORM flags PREPEND -Xcompiler=)
    set(headers $<TARGET_PROPERTY:${like},INCLUDE_DIRECTORIES>)
    set(objects)
    foreach(source IN LISTS ARGN)
        cmake_path(GET source STEM name)
        set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}${CMAKE_CXX_OUTPUT_EXTENSION})
        add_custom_command(OUTPUT ${object}
            COMMAND ${FELT_NVCC_COMPILE} ${FELT_NVCC_ASSEMBLE} ${flags}
                    -I$<JOIN:${headers},$<SEMICOLON>-I>
                    -x cu -c -MD -MF ${object}.d ${source} -o ${object}
            DEPENDS ${source} DEPFILE ${object}.d COMMAND_EXPAND_LISTS VERBATIM
            COMMENT "Compiling ${name} of ${target} by nvcc")
        list(APPEND objects ${object})
    endforeach()
    add_library(${target} STATIC ${objects})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    target_link_libraries(${target} PUBLIC CUDA::cudart_static)
endfunction()
