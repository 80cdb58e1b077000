// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives of expressions: named, let, keep, stop, program, grad, gradient. They are a part of
// felt/felt.hpp.
#pragma once
#include <felt/felt.hpp>
