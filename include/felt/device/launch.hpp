// SPDX-License-Identifier: BSD-3-Clause
//
// One call of Thrust: f(0), f(1), ... f(n - 1) on this thread's stream, in no order.
#pragma once
#include <felt/core/errors.hpp>
#include <felt/device/stream.hpp>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/system_error.h>

namespace felt::inline FELT_ABI::device {

// Counted in I. `operation` is what a failure is called.
template <class I = index_t, class F>
void launch(index_t n, F const& f, char const* operation) {
    if (n == 0) return;
    note(operation);
    try {
        thrust::for_each_n(policy(stream_of_this_thread()), thrust::counting_iterator<I>(0),
                           static_cast<I>(n), f);
    } catch (thrust::system_error const& e) {
        throw device_error(std::string(operation) + ": " + e.what());
    }
}

}  // namespace felt::inline FELT_ABI::device
