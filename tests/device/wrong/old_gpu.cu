// SPDX-License-Identifier: BSD-3-Clause
//
// By nvcc as it is, whose GPU is older than what Felt asks for.
#include <felt/device.hpp>
