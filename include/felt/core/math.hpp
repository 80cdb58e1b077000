// SPDX-License-Identifier: BSD-3-Clause
//
// The elementary functions, for numbers (host and device: the standard library's) and for SIMD
// batches of any width (host: ours). The two agree to a few units in the last place, see each page.
#pragma once
#include <felt/core/math_activation.hpp>
#include <felt/core/math_arc.hpp>
#include <felt/core/math_basic.hpp>
#include <felt/core/math_bits.hpp>
#include <felt/core/math_circle.hpp>
#include <felt/core/math_class.hpp>
#include <felt/core/math_complex.hpp>
#include <felt/core/math_divide.hpp>
#include <felt/core/math_erf.hpp>
#include <felt/core/math_erfc.hpp>
#include <felt/core/math_exp.hpp>
#include <felt/core/math_exp2.hpp>
#include <felt/core/math_hyperbolic.hpp>
#include <felt/core/math_log.hpp>
#include <felt/core/math_log2.hpp>
#include <felt/core/math_pow.hpp>
#include <felt/core/math_remainder.hpp>
#include <felt/core/math_root.hpp>
#include <felt/core/math_round.hpp>
#include <felt/core/math_trig.hpp>
