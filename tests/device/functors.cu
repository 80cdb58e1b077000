// SPDX-License-Identifier: BSD-3-Clause
//
// Every functor on a device: the rows of elementwise functions, cast, the monoids of reductions,
// the laws of generators, and functors of a user. y[i] = f(x[i], ..).
#include <felt/expr/bits.hpp>
#include <felt/expr/nan_reductions.hpp>
#include <felt/expr/user_monoid.hpp>
#include <tests/device/nodes.hpp>

namespace test {

using felt::index_t;

template <class F, class R, class... X>
__global__ void evaluate(F f, R* y, X const*... x) {
    unsigned const i = threadIdx.x;
    y[i] = static_cast<R>(f(x[i]...));
}

template <class M, class T>
__global__ void combine(T const* x, T* y) {
    y[0] = static_cast<T>(M{}(M::template identity<T>(), x[0]));
}
template <class M, class T>
__global__ void choose(T const* x, bool* y) {
    y[0] = M::better(x[0], x[1]);
}

template <class G, class T>
__global__ void generate(G g, T* y) {
    unsigned const i = threadIdx.x;
    y[i] = g.at(static_cast<index_t>(i));
}

template <class... F>
struct functors {};

using of_reals =
    functors<felt::op::exp, felt::op::log, felt::op::log1p, felt::op::sqrt, felt::op::tanh,
             felt::op::sigmoid, felt::op::erf, felt::op::erfc, felt::op::gelu, felt::op::sin,
             felt::op::cos, felt::op::tan, felt::op::asin, felt::op::acos, felt::op::atan,
             felt::op::sinh, felt::op::cosh, felt::op::asinh, felt::op::acosh, felt::op::atanh,
             felt::op::exp2, felt::op::expm1, felt::op::log2, felt::op::log10, felt::op::cbrt,
             felt::op::rsqrt, felt::op::softplus, felt::op::silu>;
using of_two_reals =
    functors<felt::op::pow, felt::op::atan2, felt::op::hypot, felt::op::copysign,
             felt::op::nextafter, felt::op::logaddexp, felt::op::elu, felt::op::leaky_relu>;
using of_numbers =
    functors<felt::op::negate, felt::op::floor, felt::op::abs, felt::op::sign, felt::op::square,
             felt::op::relu, felt::op::ceil, felt::op::round, felt::op::trunc,
             felt::op::cast<float>, felt::op::cast<double>, felt::op::cast<int>,
             felt::op::cast<bool>, felt::op::cast<unsigned char>, halve, shift>;
using of_two_numbers =
    functors<felt::op::add, felt::op::subtract, felt::op::multiply, felt::op::divide,
             felt::op::maximum, felt::op::minimum, felt::op::soft_threshold, felt::op::fmod,
             felt::op::remainder, felt::op::floor_divide>;
using classes = functors<felt::op::isnan, felt::op::isinf, felt::op::isfinite, felt::op::signbit>;
using of_bits = functors<felt::op::bit_and, felt::op::bit_or, felt::op::bit_xor,
                         felt::op::shift_left, felt::op::shift_right>;
using conditions = functors<felt::op::less, felt::op::less_equal, felt::op::greater,
                            felt::op::greater_equal, felt::op::equal, felt::op::not_equal>;
using monoids = functors<felt::monoid::sum, felt::monoid::prod, felt::monoid::max,
                         felt::monoid::min, felt::monoid::any, felt::monoid::all>;
struct farthest {
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN auto operator()(auto x, auto y) const {
        return felt::math::select(felt::math::abs(x) < felt::math::abs(y), y, x);
    }
};
using monoids_of_reals =
    functors<felt::monoid::nanmax, felt::monoid::nanmin, felt::detail::user_monoid<farthest>>;
using index_monoids = functors<felt::monoid::argmax, felt::monoid::argmin>;

template <class R, class... X, class... F>
void name_kernels(functors<F...>) {
    (static_cast<void>(&evaluate<F, R, X...>), ...);
}
template <class T, class... M>
void name_monoids(functors<M...>) {
    (static_cast<void>(&combine<M, T>), ...);
}
template <class T, class... M>
void name_index_monoids(functors<M...>) {
    (static_cast<void>(&choose<M, T>), ...);
}

template <class... T>
void for_reals() {
    (name_kernels<T, T>(of_reals{}), ...);
    (name_kernels<T, T, T>(of_two_reals{}), ...);
    (name_monoids<T>(monoids_of_reals{}), ...);
}
template <class... T>
void for_numbers() {
    (name_kernels<T, T>(of_numbers{}), ...);
    (name_kernels<T, T, T>(of_two_numbers{}), ...);
    (name_kernels<bool, T, T>(conditions{}), ...);
    (name_kernels<bool, T>(classes{}), ...);
    (name_kernels<T, T, T, T>(functors<felt::op::clip, felt::op::lerp>{}), ...);
    (name_kernels<T, T, T, T, T>(functors<felt::op::nan_to_num>{}), ...);
    (name_kernels<T, bool, T, T>(functors<felt::op::where>{}), ...);
    (name_monoids<T>(monoids{}), ...);
    (name_index_monoids<T>(index_monoids{}), ...);
}

template <class... T>
void for_integers() {
    (name_kernels<T, T, T>(of_bits{}), ...);
    (name_kernels<T, T>(functors<felt::op::bit_not>{}), ...);
}

void name_all_kernels() {
    for_reals<float, double>();
    for_numbers<float, double, int, index_t, unsigned char, short, std::uint64_t>();
    for_integers<int, index_t, unsigned char, short, std::uint64_t>();
    name_kernels<bool, bool, bool>(functors<felt::op::bit_and, felt::op::bit_or>{});
    name_kernels<bool, bool>(functors<felt::op::logical_not>{});
    name_kernels<bool, bool, bool>(functors<felt::op::logical_and, felt::op::logical_or>{});
    name_kernels<bool, bool, bool>(conditions{});
    name_kernels<bool, bool, bool, bool>(functors<felt::op::where>{});
    static_cast<void>(&generate<felt::detail::counting<int>, int>);
    static_cast<void>(&generate<felt::uniform_stream<float>, float>);
    static_cast<void>(&generate<felt::uniform_stream<double>, double>);
    static_cast<void>(&generate<felt::normal_stream<float>, float>);
    static_cast<void>(&generate<felt::normal_stream<double>, double>);
}

}  // namespace test
