// SPDX-License-Identifier: BSD-3-Clause
//
// Functions of one's own: a functor for map, and compositions in the public language.
#include "check.hpp"
#include <felt/felt.hpp>
#include <cmath>

//[functor]
// x / (1 + |x|), for numbers and for SIMD batches alike.
struct softsign {
    static constexpr char const* name = "softsign";  // in plans and messages; may be left out
    static constexpr int cost = 5;                   // vector instructions, about; 1 if left out
    FELT_FN auto operator()(auto x) const {
        return decltype(x)(x / (decltype(x)(1) + felt::math::abs(x)));
    }
};
//[functor]

//[monoid]
// The value farthest from 0; of -a and a it is a.
struct farthest {
    static constexpr char const* name = "farthest";  // in plans; may be left out
    template <class T>
    static FELT_FN T identity() {
        return T(0);  // changes nothing
    }
    FELT_FN auto operator()(auto x, auto y) const {
        auto const a = felt::math::abs(x), b = felt::math::abs(y);
        auto const larger = felt::math::maximum(x, y);
        return felt::math::select(a == b, larger, felt::math::select(a < b, y, x));
    }
};
//[monoid]

//[composition]
// Cross-correlation of x (n, c, h, w) with k (o, c, kh, kw): a contraction over a window view.
template <felt::array_operand X, felt::array_operand K>
auto correlate(X&& x, K&& k) {
    auto const e = k.extents();
    return felt::einsum<"ncpqrs,ocrs->nopq">(windows(std::forward<X>(x), {e[2], e[3]}),
                                             std::forward<K>(k));
}

// The mean over 2 x 2 windows: a reduction over a window view.
template <felt::array_operand X>
auto halve(X&& x) {
    return felt::mean<-2, -1>(windows(std::forward<X>(x), {2, 2}, {.stride = {2, 2}}));
}
//[composition]

namespace {

void own_function() {
    auto const x = felt::Tensor<float, 1>::of({-3, 0, 1});
    //[map]
    felt::Tensor<float, 1> y = map(softsign{}, 2.f * x) + 1.f;  // found through its operand
    //[map]
    //[branches]
    auto const leaky = [](auto v) { return v > 0 ? v : 0.1f * v; };
    auto const faster = [](auto v) { return felt::math::select(v > 0, v, 0.1f * v); };
    felt::Tensor<float, 1> z = map(leaky, x) - map(faster, x);
    //[branches]
    check(z(0) == 0 && z(1) == 0 && z(2) == 0, "a branch and a choice agree");
    check(std::abs(y(0) - 1.f / 7) < 1e-6f && y(1) == 1, "map applies a functor");
}

void own_reduction() {
    auto const x = felt::Tensor<float, 2>::of({{1, -5, 3}, {4, 2, -4}});
    //[reduce]
    felt::Tensor<float, 1> y = reduce<1>(farthest{}, x * 2.f) + 1.f;  // one expression
    float const all = reduce(farthest{}, x);
    //[reduce]
    check(y(0) == -9 && y(1) == 9 && all == -5, "a monoid reduces rows, and all");
}

void own_composition() {
    felt::Tensor<float, 4> x({2, 3, 8, 8}), k({4, 3, 3, 3});
    x = felt::uniform<float>(x.extents(), 1);
    k = felt::normal<float>(k.extents(), 2);
    //[pool]
    felt::Tensor<float, 4> y = halve(tanh(correlate(x, k)));  // one expression, no intermediate
    //[pool]
    float total = 0;
    for (int p = 0; p < 2; ++p) {
        for (int q = 0; q < 2; ++q) {
            float sum = 0;
            for (int c = 0; c < 3; ++c) {
                for (int rs = 0; rs < 9; ++rs) {
                    int const r = rs / 3, s = rs % 3;
                    sum += x(1, c, 4 + p + r, 2 + q + s) * k(3, c, r, s);
                }
            }
            total += std::tanh(sum);
        }
    }
    check(y.extent(2) == 3 && std::abs(y(1, 3, 2, 1) - total / 4) < 1e-5f, "as nested loops do");
}

}  // namespace

int main() {
    own_function();
    own_reduction();
    own_composition();
    return failures != 0;
}
