// SPDX-License-Identifier: BSD-3-Clause
//
// Each sum of a tile belongs to one thread.
#include <doctest/doctest.h>
#include <felt/device/tile/mma.hpp>
#include <felt/device/tile/simt.hpp>
#include <set>
#include <utility>

using namespace felt::device;

namespace {

template <class Way>
void covers() {
    std::set<std::pair<int, int>> all;
    for (int thread = 0; thread < Way::threads; ++thread) {
        for (int i = 0; i < Way::own_rows; ++i) {
            for (int j = 0; j < Way::own_columns; ++j) {
                all.emplace(Way::row(thread, i), Way::column(thread, j));
            }
        }
    }
    CHECK(all.size() == static_cast<std::size_t>(Way::rows * Way::columns));
    CHECK(*all.rbegin() == std::pair(Way::rows - 1, Way::columns - 1));
}

}  // namespace

TEST_CASE("threads share a tile") {
    covers<simt<float, 128, 128, 8, 8, 8>>();
    covers<simt<double, 64, 64, 16, 4, 4>>();
    covers<simt<float, 64, 32, 16, 8, 4>>();
    covers<mma<tf32, false, 128, 128, 16, 64, 32, 4>>();
}
