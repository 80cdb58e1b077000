// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of the table of elementwise functions: out[i...] = f(a[i...], ...).
//
// A row is a functor without state that holds for a scalar and for a SIMD batch alike. To add
// one, write its row here and its public name in functions.hpp. What can be written with
// existing rows is not a row: see compose.hpp. `cost` is in vector instructions, about; 1 if
// it is not given. It decides what is too dear to compute twice. A row that says `selects` takes a
// condition and two values of one type. Results are in the operands' type, which C++ alone
// would widen where it is smaller than int. Not equal is written as not (x == y), because
// xsimd 8.1 takes NaN != NaN for false.
#pragma once
#include <felt/core/math.hpp>
#include <cstdint>

namespace felt::op {

// clang-format off
struct add      { static constexpr char const* name = "+"; FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x + y); } };
struct subtract { static constexpr char const* name = "-"; FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x - y); } };
struct multiply { static constexpr char const* name = "*"; FELT_FN auto operator()(auto x, auto y) const { return decltype(x)(x * y); } };
struct negate   { static constexpr char const* name = "-"; FELT_FN auto operator()(auto x) const { return decltype(x)(-x); } };

struct less          { static constexpr char const* name = "<";  FELT_FN auto operator()(auto x, auto y) const { return x < y; } };
struct less_equal    { static constexpr char const* name = "<="; FELT_FN auto operator()(auto x, auto y) const { return x <= y; } };
struct greater       { static constexpr char const* name = ">";  FELT_FN auto operator()(auto x, auto y) const { return x > y; } };
struct greater_equal { static constexpr char const* name = ">="; FELT_FN auto operator()(auto x, auto y) const { return x >= y; } };
struct equal         { static constexpr char const* name = "=="; FELT_FN auto operator()(auto x, auto y) const { return x == y; } };
struct not_equal     { static constexpr char const* name = "!="; FELT_FN auto operator()(auto x, auto y) const { return !(x == y); } };
struct logical_and   { static constexpr char const* name = "&&"; FELT_FN auto operator()(auto x, auto y) const { return x && y; } };
struct logical_or    { static constexpr char const* name = "||"; FELT_FN auto operator()(auto x, auto y) const { return x || y; } };
struct logical_not   { static constexpr char const* name = "!";  FELT_FN auto operator()(auto x) const { return !x; } };

struct exp     { static constexpr char const* name = "exp";     static constexpr int cost = 12; FELT_FN auto operator()(auto x) const { return math::exp(x); } };
struct log     { static constexpr char const* name = "log";     static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::log(x); } };
struct log1p   { static constexpr char const* name = "log1p";   static constexpr int cost = 20; FELT_FN auto operator()(auto x) const { return math::log1p(x); } };
struct sqrt    { static constexpr char const* name = "sqrt";    static constexpr int cost = 4;  FELT_FN auto operator()(auto x) const { return math::sqrt(x); } };
struct tanh    { static constexpr char const* name = "tanh";    static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::tanh(x); } };
struct sigmoid { static constexpr char const* name = "sigmoid"; static constexpr int cost = 16; FELT_FN auto operator()(auto x) const { return math::sigmoid(x); } };
struct erf     { static constexpr char const* name = "erf";     static constexpr int cost = 24; FELT_FN auto operator()(auto x) const { return math::erf(x); } };
struct gelu    { static constexpr char const* name = "gelu";    static constexpr int cost = 28; FELT_FN auto operator()(auto x) const { return math::gelu(x); } };
struct pow     { static constexpr char const* name = "pow";     static constexpr int cost = 40; FELT_FN auto operator()(auto x, auto y) const { return math::pow(x, y); } };
struct floor   { static constexpr char const* name = "floor";   FELT_FN auto operator()(auto x) const { return math::floor(x); } };
struct abs     { static constexpr char const* name = "abs";     FELT_FN auto operator()(auto x) const { return math::abs(x); } };
struct sign    { static constexpr char const* name = "sign";    FELT_FN auto operator()(auto x) const { return math::sign(x); } };
struct square  { static constexpr char const* name = "square";  FELT_FN auto operator()(auto x) const { return decltype(x)(x * x); } };
struct relu    { static constexpr char const* name = "relu";    FELT_FN auto operator()(auto x) const { return math::relu(x); } };
struct maximum { static constexpr char const* name = "maximum"; FELT_FN auto operator()(auto x, auto y) const { return math::maximum(x, y); } };
struct minimum { static constexpr char const* name = "minimum"; FELT_FN auto operator()(auto x, auto y) const { return math::minimum(x, y); } };
struct clip    { static constexpr char const* name = "clip";    static constexpr int cost = 2;
                 FELT_FN auto operator()(auto x, auto lo, auto hi) const { return math::clip(x, lo, hi); } };
struct soft_threshold { static constexpr char const* name = "soft_threshold"; static constexpr int cost = 4;
                 FELT_FN auto operator()(auto x, auto t) const { return math::soft_threshold(x, t); } };
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

}  // namespace felt::op
