# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(felt): felt::felt, felt::compiled, felt::native, and felt::xtensor, felt::npz,
# felt::eigen, felt::linalg, felt::fft and felt::mpi if their libraries are found. Set FELT_OPENMP to
# OFF before for a program without threads, FELT_MPI not to look for MPI, FELT_ADVICE to hear nothing
# of flags.
include(${CMAKE_CURRENT_LIST_DIR}/felt-dependencies.cmake)
if(NOT TARGET felt::felt)
    include(${CMAKE_CURRENT_LIST_DIR}/felt-targets.cmake)
    target_link_libraries(felt::felt INTERFACE ${FELT_THREADS})
    set(felt_sources ${CMAKE_CURRENT_LIST_DIR}/src)
    include(${CMAKE_CURRENT_LIST_DIR}/felt-compiled.cmake)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/felt-advice.cmake)
