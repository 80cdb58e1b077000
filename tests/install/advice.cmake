# SPDX-License-Identifier: BSD-3-Clause
#
# What the configure step of advice/ says, by its flags. Nothing is compiled.
cmake_minimum_required(VERSION 3.25)
include(${ROOT}/tests/house/report.cmake)
set(optimised "without optimisation [(]-DCMAKE_BUILD_TYPE=Release[)]")
set(native "for SSE2 only [(]link felt::native, or -DFELT_NATIVE=ON[)]")

# says(<pattern>, or "" for nothing; options..)
function(says pattern)
    execute_process(COMMAND ${CMAKE_COMMAND} -UFELT_NATIVE -UFELT_ADVICE -UCMAKE_BUILD_TYPE
        -UCMAKE_CXX_FLAGS -DFELT_OPENMP=OFF -DFELT_MPI=OFF -S ${ROOT}/tests/install/advice
        -B ${BINARY}/advice -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER} -DFELT_SOURCE=${ROOT}
        -DCMAKE_PREFIX_PATH=${TREE} -DCMAKE_SYSTEM_PROCESSOR=x86_64 ${ARGN}
        OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "[ \n]+" " " said "${said}") # CMake breaks lines
    string(REGEX MATCHALL "felt: [a-z_]+ is compiled" times "${said}")
    list(LENGTH times times)
    if(pattern STREQUAL "" AND times)
        fault("${ARGN}: something is said: ${said}")
    elseif(pattern AND (NOT said MATCHES "felt: slow is compiled ${pattern}" OR NOT times EQUAL 1))
        fault("${ARGN}: not once '${pattern}': ${said}")
    endif()
endfunction()

says("${optimised} and ${native}. FELT_ADVICE" -DWAY=package)
says("${optimised} and ${native}. FELT_ADVICE" -DWAY=subdirectory)
says("${native}" -DWAY=package -DCMAKE_BUILD_TYPE=Release)
says("${optimised}. FELT" -DWAY=subdirectory -DFELT_NATIVE=ON)
says("" -DWAY=package -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS=-mavx2)
says("" -DWAY=subdirectory -DFELT_ADVICE=OFF)
verdict()
