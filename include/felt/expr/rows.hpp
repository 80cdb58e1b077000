// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of the table of elementwise functions: out[i...] = f(a[i...], ...).
//
// A row is a functor without state that holds for a scalar and for a SIMD batch alike. To add
// one, write its row here and its public name in functions.hpp. What can be written with
// existing rows is not a row: see compose.hpp. `cost` is in vector instructions, about; 1 if
// it is not given. It decides what is too expensive to compute twice. A row that says `selects`
// takes a condition and two values of one type. Results are in the operands' type, which C++ alone
// would widen where it is smaller than int. Not equal is written as not (x == y), because
// xsimd 8.1 takes NaN != NaN for false.
#pragma once
#include <felt/core/math.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::op {

// clang-format off
struct add      { static constexpr char const* name = "+"; FELT_CALLS_EITHER FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x + y); } };
struct subtract { static constexpr char const* name = "-"; FELT_CALLS_EITHER FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x - y); } };
struct multiply { static constexpr char const* name = "*"; FELT_FN auto operator()(auto x, auto y) const { return math::multiply(x, y); } };
struct negate   { static constexpr char const* name = "-"; FELT_CALLS_EITHER FELT_FN auto operator()(auto x) const { return decltype(x)(-x); } };

struct less          { static constexpr char const* name = "<";  FELT_FN auto operator()(auto x, auto y) const { return x < y; } };
struct less_equal    { static constexpr char const* name = "<="; FELT_FN auto operator()(auto x, auto y) const { return x <= y; } };
struct greater       { static constexpr char const* name = ">";  FELT_FN auto operator()(auto x, auto y) const { return x > y; } };
struct greater_equal { static constexpr char const* name = ">="; FELT_FN auto operator()(auto x, auto y) const { return x >= y; } };
struct equal         { static constexpr char const* name = "=="; FELT_CALLS_EITHER FELT_FN auto operator()(auto x, auto y) const { return x == y; } };
struct not_equal     { static constexpr char const* name = "!="; FELT_CALLS_EITHER FELT_FN auto operator()(auto x, auto y) const { return !(x == y); } };
struct logical_and   { static constexpr char const* name = "&&"; FELT_FN auto operator()(auto x, auto y) const { return x && y; } };
struct logical_or    { static constexpr char const* name = "||"; FELT_FN auto operator()(auto x, auto y) const { return x || y; } };
struct logical_not   { static constexpr char const* name = "!";  FELT_FN auto operator()(auto x) const { return !x; } };

struct exp     { static constexpr char const* name = "exp";     static constexpr int cost = 12; FELT_FN auto operator()(auto x) const { return math::exp(x); } };
struct log     { static constexpr char const* name = "log";     static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::log(x); } };
struct log1p   { static constexpr char const* name = "log1p";   static constexpr int cost = 20; FELT_FN auto operator()(auto x) const { return math::log1p(x); } };
struct sqrt    { static constexpr char const* name = "sqrt";    static constexpr int cost = 4;  FELT_FN auto operator()(auto x) const { return math::sqrt(x); } };
struct tanh    { static constexpr char const* name = "tanh";       static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::tanh(x); } };
struct sigmoid { static constexpr char const* name = "sigmoid"; static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::sigmoid(x); } };
struct erf     { static constexpr char const* name = "erf";     static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::erf(x); } };
struct erfc    { static constexpr char const* name = "erfc";    static constexpr int cost = 60; FELT_FN auto operator()(auto x) const { return math::erfc(x); } };
struct gelu    { static constexpr char const* name = "gelu";    static constexpr int cost = 28; FELT_FN auto operator()(auto x) const { return math::gelu(x); } };
struct pow     { static constexpr char const* name = "pow";     static constexpr int cost = 40; FELT_FN auto operator()(auto x, auto y) const { return math::pow(x, y); } };
struct floor   { static constexpr char const* name = "floor";   FELT_FN auto operator()(auto x) const { return math::floor(x); } };
struct abs     { static constexpr char const* name = "abs";     FELT_FN auto operator()(auto x) const { return math::abs(x); } };
struct sign    { static constexpr char const* name = "sign";    FELT_FN auto operator()(auto x) const { return math::sign(x); } };
struct square  { static constexpr char const* name = "square";  FELT_FN auto operator()(auto x) const { return math::multiply(x, x); } };
struct relu    { static constexpr char const* name = "relu";    FELT_FN auto operator()(auto x) const { return math::relu(x); } };
struct maximum { static constexpr char const* name = "maximum"; FELT_FN auto operator()(auto x, auto y) const { return math::maximum(x, y); } };
struct minimum { static constexpr char const* name = "minimum"; FELT_FN auto operator()(auto x, auto y) const { return math::minimum(x, y); } };
struct clip    { static constexpr char const* name = "clip";    static constexpr int cost = 2;
                 FELT_FN auto operator()(auto x, auto lo, auto hi) const { return math::clip(x, lo, hi); } };
