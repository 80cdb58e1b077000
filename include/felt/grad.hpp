// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of expressions: named, let, keep, stop, program, grad, gradient.
#pragma once
#include <felt/felt.hpp>
#include <felt/grad/grad.hpp>
#include <felt/grad/gradient.hpp>
