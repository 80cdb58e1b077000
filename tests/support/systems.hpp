// SPDX-License-Identifier: BSD-3-Clause
//
// Included before felt/device.hpp: which of Thrust's systems Device asks is known when the program
// runs, so that one program tests both. FELT_TEST_SYSTEM=omp is OpenMP, else plain C++.
#pragma once
#include <felt/device/config.hpp>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <thrust/for_each.h>
#include <thrust/system/cpp/execution_policy.h>
#include <thrust/transform.h>
#if defined(_OPENMP)
#include <thrust/system/omp/execution_policy.h>
#endif

namespace test {

inline bool by_openmp() {
    static bool const chosen = [] {
        char const* const name = std::getenv("FELT_TEST_SYSTEM");
        return name != nullptr && std::string_view(name) == "omp";
    }();
    return chosen;
}

inline std::atomic<long> launches_by_cpp = 0, launches_by_openmp = 0;

// Thrust calls these where it meets the policy.
struct either_system : thrust::device_execution_policy<either_system> {};

template <class F>
auto with_system(F const& f) {
#if defined(_OPENMP)
    if (by_openmp()) {
        ++launches_by_openmp;
        return f(thrust::omp::par);
    }
#endif
    ++launches_by_cpp;
    return f(thrust::cpp::par);
}
template <class I, class N, class F>
I for_each_n(either_system, I first, N n, F const& f) {
    return with_system([&](auto par) { return thrust::for_each_n(par, first, n, f); });
}
template <class I, class O, class F>
O transform(either_system, I first, I last, O to, F const& f) {
    return with_system([&](auto par) { return thrust::transform(par, first, last, to, f); });
}

}  // namespace test

namespace felt::inline FELT_ABI::device {

// Preferred to the library's, which is a template.
inline test::either_system policy(stream_handle) { return {}; }

}  // namespace felt::inline FELT_ABI::device
