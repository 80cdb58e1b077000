// SPDX-License-Identifier: BSD-3-Clause
//
// Included before all else, it hands every statement of a test on Host to Device, over the same
// memory: what the test expects, it expects of the device. These overloads are found wherever a
// statement is run, and are preferred for the constraint that they have in addition. The host's run
// is not even compiled.
#pragma once
#include "tests/support/systems.hpp"
#include <felt/device.hpp>
#include <atomic>

namespace test {

inline std::atomic<long> statements_by_device = 0;

template <class How, class... S>
void run_by_device(How how, S const&... s) {
    statements_by_device += sizeof...(S);
    felt::run(how, felt::in_space<felt::Device>(s)...);
}

// Complex numbers are computed on the host.
template <class... E>
concept taken_by_device = sizeof...(E) > 0 &&
                          (!felt::device::computes_complex<felt::lowered<E>>() && ...);

}  // namespace test

namespace felt::inline FELT_ABI {

template <class... T, std::size_t... R, class... Sp, class... E>
    requires statements_are_on_the_host<Sp...> && test::taken_by_device<E...>
void run(fused_t how, statement<T, R, Sp, E> const&... s) {
    test::run_by_device(how, s...);
}
template <class... T, std::size_t... R, class... Sp, class... E>
    requires statements_are_on_the_host<Sp...> && test::taken_by_device<E...>
void run(unfused_t how, statement<T, R, Sp, E> const&... s) {
    test::run_by_device(how, s...);
}

}  // namespace felt::inline FELT_ABI
