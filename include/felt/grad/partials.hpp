// SPDX-License-Identifier: BSD-3-Clause
//
// The derivatives of the elementwise functions, a row for each row of expr/rows.hpp: what operand
// I contributes, of the derivative dy by the result y and the operands. Steps have none: the
// derivative of floor, of a comparison or of an index is taken for 0.
//
// A mask is applied to the derivative, and arguments of what is not defined there are masked, so
// that NaN does not come through what was not chosen.
#pragma once
#include <felt/expr/bits.hpp>
#include <felt/expr/compose.hpp>
#include <felt/grad/derivative.hpp>
#include <numbers>

namespace felt::inline FELT_ABI::derive {

// Products of numbers are numbers.
template <class A, class B>
auto times(A const& a, B const& b) {
    if constexpr (requires { a.value* b.value; })
        return scalar<typename A::value_type>{
            static_cast<typename A::value_type>(a.value * b.value)};
    else return as_node(a * b);
}
template <class X>
auto number(double value) {
    return scalar<typename X::value_type>{static_cast<typename X::value_type>(value)};
}

// Of functor F by its operand I.
template <class F>
struct partial;

template <std::size_t I>
using by = std::integral_constant<std::size_t, I>;

// A function whose derivative is 0 wherever it has one.
struct step {
    template <std::size_t I>
    static zero of(by<I>, auto const&...) {
        return {};
    }
};

// clang-format off
template <> struct partial<op::add> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const&) { return dy; }
    static auto of(by<1>, auto const& dy, auto const&, auto const&, auto const&) { return dy; }
};
template <> struct partial<op::subtract> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const&) { return dy; }
    static auto of(by<1>, auto const& dy, auto const&, auto const&, auto const&) { return -dy; }
};
template <> struct partial<op::multiply> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const& b) { return times(dy, b); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& a, auto const&) { return times(dy, a); }
};
template <int A> struct partial<detail::softmax_quotient<A>> : partial<op::multiply> {};
template <> struct partial<op::divide> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const& b) { return dy / b; }
    static auto of(by<1>, auto const& dy, auto const& y, auto const&, auto const& b) { return -dy * y / b; }
};
template <> struct partial<op::negate> { static auto of(by<0>, auto const& dy, auto const&, auto const&) { return -dy; } };

template <> struct partial<op::exp> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * y; } };
template <> struct partial<op::exp2> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * y * std::numbers::ln2; } };
template <> struct partial<op::expm1> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * (y + 1); } };
template <> struct partial<op::log> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / x; } };
template <> struct partial<op::log1p> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / (1 + x); } };
template <> struct partial<op::log2> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / (x * std::numbers::ln2); } };
template <> struct partial<op::log10> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / (x * std::numbers::ln10); } };
template <> struct partial<op::sqrt> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * 0.5 / y; } };
template <> struct partial<op::rsqrt> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * -0.5 * y * y * y; } };
template <> struct partial<op::cbrt> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy / (3 * y * y); } };
template <> struct partial<op::square> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return times(times(dy, number<std::remove_cvref_t<decltype(x)>>(2)), x); } };
template <> struct partial<op::sigmoid> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * y * (1 - y); } };
template <> struct partial<op::tanh> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * (1 - square(y)); } };
template <> struct partial<op::erf> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * exp(-x * x) * (2 * std::numbers::inv_sqrtpi); } };
template <> struct partial<op::erfc> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * exp(-x * x) * (-2 * std::numbers::inv_sqrtpi); } };
template <> struct partial<op::gelu> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& x) {
    constexpr double half = 0.5, s = std::numbers::sqrt2 / 2, t = std::numbers::inv_sqrtpi * std::numbers::sqrt2 / 2;
    return dy * (half + half * erf(x * s) + x * exp(x * x * -half) * t); }
};
template <> struct partial<op::softplus> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * sigmoid(x); } };
template <> struct partial<op::silu> { static auto of(by<0>, auto const& dy, auto const& y, auto const& x) { return dy * (sigmoid(x) + y * (1 - sigmoid(x))); } };
template <> struct partial<op::relu> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return where(y > 0, dy, 0); } };
template <> struct partial<op::elu> {
    static auto of(by<0>, auto const& dy, auto const& y, auto const& x, auto const& alpha) { return where(x > 0, dy, dy * (y + alpha)); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& x, auto const&) { return where(x > 0, 0, dy * expm1(minimum(x, 0))); }
};
template <> struct partial<op::leaky_relu> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& x, auto const& slope) { return where(x > 0, dy, dy * slope); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& x, auto const&) { return where(x > 0, 0, dy * x); }
};
template <> struct partial<op::abs> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * sign(x); } };

template <> struct partial<op::sin> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * cos(x); } };
template <> struct partial<op::cos> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return -dy * sin(x); } };
template <> struct partial<op::tan> { static auto of(by<0>, auto const& dy, auto const& y, auto const&) { return dy * (1 + y * y); } };
template <> struct partial<op::asin> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / sqrt(1 - x * x); } };
template <> struct partial<op::acos> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return -dy / sqrt(1 - x * x); } };
template <> struct partial<op::atan> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / (1 + x * x); } };
template <> struct partial<op::sinh> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * cosh(x); } };
template <> struct partial<op::cosh> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy * sinh(x); } };
template <> struct partial<op::asinh> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / sqrt(x * x + 1); } };
template <> struct partial<op::acosh> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / sqrt(x * x - 1); } };
template <> struct partial<op::atanh> { static auto of(by<0>, auto const& dy, auto const&, auto const& x) { return dy / (1 - x * x); } };
template <> struct partial<op::atan2> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& a, auto const& b) { return dy * b / (a * a + b * b); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& a, auto const& b) { return -dy * a / (a * a + b * b); }
};
template <> struct partial<op::hypot> {
    static auto of(by<0>, auto const& dy, auto const& y, auto const& a, auto const&) { return dy * a / y; }
    static auto of(by<1>, auto const& dy, auto const& y, auto const&, auto const& b) { return dy * b / y; }
};

