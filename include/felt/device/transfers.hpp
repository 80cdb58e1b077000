// SPDX-License-Identifier: BSD-3-Clause
//
// How much has been copied between the host and the device, and how long that took.
#pragma once
#include <felt/core/config.hpp>
#include <atomic>
#include <chrono>

namespace felt::inline FELT_ABI {

struct transfer_count {
    index_t copies = 0, bytes = 0;
    double seconds = 0;
};
struct transfer_counts {
    transfer_count to_device, from_device;
};

namespace device {

struct transfer_counter {
    std::atomic<index_t> copies{0}, bytes{0}, nanoseconds{0};

    transfer_count now() const {
        return {copies.load(), bytes.load(), 1e-9 * static_cast<double>(nanoseconds.load())};
    }
};
struct transfer_counters {
    transfer_counter to_device, from_device;
};
inline transfer_counters& counted_transfers() {
    static transfer_counters instance;
    return instance;
}

// Counts what f does as one copy.
template <class F>
void count_transfer(transfer_counter& c, index_t bytes, F&& f) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    auto const spent = std::chrono::steady_clock::now() - begin;
    c.copies.fetch_add(1, std::memory_order_relaxed);
    c.bytes.fetch_add(bytes, std::memory_order_relaxed);
    c.nanoseconds.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count(),
                            std::memory_order_relaxed);
}

}  // namespace device

// A snapshot, as allocations() is: of all to<Space>(x) and copy(y, x) from one space to the other
// since the program began, and of the numbers that full reductions brought back. What they waited
// for is not in it.
inline transfer_counts transfers() {
    auto const& c = device::counted_transfers();
    return {c.to_device.now(), c.from_device.now()};
}

}  // namespace felt::inline FELT_ABI
