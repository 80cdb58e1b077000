// SPDX-License-Identifier: BSD-3-Clause
//
// Outer rows of the grammar: scans, folded and listed views, gathers along an axis.
#pragma once
#include "tests/differential/rows.hpp"

namespace plain {

// out[..., i, ...] = f(out[..., i - 1, ...], x[..., i, ...]) along an axis; f works on values and
// their errors.
template <class F>
array scan(array x, std::size_t axis, F&& f) {
    index_t step = 1;
    for (std::size_t r = axis + 1; r < x.e.size(); ++r) step *= x.e[r];
    each(x.e, [&](shape const& i) {
        std::size_t const at = position(x.e, i), before = at - static_cast<std::size_t>(step);
        if (i[axis] > 0) f(x.v[at], x.error[at], x.v[before], x.error[before]);
    });
    return x;
}
inline array cumsum(array const& x, std::size_t axis) {
    double const terms = static_cast<double>(x.e[axis]);
    array size = map([](double v) { return std::fabs(v); }, x, [](double) { return 0; }, 0);
    size = scan(size, axis, [](double& v, double&, double u, double) { v += u; });
    array out = scan(x, axis, [](double& v, double& p, double u, double q) { v += u, p += q; });
    for (std::size_t i = 0; i < out.v.size(); ++i) out.error[i] += terms * size.v[i];
    return out;
}
inline array cumprod(array const& x, std::size_t axis) {
    constexpr double tiny = 1e-30;  // what is lost where numbers are hardly above 0
    return scan(x, axis, [](double& v, double& p, double u, double q) {
        p = p * std::fabs(u) + q * std::fabs(v) + std::fabs(u * v) + tiny;
        v *= u;
    });
}
inline array cummax(array const& x, std::size_t axis) {
    return scan(x, axis, [](double& v, double& p, double u, double q) {
        v = larger(u, v), p = std::max(p, q);
    });
}
inline array logcumsumexp(array const& x, std::size_t axis) {
    array out = scan(x, axis, [](double& v, double& p, double u, double q) {
        double const most = larger(u, v), least = u < v ? u : v;
        p = std::max(std::isfinite(v) ? p : 0, std::isfinite(u) ? q : 0);
        v = u == v ? u + std::log(2.0) : most + std::log1p(std::exp(least - most));
    });
    double const terms = static_cast<double>(x.e[axis]);
    for (std::size_t i = 0; i < out.v.size(); ++i) {
        out.error[i] += 8 * terms * (1 + std::fabs(out.v[i]));
    }
    return out;
}

// Results before those at `first`, along an axis: from[..., i - 1, ...].
inline array after(array const& x, std::size_t axis, double first) {
    shape lo(x.e.size(), 0);
    lo[axis] = 1;
    array const moved = pad(x, lo, shape(x.e.size(), 0), first);
    return slice(moved, shape(x.e.size(), 0), shape(x.e.size(), 1), x.e);
}

// Index i of n elements and what stands around them.
inline index_t index_around(felt::pad_mode mode, index_t i, index_t n) {
    if (mode == felt::pad_mode::wrap) return ((i % n) + n) % n;
    if (mode == felt::pad_mode::edge) return std::clamp<index_t>(i, 0, n - 1);
    return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
}
inline array pad(array const& x, shape const& lo, shape const& hi, felt::pad_mode mode) {
    shape e(x.e);
    for (std::size_t r = 0; r < e.size(); ++r) e[r] += lo[r] + hi[r];
    return pick(x, e, [&](shape i) {
        for (std::size_t r = 0; r < i.size(); ++r) i[r] = index_around(mode, i[r] - lo[r], x.e[r]);
        return i;
    });
}
inline array roll(array const& x, shape const& by) {
    return pick(x, x.e, [&](shape i) {
        for (std::size_t r = 0; r < i.size(); ++r) {
            i[r] = index_around(felt::pad_mode::wrap, i[r] - by[r], x.e[r]);
        }
        return i;
    });
}
inline array take_along(array const& x, std::size_t axis, array const& indices) {
    return pick(x, indices.e, [&](shape i) {
        i[axis] = static_cast<index_t>(indices.v[position(indices.e, i)]);
        return i;
    });
}

}  // namespace plain