// pow(0, b) has the derivative b 0^(b-1) by its base and none by its exponent.
template <> struct partial<op::pow> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& a, auto const& b) { return where(b == 0, 0, dy * b * pow(a, where(b == 0, 1, b - 1))); }
    static auto of(by<1>, auto const& dy, auto const& y, auto const& a, auto const&) { return where(a > 0, dy * y * log(where(a > 0, a, 1)), 0); }
};
// Half each where they are equal.
template <> struct partial<op::maximum> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& a, auto const& b) { return where(a > b, dy, where(a == b, dy * 0.5, 0)); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& a, auto const& b) { return where(b > a, dy, where(a == b, dy * 0.5, 0)); }
};
template <> struct partial<op::minimum> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& a, auto const& b) { return where(a < b, dy, where(a == b, dy * 0.5, 0)); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& a, auto const& b) { return where(b < a, dy, where(a == b, dy * 0.5, 0)); }
};
template <> struct partial<op::clip> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& x, auto const& lo, auto const& hi) { return where(x >= lo && x <= hi, dy, 0); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& x, auto const& lo, auto const& hi) { return where(x < lo && lo <= hi, dy, 0); }
    static auto of(by<2>, auto const& dy, auto const&, auto const& x, auto const& lo, auto const& hi) { return where(x > hi || lo > hi, dy, 0); }
};
template <> struct partial<op::soft_threshold> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& x, auto const& t) { return where(abs(x) > t, dy, 0); }
    static auto of(by<1>, auto const& dy, auto const&, auto const& x, auto const& t) { return where(abs(x) > t, -dy * sign(x), 0); }
};
template <> struct partial<op::copysign> {
    static auto of(by<0>, auto const& dy, auto const& y, auto const& x, auto const&) { return where(signbit(x) == signbit(y), dy, -dy); }
    static zero of(by<1>, auto const&...) { return {}; }
};
template <> struct partial<op::nextafter> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const&) { return dy; }
    static zero of(by<1>, auto const&...) { return {}; }
};
template <> struct partial<op::logaddexp> {
    static auto of(by<0>, auto const& dy, auto const& y, auto const& a, auto const&) { return dy * exp(a - y); }
    static auto of(by<1>, auto const& dy, auto const& y, auto const&, auto const& b) { return dy * exp(b - y); }
};
template <> struct partial<op::lerp> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const&, auto const& t) { return dy * (1 - t); }
    static auto of(by<1>, auto const& dy, auto const&, auto const&, auto const&, auto const& t) { return dy * t; }
    static auto of(by<2>, auto const& dy, auto const&, auto const& a, auto const& b, auto const&) { return dy * (b - a); }
};
template <> struct partial<op::nan_to_num> {
    static auto of(by<0>, auto const& dy, auto const&, auto const& x, auto const&, auto const&, auto const&) { return where(isfinite(x), dy, 0); }
    static zero of(by<1>, auto const&...) { return {}; }
    static zero of(by<2>, auto const&...) { return {}; }
    static zero of(by<3>, auto const&...) { return {}; }
};
template <> struct partial<op::fmod> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const&) { return dy; }
    static auto of(by<1>, auto const& dy, auto const&, auto const& a, auto const& b) { return -dy * trunc(a / b); }
};
template <> struct partial<op::remainder> {
    static auto of(by<0>, auto const& dy, auto const&, auto const&, auto const&) { return dy; }
    static auto of(by<1>, auto const& dy, auto const&, auto const& a, auto const& b) { return -dy * floor(a / b); }
};
template <> struct partial<op::where> {
    static zero of(by<0>, auto const&...) { return {}; }
    static auto of(by<1>, auto const& dy, auto const&, auto const& c, auto const&, auto const&) { return where(c, dy, 0); }
    static auto of(by<2>, auto const& dy, auto const&, auto const& c, auto const&, auto const&) { return where(c, 0, dy); }
};

template <> struct partial<op::floor> : step {};
template <> struct partial<op::ceil> : step {};
template <> struct partial<op::round> : step {};
template <> struct partial<op::trunc> : step {};
template <> struct partial<op::sign> : step {};
template <> struct partial<op::floor_divide> : step {};
template <> struct partial<op::less> : step {};
template <> struct partial<op::less_equal> : step {};
template <> struct partial<op::greater> : step {};
template <> struct partial<op::greater_equal> : step {};
template <> struct partial<op::equal> : step {};
template <> struct partial<op::not_equal> : step {};
template <> struct partial<op::logical_and> : step {};
template <> struct partial<op::logical_or> : step {};
template <> struct partial<op::logical_not> : step {};
template <> struct partial<op::isnan> : step {};
template <> struct partial<op::isinf> : step {};
template <> struct partial<op::isfinite> : step {};
template <> struct partial<op::signbit> : step {};
// clang-format on

}  // namespace felt::inline FELT_ABI::derive
