// SPDX-License-Identifier: BSD-3-Clause
//
// Which system of Thrust stands behind Device: CUDA under nvcc; under a host compiler the one that
// THRUST_DEVICE_SYSTEM names, else OpenMP where the program has it, else plain C++. One per
// program.
#pragma once

#if !defined(THRUST_DEVICE_SYSTEM) && !defined(__CUDACC__)
#if defined(_OPENMP)
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_OMP
#else
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#endif

#include <thrust/detail/config.h>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#include <felt/device/cuda.hpp>
#else
#include <felt/device/emulated.hpp>
#endif