namespace test::words {

inline plain::array sin(plain::array const& x) {
    return plain::map([](double v) { return std::sin(v); }, x, [](double) { return 1; }, 4);
}

struct add {
    auto operator()(auto a, auto b) const { return a + b; }
};

struct summed_up {
    static constexpr char const* name = "cumsum<1>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::cumsum<1>(x.node), plain::cumsum(x.value, 1)};
    }
};
struct multiplied_up {
    static constexpr char const* name = "cumprod<0>(sin(x))";
    static auto of(auto&, auto const& x) {
        return term{felt::cumprod<0>(sin(x.node)), plain::cumprod(words::sin(x.value), 0)};
    }
};
struct highest_yet {
    static constexpr char const* name = "cummax<0>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::cummax<0>(x.node), plain::cummax(x.value, 0)};
    }
};
struct exponents {
    static constexpr char const* name = "logcumsumexp<1>(x)";
    static auto of(auto&, auto const& x) {
        return term{felt::logcumsumexp<1>(x.node), plain::logcumsumexp(x.value, 1)};
    }
};
struct including {
    static constexpr char const* name = "inclusive_scan<0>(add, x)";
    static auto of(auto&, auto const& x) {
        return term{felt::inclusive_scan<0>(add{}, x.node), plain::cumsum(x.value, 0)};
    }
};
struct excluding {
    static constexpr char const* name = "exclusive_scan<1>(add, x, 0)";
    static auto of(auto&, auto const& x) {
        using T = typename decltype(x.node)::value_type;
        return term{felt::exclusive_scan<1>(add{}, x.node, T(0)),
                    plain::after(plain::cumsum(x.value, 1), 1, 0)};
    }
};
struct rolled {
    static constexpr char const* name = "roll<0, 1>(x, 2, -3)";
    static auto of(auto&, auto const& x) {
        return term{felt::roll<0, 1>(x.node, 2, -3), plain::roll(x.value, {2, -3})};
    }
};
struct wrapped {
    static constexpr char const* name = "pad(x, wrap)";
    static auto of(auto&, auto const& x) {
        return term{pad(x.node, {{0, 2}, {5, 1}}, felt::pad_mode::wrap),
                    plain::pad(x.value, {0, 5}, {2, 1}, felt::pad_mode::wrap)};
    }
};
struct mirrored {
    static constexpr char const* name = "pad(x, reflect)";
    static auto of(auto&, auto const& x) {
        index_t const p = std::min<index_t>(2, x.value.e[0] - 1);
        index_t const q = std::min<index_t>(3, x.value.e[1] - 1);
        return term{pad(x.node, {{p, p}, {0, q}}, felt::pad_mode::reflect),
                    plain::pad(x.value, {p, 0}, {p, q}, felt::pad_mode::reflect)};
    }
};
struct edged {
    static constexpr char const* name = "pad(x, edge)";
    static auto of(auto&, auto const& x) {
        return term{pad(x.node, {{3, 0}, {1, 2}}, felt::pad_mode::edge),
                    plain::pad(x.value, {3, 1}, {0, 2}, felt::pad_mode::edge)};
    }
};
struct listed {
    static constexpr char const* name = "concat<1>(x, w, x)";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({x.value.e[0], index_t{2}});
        return term{felt::concat<1>(x.node, w.node, x.node),
                    plain::concat(plain::concat(x.value, w.value, 1), x.value, 1)};
    }
};
struct tiled {
    static constexpr char const* name = "tile(x, {2, 3})";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        return term{felt::tile(x.node, {2, 3}),
                    plain::pad(x.value, {0, 0}, {m, 2 * n}, felt::pad_mode::wrap)};
    }
};
struct repeated {
    static constexpr char const* name = "repeat<0>(x, 3)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        return term{felt::repeat<0>(x.node, 3),
                    plain::pick(x.value, {3 * m, n}, [](plain::shape i) {
                        i[0] /= 3;
                        return i;
                    })};
    }
};
struct quarter {
    static constexpr char const* name = "swapaxes<0, 1>(flip<1>(x))";
    static auto of(auto&, auto const& x) {
        return term{felt::swapaxes<0, 1>(felt::flip<1>(x.node)),
                    plain::transpose(plain::flip(x.value, {1}))};
    }
};
struct backwards {
    static constexpr char const* name = "slice(x, all, every second from the last)";
    static auto of(auto&, auto const& x) {
        index_t const n = x.value.e[1];
        return term{slice(x.node, felt::all(), felt::from(-1, -2)),
                    plain::slice(x.value, {0, n - 1}, {1, -2}, {x.value.e[0], (n + 1) / 2})};
    }
};
struct taken {
    static constexpr char const* name = "take_along_axis<1>(x, indices)";
    static auto of(auto& o, auto const& x) {
        auto i = o.indices({x.value.e[0], o.between(1, 40)}, x.value.e[1]);
        return term{felt::take_along_axis<1>(x.node, i.node),
                    plain::take_along(x.value, 1, i.value)};
    }
};
struct steps {
    static constexpr char const* name = "diff<1>(x)";
    static auto of(auto&, auto const& x) {
        index_t const m = x.value.e[0], n = x.value.e[1];
        auto const later = plain::slice(x.value, {0, 1}, {1, 1}, {m, n - 1});
        return term{felt::diff<1>(x.node),
                    subtract(later, plain::slice(x.value, {0, 0}, {1, 1}, {m, n - 1}))};
    }
};
struct stacked {
    static constexpr char const* name = "max<0>(stack<0>(x, w))";
    static auto of(auto& o, auto const& x) {
        auto w = o.tensor({x.value.e[0], x.value.e[1]});
        return term{felt::max<0>(felt::stack<0>(x.node, w.node)), plain::maximum(x.value, w.value)};
    }
};

}  // namespace test::words