struct soft_threshold { static constexpr char const* name = "soft_threshold"; static constexpr int cost = 4;
                 FELT_FN auto operator()(auto x, auto t) const { return math::soft_threshold(x, t); } };

struct sin        { static constexpr char const* name = "sin";        static constexpr int cost = 20; FELT_FN auto operator()(auto x) const { return math::sin(x); } };
struct cos        { static constexpr char const* name = "cos";        static constexpr int cost = 20; FELT_FN auto operator()(auto x) const { return math::cos(x); } };
struct tan        { static constexpr char const* name = "tan";        static constexpr int cost = 28; FELT_FN auto operator()(auto x) const { return math::tan(x); } };
struct asin       { static constexpr char const* name = "asin";       static constexpr int cost = 28; FELT_FN auto operator()(auto x) const { return math::asin(x); } };
struct acos       { static constexpr char const* name = "acos";       static constexpr int cost = 32; FELT_FN auto operator()(auto x) const { return math::acos(x); } };
struct atan       { static constexpr char const* name = "atan";       static constexpr int cost = 28; FELT_FN auto operator()(auto x) const { return math::atan(x); } };
struct sinh       { static constexpr char const* name = "sinh";       static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::sinh(x); } };
struct cosh       { static constexpr char const* name = "cosh";       static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::cosh(x); } };
struct asinh      { static constexpr char const* name = "asinh";      static constexpr int cost = 40; FELT_FN auto operator()(auto x) const { return math::asinh(x); } };
struct acosh      { static constexpr char const* name = "acosh";      static constexpr int cost = 48; FELT_FN auto operator()(auto x) const { return math::acosh(x); } };
struct atanh      { static constexpr char const* name = "atanh";      static constexpr int cost = 36; FELT_FN auto operator()(auto x) const { return math::atanh(x); } };
struct exp2       { static constexpr char const* name = "exp2";       static constexpr int cost = 12; FELT_FN auto operator()(auto x) const { return math::exp2(x); } };
struct expm1      { static constexpr char const* name = "expm1";      static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::expm1(x); } };
struct log2       { static constexpr char const* name = "log2";       static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::log2(x); } };
struct log10      { static constexpr char const* name = "log10";      static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::log10(x); } };
struct cbrt       { static constexpr char const* name = "cbrt";       static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::cbrt(x); } };
struct rsqrt      { static constexpr char const* name = "rsqrt";      static constexpr int cost = 8; FELT_FN auto operator()(auto x) const { return math::rsqrt(x); } };
struct softplus   { static constexpr char const* name = "softplus";   static constexpr int cost = 36; FELT_FN auto operator()(auto x) const { return math::softplus(x); } };
struct silu       { static constexpr char const* name = "silu";       static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::silu(x); } };
struct atan2      { static constexpr char const* name = "atan2";      static constexpr int cost = 36; FELT_FN auto operator()(auto y, auto x) const { return math::atan2(y, x); } };
struct hypot      { static constexpr char const* name = "hypot";      static constexpr int cost = 12; FELT_FN auto operator()(auto x, auto y) const { return math::hypot(x, y); } };
struct copysign   { static constexpr char const* name = "copysign";   FELT_FN auto operator()(auto x, auto y) const { return math::copysign(x, y); } };
struct nextafter  { static constexpr char const* name = "nextafter";  static constexpr int cost = 8; FELT_FN auto operator()(auto x, auto y) const { return math::nextafter(x, y); } };
struct logaddexp  { static constexpr char const* name = "logaddexp";  static constexpr int cost = 36; FELT_FN auto operator()(auto x, auto y) const { return math::logaddexp(x, y); } };
struct elu        { static constexpr char const* name = "elu";        static constexpr int cost = 18; FELT_FN auto operator()(auto x, auto alpha) const { return math::elu(x, alpha); } };
struct leaky_relu { static constexpr char const* name = "leaky_relu"; static constexpr int cost = 2; FELT_FN auto operator()(auto x, auto slope) const { return math::leaky_relu(x, slope); } };
struct lerp       { static constexpr char const* name = "lerp";       static constexpr int cost = 3; FELT_FN auto operator()(auto a, auto b, auto t) const { return decltype(a)(a + t * (b - a)); } };
struct nan_to_num { static constexpr char const* name = "nan_to_num"; static constexpr int cost = 4; FELT_FN auto operator()(auto x, auto nan, auto above, auto below) const { return math::nan_to_num(x, nan, above, below); } };

