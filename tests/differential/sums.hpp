// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions and products of plain arrays.
#pragma once
#include "tests/differential/plain.hpp"
#include <map>

namespace plain {

// Axes of the mask disappear: f(result so far, element, its error) is called in row-major order.
template <class F>
array fold(array const& x, unsigned mask, double start, F&& f) {
    shape e;
    for (std::size_t r = 0; r < x.e.size(); ++r) {
        if ((mask >> r & 1U) == 0) e.push_back(x.e[r]);
    }
    array out(e, start);
    each(x.e, [&](shape const& i) {
        shape to;
        for (std::size_t r = 0; r < i.size(); ++r) {
            if ((mask >> r & 1U) == 0) to.push_back(i[r]);
        }
        std::size_t const o = position(e, to), s = position(x.e, i);
        f(out.v[o], out.error[o], x.v[s], x.error[s]);
    });
    return out;
}

// Rounding of a sum grows with its length where it is added in one chain of at most 4096.
inline double chain(shape const& e, unsigned mask) {
    index_t n = 1;
    for (std::size_t r = 0; r < e.size(); ++r) n *= (mask >> r & 1U) != 0 ? e[r] : 1;
    return static_cast<double>(std::min<index_t>(n, 4096));
}

inline array sum(array const& x, unsigned mask) {
    double const terms = chain(x.e, mask);
    return fold(x, mask, 0, [&](double& to, double& error, double v, double p) {
        to += v;
        error += p + terms * std::fabs(v);
    });
}
inline array max(array const& x, unsigned mask) {
    return fold(x, mask, -INFINITY, [](double& to, double& error, double v, double p) {
        to = larger(to, v);
        error = std::max(error, p);
    });
}

// Reduced axes come back with extent 1.
inline array keep_dims(array x, shape const& from, unsigned mask) {
    x.e = from;
    for (std::size_t r = 0; r < x.e.size(); ++r) {
        if ((mask >> r & 1U) != 0) x.e[r] = 1;
    }
    return x;
}

namespace detail {

// Where each index of the labels given lies in an operand.
inline std::vector<std::size_t> places(std::string const& labels, std::map<char, index_t>& extent,
                                       std::string const& of, shape const& e) {
    shape counts;
    for (char c : labels) counts.push_back(extent[c]);
    std::vector<std::size_t> out;
    each(counts, [&](shape const& i) {
        index_t p = 0, step = 1;
        for (std::size_t r = of.size(); r-- > 0; step *= e[r]) {
            std::size_t const l = labels.find(of[r]);
            if (l != std::string::npos && e[r] != 1) p += i[l] * step;
        }
        out.push_back(static_cast<std::size_t>(p));
    });
    return out;
}

}  // namespace detail

// einsum("ik", "kj", "ij", a, b): the sum of products over all labels that out does not name.
inline array einsum(std::string const& la, std::string const& lb, std::string const& out,
                    array const& a, array const& b) {
    std::map<char, index_t> extent;
    auto meet = [&](std::string const& l, shape const& e) {
        for (std::size_t r = 0; r < l.size(); ++r) {
            if (extent.count(l[r]) == 0 || extent[l[r]] == 1) extent[l[r]] = e[r];
        }
    };
    meet(la, a.e);
    meet(lb, b.e);
    std::string shared;
    shape e;
    for (auto const& [c, n] : extent) {
        if (out.find(c) == std::string::npos) shared += c;
    }
    for (char c : out) e.push_back(extent[c]);
    auto const ao = detail::places(out, extent, la, a.e), bo = detail::places(out, extent, lb, b.e);
    auto const as = detail::places(shared, extent, la, a.e);
    auto const bs = detail::places(shared, extent, lb, b.e);
    double const terms = static_cast<double>(as.size());
    array y(e);
    for (std::size_t i = 0; i < y.v.size(); ++i) {
        double total = 0, error = 0;
        for (std::size_t k = 0; k < as.size(); ++k) {
            std::size_t const p = ao[i] + as[k], q = bo[i] + bs[k];
            total += a.v[p] * b.v[q];
            error += error_of_product(a.v[p], b.v[q], a.error[p], b.error[q]) +
                     terms * rounding_of(a.v[p] * b.v[q]);
        }
        y.v[i] = total;
        y.error[i] = error;
    }
    return y;
}
inline array matmul(array const& a, array const& b) { return einsum("ik", "kj", "ij", a, b); }

}  // namespace plain
