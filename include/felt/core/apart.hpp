// SPDX-License-Identifier: BSD-3-Clause
//
// apart<f>::call(x...) is f(x...). A program that declares it `extern template` compiles neither
// f nor what only f calls.
#pragma once
#include <felt/core/version.hpp>

namespace felt::inline FELT_ABI {

template <auto F>
struct apart;

template <class R, class... A, R (*F)(A...)>
struct apart<F> {
    static R call(A... a);
};

template <class R, class... A, R (*F)(A...)>
R apart<F>::call(A... a) {
    return F(static_cast<A>(a)...);
}

}  // namespace felt::inline FELT_ABI