struct ceil       { static constexpr char const* name = "ceil";       FELT_FN auto operator()(auto x) const { return math::ceil(x); } };
struct round      { static constexpr char const* name = "round";      FELT_FN auto operator()(auto x) const { return math::round(x); } };
struct trunc      { static constexpr char const* name = "trunc";      FELT_FN auto operator()(auto x) const { return math::trunc(x); } };
struct isnan      { static constexpr char const* name = "isnan";      FELT_FN auto operator()(auto x) const { return math::isnan(x); } };
struct isinf      { static constexpr char const* name = "isinf";      FELT_FN auto operator()(auto x) const { return math::isinf(x); } };
struct isfinite   { static constexpr char const* name = "isfinite";   FELT_FN auto operator()(auto x) const { return math::isfinite(x); } };
struct signbit    { static constexpr char const* name = "signbit";    FELT_FN auto operator()(auto x) const { return math::signbit(x); } };
// clang-format on

// Batches that no vector unit divides are refused, so that numbers are divided one by one.
struct divide {
    static constexpr char const* name = "/";
    static constexpr int cost = 4;
    template <math::divisible T>
    FELT_FN T operator()(T x, T y) const {
        return math::divide(x, y);
    }
};
struct fmod {
    static constexpr char const* name = "fmod";
    static constexpr int cost = 20;
    template <math::divisible T>
    FELT_FN T operator()(T x, T y) const {
        return math::fmod(x, y);
    }
};
struct remainder {
    static constexpr char const* name = "remainder";
    static constexpr int cost = 24;
    template <math::divisible T>
    FELT_FN T operator()(T x, T y) const {
        return math::remainder(x, y);
    }
};
struct floor_divide {
    static constexpr char const* name = "floor_divide";
    static constexpr int cost = 28;
    template <math::divisible T>
    FELT_FN T operator()(T x, T y) const {
        return math::floor_divide(x, y);
    }
};

// The one row whose operands differ in kind: a condition and two values.
struct where {
    static constexpr char const* name = "where";
    static constexpr bool selects = true;
    template <class C, class T>
    FELT_FN T operator()(C c, T a, T b) const {
        if constexpr (std::is_same_v<C, bool>) {
            return c ? a : b;
        } else {
            return math::select(c, a, b);
        }
    }
};

}  // namespace felt::inline FELT_ABI::op
