// SPDX-License-Identifier: BSD-3-Clause
//
// What becomes of the sums of a tile: the values of one or several statements, stored.
#pragma once
#include <felt/device/tile/term_forms.hpp>

namespace felt::device {

template <class T>
struct whole_sum {
    T sum;
};

template <class T, class X>
struct result_term {
    using value_type = T;
    static constexpr int numbers = 1 + X::numbers;
    T* data;
    X x;

    template <int At, int F, class S>
    FELT_HOST_DEVICE void store(int const (&n)[F], S sum) const {
        data[n[At]] = static_cast<T>(x.template value<At + 1>(n, whole_sum<S>{sum}));
    }
};

template <class A, class B>
struct both_results {
    using value_type = typename A::value_type;
    static constexpr int numbers = A::numbers + B::numbers;
    A a;
    B b;

    template <int At, int F, class S>
    FELT_HOST_DEVICE void store(int const (&n)[F], S sum) const {
        a.template store<At>(n, sum);
        b.template store<At + A::numbers>(n, sum);
    }
};

// y holds expression n, whose product's sums are known.
template <class T, std::size_t R, class N>
auto result(T* y, extents<R> const& stride, N const& n, forms<R>& to) {
    to.list.push_back({0, stride});
    auto const x = term(n, broadcast(own_loops<R>(), n.extents()), to);
    return result_term<T, std::remove_const_t<decltype(x)>>{y, x};
}

}  // namespace felt::device
