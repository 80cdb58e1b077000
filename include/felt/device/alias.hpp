// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a kernel would read what it, or another thread of it, has written.
#pragma once
#include <felt/device/axes.hpp>
#include <felt/plan/plan.hpp>

namespace felt::device {

// What is written: the destination of a statement.
template <class T, std::size_t R>
struct written {
    T* data;
    extents<R> e, stride;
};

// Whether n, whose axes are at m, reads elements of `to` other than the one that is computed.
template <class T, std::size_t R, class N>
bool reads_elsewhere(written<T, R> const& to, N const& n, axes<N::rank, R> const* m) {
    if constexpr (requires { n.data, n.stride; }) {
        auto const range = [](auto const* data, auto const& e, auto const& stride) {
            return planning::detail::range_of(data, e.value, stride.value, static_cast<int>(e.rank),
                                              static_cast<int>(sizeof(*data)));
        };
        bool const apart = !planning::detail::overlap(range(to.data, to.e, to.stride),
                                                      range(n.data, n.e, n.stride));
        if (apart) return false;
        if (m == nullptr || static_cast<void const*>(n.data) != to.data) return true;
        auto const place = along(*m, n.stride);
        bool same = std::is_same_v<T, typename N::value_type> && place.begin == 0;
        for (std::size_t l = 0; l != R; ++l) {
            same = same && (to.e[l] <= 1 || place.by[l] == to.stride[l]);
        }
        return !same;
    } else {
        bool found = false;
        apply([&](auto const&... x) { ((found = found || operand_reads(to, n, x, m)), ...); },
              n.operands());
        return found;
    }
}

template <class T, std::size_t R, class N, class X>
bool operand_reads(written<T, R> const& to, N const& n, X const& x, axes<N::rank, R> const* m) {
    if constexpr (requires { n.f(); }) {
        if (m == nullptr) return reads_elsewhere<T, R>(to, x, nullptr);
        auto const of = broadcast(*m, x.extents());
        return reads_elsewhere(to, x, &of);
    } else if constexpr (requires { requires N::kind == view_kind::affine; }) {
        if (m == nullptr) return reads_elsewhere<T, R>(to, x, nullptr);
        auto const of = through(n.map, *m);
        return reads_elsewhere(to, x, &of);
    } else {
        return reads_elsewhere<T, R>(to, x, nullptr);  // by indices of its own
    }
}

}  // namespace felt::device
