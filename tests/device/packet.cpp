// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/device/packet.hpp>
#include <cstdint>

using namespace felt::device;

TEST_CASE_TEMPLATE("four neighbours move at once, and no other", T, std::int8_t, std::int16_t,
                   float, double, std::int64_t) {
    static_assert(packet_size == 4);
    static_assert(sizeof(packet<T>) == 4 * sizeof(T) && alignof(packet<T>) == 4 * sizeof(T));
    alignas(packet<T>) T from[20], to[20];
    for (int i = 0; i < 20; ++i) from[i] = static_cast<T>(i + 1);
    for (int source = 0; source < 20; source += 4)
        for (int target = 0; target < 20; target += 4) {
            for (T& x : to) x = T(0);
            auto const p = load_packet(from + source);
            store_packet(to + target, p);
            for (int i = 0; i < 20; ++i) {
                bool const moved = i >= target && i < target + 4;
                CHECK(to[i] == (moved ? static_cast<T>(source + i - target + 1) : T(0)));
            }
        }
}
