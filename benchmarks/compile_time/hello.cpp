// SPDX-License-Identifier: BSD-3-Clause
//
// The first program of the README.
#include "../../examples/tour/first.cpp"
