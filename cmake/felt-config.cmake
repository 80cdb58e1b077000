# SPDX-License-Identifier: BSD-3-Clause
#
# find_package(felt): felt::felt, felt::native, and felt::xtensor and felt::npz if their
# libraries are found. Set FELT_OPENMP to OFF before for a program without threads.
include(${CMAKE_CURRENT_LIST_DIR}/felt-dependencies.cmake)
if(NOT TARGET felt::felt)
    include(${CMAKE_CURRENT_LIST_DIR}/felt-targets.cmake)
    target_link_libraries(felt::felt INTERFACE ${FELT_THREADS})
endif()
