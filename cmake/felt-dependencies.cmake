# SPDX-License-Identifier: BSD-3-Clause
#
# What Felt stands on; read by the build and by the installed package alike. Needed: xsimd.
# Used if found: OpenMP, and the libraries behind optional headers, each with its target:
#   felt/xtensor.hpp -> felt::xtensor        felt/npz.hpp -> felt::npz
#   felt/linalg.hpp -> felt::linalg            felt/fft.hpp -> felt::fft
#   felt/eigen.hpp -> felt::eigen
#   felt/device.hpp  -> felt::device, for host compilers (nvcc brings what it needs)
#   felt/distributed/mpi.hpp -> felt::mpi, unless FELT_MPI is OFF
# A find module may make its target although it has found nothing, as FindMPI of CMake 3.25 does,
# so what is asked is whether it has.
find_package(xtl QUIET) # Debian's xsimd 8.1 links this target without finding it
find_package(xsimd REQUIRED)
if(xsimd_VERSION VERSION_LESS 8.1)
    message(FATAL_ERROR "felt needs xsimd 8.1 or newer, found ${xsimd_VERSION}")
endif()

set(FELT_THREADS "")
if(NOT DEFINED FELT_OPENMP OR FELT_OPENMP)
    find_package(OpenMP QUIET COMPONENTS CXX)
    if(OpenMP_CXX_FOUND)
        set(FELT_THREADS OpenMP::OpenMP_CXX)
    endif()
endif()

find_package(xtensor QUIET)
if(xtensor_FOUND AND NOT TARGET felt::xtensor)
    add_library(felt::xtensor INTERFACE IMPORTED ${FELT_SCOPE})
    target_link_libraries(felt::xtensor INTERFACE felt::felt xtensor)
endif()

# Not find_package(libzip): Debian's asks for the zip programs of another package.
find_package(ZLIB QUIET)
find_path(FELT_ZIP_INCLUDE zip.h)
find_library(FELT_ZIP_LIBRARY zip)
mark_as_advanced(FELT_ZIP_INCLUDE FELT_ZIP_LIBRARY)
if(ZLIB_FOUND AND FELT_ZIP_INCLUDE AND FELT_ZIP_LIBRARY AND NOT TARGET felt::npz)
    add_library(felt::npz INTERFACE IMPORTED ${FELT_SCOPE})
    target_include_directories(felt::npz INTERFACE ${FELT_ZIP_INCLUDE})
    target_link_libraries(felt::npz INTERFACE felt::felt ZLIB::ZLIB ${FELT_ZIP_LIBRARY})
endif()

find_package(Eigen3 QUIET NO_MODULE)
foreach(target IN ITEMS felt::linalg felt::eigen)
    if(TARGET Eigen3::Eigen AND NOT TARGET ${target})
        add_library(${target} INTERFACE IMPORTED ${FELT_SCOPE})
        target_link_libraries(${target} INTERFACE felt::felt Eigen3::Eigen)
    endif()
endforeach()
if(TARGET Eigen3::Eigen)
    find_path(FELT_FFT_INCLUDE unsupported/Eigen/FFT PATH_SUFFIXES eigen3)
    mark_as_advanced(FELT_FFT_INCLUDE)
endif()
if(TARGET Eigen3::Eigen AND FELT_FFT_INCLUDE AND NOT TARGET felt::fft)
    add_library(felt::fft INTERFACE IMPORTED ${FELT_SCOPE})
    target_include_directories(felt::fft INTERFACE ${FELT_FFT_INCLUDE})
    target_link_libraries(felt::fft INTERFACE felt::felt Eigen3::Eigen)
endif()

# Thrust of the CUDA toolkit, which is in a folder of its own, or of Debian. It asks for a system:
# THRUST_DEVICE_SYSTEM, by default OpenMP where the program has it.
find_path(FELT_THRUST_INCLUDE thrust/for_each.h PATHS /usr/local/cuda/include
          PATH_SUFFIXES cccl)
mark_as_advanced(FELT_THRUST_INCLUDE)
if(FELT_THRUST_INCLUDE AND NOT TARGET felt::device)
    add_library(felt::device INTERFACE IMPORTED ${FELT_SCOPE})
    target_include_directories(felt::device SYSTEM INTERFACE ${FELT_THRUST_INCLUDE})
    target_link_libraries(felt::device INTERFACE felt::felt)
endif()

# Without the C++ bindings that MPI has given up.
if(NOT DEFINED FELT_MPI OR FELT_MPI)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND AND NOT TARGET felt::mpi)
        add_library(felt::mpi INTERFACE IMPORTED ${FELT_SCOPE})
        target_link_libraries(felt::mpi INTERFACE felt::felt MPI::MPI_CXX)
        target_compile_definitions(felt::mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    endif()
endif()
