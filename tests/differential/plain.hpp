// SPDX-License-Identifier: BSD-3-Clause
//
// The plainest tensor there is: doubles in row-major order, and one loop for each kind of
// operation. What Felt computes is compared with it. Beside each value stands a bound of its
// rounding error, in units of the machine epsilon of the type that is tested.
#pragma once
#include <felt/core/extents.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace plain {

using felt::index_t;
using shape = std::vector<index_t>;

inline index_t size(shape const& e) {
    index_t n = 1;
    for (index_t x : e) n *= x;
    return n;
}
inline std::size_t position(shape const& e, shape const& i) {
    index_t p = 0;
    for (std::size_t r = 0; r < e.size(); ++r) p = p * e[r] + i[r];
    return static_cast<std::size_t>(p);
}

// Whether arrays have extents alone, and no values: then nothing is computed.
inline bool shapes_only = false;

// Calls f(index) for every index below e, the last axis fastest.
template <class F>
void each(shape const& e, F&& f) {
    if (size(e) == 0 || shapes_only) return;
    shape i(e.size(), 0);
    for (;;) {
        f(static_cast<shape const&>(i));
        std::size_t r = e.size();
        while (r > 0 && ++i[r - 1] == e[r - 1]) i[--r] = 0;
        if (r == 0) return;
    }
}

struct array {
    shape e;
    std::vector<double> v;
    std::vector<double> error;

    array() = default;
    explicit array(shape extents, double value = 0)
        : e(std::move(extents)),
          v(shapes_only ? 0 : static_cast<std::size_t>(size(e)), value),
          error(v.size(), 0) {}
};

// out[i] = x[from(i)], or `outside` where from(i) is no index of x.
template <class F>
array pick(array const& x, shape const& e, F&& from, double outside = 0) {
    array out(e, outside);
    each(e, [&](shape const& i) {
        shape const s = from(i);
        for (std::size_t r = 0; r < s.size(); ++r) {
            if (s[r] < 0 || s[r] >= x.e[r]) return;
        }
        out.v[position(e, i)] = x.v[position(x.e, s)];
        out.error[position(e, i)] = x.error[position(x.e, s)];
    });
    return out;
}

inline array broadcast(array const& x, shape const& e) {
    return pick(x, e, [&](shape const& i) {
        shape s(x.e.size());
        for (std::size_t r = 0; r < s.size(); ++r) {
            s[r] = x.e[r] == 1 ? 0 : i[i.size() - s.size() + r];
        }
        return s;
    });
}

inline shape joined(shape a, shape b) {
    if (a.size() < b.size()) std::swap(a, b);
    for (std::size_t r = 0; r < b.size(); ++r) {
        index_t& to = a[a.size() - b.size() + r];
        if (to == 1) to = b[r];
    }
    return a;
}

// f(x), whose relative rounding error is `ulps`; slope bounds |df/dx|.
template <class F, class D>
array map(F&& f, array x, D&& slope, double ulps) {
    for (std::size_t i = 0; i < x.v.size(); ++i) {
        double const y = f(x.v[i]), steep = std::fabs(slope(x.v[i]));
        x.error[i] = (steep > 0 ? x.error[i] * steep : 0) + ulps * std::fabs(y);
        x.v[i] = y;
    }
    return x;
}

// The error of x * y, whose own are p and q. An infinite product is certain, unless the other
// factor may as well be 0: then its error is infinite.
inline double error_of_product(double x, double y, double p, double q) {
    auto const may_be_zero = [](double v, double error) { return std::fabs(v) < 1e-6 * error; };
    bool const unknown =
        (std::isinf(x) && may_be_zero(y, q)) || (std::isinf(y) && may_be_zero(x, p));
    if (unknown) return std::numeric_limits<double>::infinity();
    if (!std::isfinite(x * y)) return 0;
    return std::fabs(x) * q + std::fabs(y) * p + p * q * 1e-7;
}
inline double rounding_of(double x) { return std::isfinite(x) ? std::fabs(x) : 0; }

// f(a, b) with broadcasting; error(a, b, error of a, error of b) is carried on.
template <class F, class G>
array map2(F&& f, array const& a, array const& b, G&& error) {
    shape const e = joined(a.e, b.e);
    array x = broadcast(a, e);
    array const y = broadcast(b, e);
    for (std::size_t i = 0; i < x.v.size(); ++i) {
        double const z = f(x.v[i], y.v[i]);
        x.error[i] = error(x.v[i], y.v[i], x.error[i], y.error[i]) + rounding_of(z);
        x.v[i] = z;
    }
    return x;
}
inline array add(array const& a, array const& b) {
    return map2([](double x, double y) { return x + y; }, a, b,
                [](double, double, double p, double q) { return p + q; });
}
inline array multiply(array const& a, array const& b) {
    return map2([](double x, double y) { return x * y; }, a, b, error_of_product);
}
inline double larger(double x, double y) {  // a NaN is the largest
    return std::isnan(x) || y < x ? x : y;
}
inline array maximum(array const& a, array const& b) {
    return map2(larger, a, b, [](double, double, double p, double q) { return std::max(p, q); });
}

