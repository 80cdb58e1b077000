// SPDX-License-Identifier: BSD-3-Clause
//
// How many threads run a pass. One, unless FELT_NUM_THREADS or threads(n) says more and OpenMP
// is compiled in. Work is cut by extents alone, so results do not depend on the number.
#pragma once
#include <felt/core/config.hpp>
#include <cstdlib>
#include <exception>
#include <mutex>

namespace felt::inline FELT_ABI {

namespace detail {
inline int& thread_count() {
    static int count = [] {
        char const* const text = std::getenv("FELT_NUM_THREADS");
        int const n = text == nullptr ? 1 : std::atoi(text);
        return n > 0 ? n : 1;
    }();
    return count;
}
}  // namespace detail

// The number of threads from now on; threads() tells it.
inline void threads(int n) { detail::thread_count() = n > 0 ? n : 1; }
[[nodiscard]] inline int threads() { return detail::thread_count(); }

namespace host {

// Calls f(i) for i < tasks, on several threads if there are. The first exception is thrown on.
template <class F>
void parallel(long tasks, F&& f) {
    int const count = threads();
    if (count <= 1 || tasks <= 1) {
        for (long i = 0; i < tasks; ++i) f(i);
        return;
    }
    std::exception_ptr failure;
    std::mutex guard;
    FELT_PRAGMA_PARALLEL_FOR(count)
    for (long i = 0; i < tasks; ++i) {
        try {
            f(i);
        } catch (...) {
            std::lock_guard<std::mutex> const lock(guard);
            if (!failure) failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace host
}  // namespace felt::inline FELT_ABI
