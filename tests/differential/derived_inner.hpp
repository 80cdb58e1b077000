// SPDX-License-Identifier: BSD-3-Clause
//
// Inner rows for derivatives alone: smooth functions, what is stretched and says so by its type,
// and what is a constant for derivatives.
#pragma once
#include "tests/differential/rows.hpp"

namespace plain {

// f(x, y), which has slopes of at most `steep`.
template <class F>
array smooth(F const& f, array const& x, array const& y, double steep) {
    return map2(f, x, y, [&](double, double, double p, double q) { return steep * (p + q) + 8; });
}
inline array column(array const& x) { return reshape(x, {x.e[0], 1}); }
}  // namespace plain

namespace test::inner {

// One formula for both: of elements and of expressions.
struct waves {
    static constexpr char const* name = "sin(x) * exp(y) + atan2(x, 3 + y) - tanh(x * y)";
    static auto of(auto& o) {
        auto const f = [](auto const& x, auto const& y) {
            using std::sin, std::exp, std::atan2, std::tanh;
            return sin(x) * exp(y) + atan2(x, 3 + y) - tanh(x * y);
        };
        auto x = o.tensor({o.m, o.n}), y = o.second({o.m, o.n});
        return term{f(x.node, y.node), plain::smooth(f, x.value, y.value, 8)};
    }
};
struct roots {
    static constexpr char const* name = "hypot(x, 2 + y) / sqrt(1 + x * x) + pow(2 + y, x)";
    static auto of(auto& o) {
        auto const f = [](auto const& x, auto const& y) {
            using std::sqrt, std::hypot, std::pow;
            return hypot(x, 2 + y) / sqrt(1 + x * x) + pow(2 + y, x);
        };
        auto x = o.tensor({o.m, o.n}), y = o.second({o.m, o.n});
        return term{f(x.node, y.node), plain::smooth(f, x.value, y.value, 16)};
    }
};
struct stretched {
    static constexpr char const* name = "x * expand_dims<1>(y) + z";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n});
        auto y = o.second({o.m}), z = o.third({o.n});
        return term{x.node * felt::expand_dims<1>(y.node) + z.node,
                    plain::add(plain::multiply(x.value, plain::column(y.value)), z.value)};
    }
};
struct crosswise {
    static constexpr char const* name = "expand_dims<1>(x) * y";
    static auto of(auto& o) {
        auto x = o.tensor({o.m}), y = o.second({o.n});
        return term{felt::expand_dims<1>(x.node) * y.node,
                    plain::multiply(plain::column(x.value), y.value)};
    }
};
struct held {
    static constexpr char const* name = "stop(y * y) * x + y";
    static auto of(auto& o) {
        auto x = o.tensor({o.m, o.n}), y = o.second({o.m, o.n});
        plain::array const still = plain::multiply(o.second_still(), o.second_still());
        return term{felt::stop(y.node * y.node) * x.node + y.node,
                    plain::add(plain::multiply(still, x.value), y.value)};
    }
};

}  // namespace test::inner