// Axis r of the result is axis axes[r] of x.
inline array permute(array const& x, std::vector<int> const& axes) {
    shape e(axes.size());
    for (std::size_t r = 0; r < e.size(); ++r) e[r] = x.e[static_cast<std::size_t>(axes[r])];
    return pick(x, e, [&](shape const& i) {
        shape s(e.size());
        for (std::size_t r = 0; r < e.size(); ++r) s[static_cast<std::size_t>(axes[r])] = i[r];
        return s;
    });
}
inline array transpose(array const& x) {
    std::vector<int> axes;
    for (std::size_t r = x.e.size(); r-- > 0;) axes.push_back(static_cast<int>(r));
    return permute(x, axes);
}

// Every step[r]-th element from first[r] on, e[r] of them; step may be negative.
inline array slice(array const& x, shape const& first, shape const& step, shape const& e) {
    return pick(x, e, [&](shape const& i) {
        shape s(i);
        for (std::size_t r = 0; r < s.size(); ++r) s[r] = first[r] + step[r] * i[r];
        return s;
    });
}
inline array flip(array const& x, std::vector<int> const& axes) {
    shape first(x.e.size(), 0), step(x.e.size(), 1);
    for (int a : axes) {
        first[static_cast<std::size_t>(a)] = x.e[static_cast<std::size_t>(a)] - 1;
        step[static_cast<std::size_t>(a)] = -1;
    }
    return slice(x, first, step, x.e);
}
inline array pad(array const& x, shape const& lo, shape const& hi, double value) {
    shape e(x.e), first(x.e.size());
    for (std::size_t r = 0; r < e.size(); ++r) {
        e[r] += lo[r] + hi[r];
        first[r] = -lo[r];
    }
    return pick(
        x, e,
        [&](shape i) {
            for (std::size_t r = 0; r < i.size(); ++r) i[r] += first[r];
            return i;
        },
        value);
}
inline array reshape(array x, shape const& e) {
    x.e = e;
    return x;
}

// factor[0], factor[1] times the last two axes.
inline array upsample(array const& x, index_t p, index_t q) {
    shape e(x.e);
    std::size_t const n = e.size();
    e[n - 2] *= p;
    e[n - 1] *= q;
    return pick(x, e, [&](shape i) {
        i[n - 2] /= p;
        i[n - 1] /= q;
        return i;
    });
}

struct window {
    index_t k[2], stride[2] = {1, 1}, padding[2] = {0, 0}, dilation[2] = {1, 1};
};
inline array windows(array const& x, window const& w) {
    shape e(x.e);
    std::size_t const n = e.size();
    for (std::size_t i = 0; i < 2; ++i) {
        index_t const span = w.dilation[i] * (w.k[i] - 1) + 1;
        e[n - 2 + i] = (x.e[n - 2 + i] + 2 * w.padding[i] - span) / w.stride[i] + 1;
        e.push_back(w.k[i]);
    }
    return pick(x, e, [&](shape i) {
        for (std::size_t a = 0; a < 2; ++a) {
            index_t& at = i[n - 2 + a];
            at = at * w.stride[a] + i[n + a] * w.dilation[a] - w.padding[a];
        }
        i.resize(n);
        return i;
    });
}

inline array concat(array const& x, array const& y, std::size_t axis) {
    array const front = pad(
        x, shape(x.e.size(), 0),
        [&] {
            shape hi(x.e.size(), 0);
            hi[axis] = y.e[axis];
            return hi;
        }(),
        0);
    array out = front;
    each(y.e, [&](shape const& i) {
        shape to(i);
        to[axis] += x.e[axis];
        out.v[position(out.e, to)] = y.v[position(y.e, i)];
        out.error[position(out.e, to)] = y.error[position(y.e, i)];
    });
    return out;
}
inline array gather(array const& x, std::size_t axis, array const& indices) {
    shape e(x.e);
    e[axis] = indices.e[0];
    return pick(x, e, [&](shape i) {
        i[axis] = static_cast<index_t>(indices.v[static_cast<std::size_t>(i[axis])]);
        return i;
    });
}

}  // namespace plain
