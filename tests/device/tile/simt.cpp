// SPDX-License-Identifier: BSD-3-Clause
//
// Each sum of a tile belongs to one thread. Lanes that read fragments do not wait for each other.
#include "tests/device/tile/banks.hpp"
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

namespace {

// Numbers of a tensor core that take down where they are read.
template <class Atom>
struct read_by_a_thread {
    static constexpr int depth = Atom::depth, per_word = Atom::per_word;
    static std::vector<float const*>& all() {
        static std::vector<float const*> taken;
        return taken;
    }
    static std::uint32_t word(float const* from, int pitch) {
        all().push_back(from);
        if (per_word == 2) all().push_back(from + 4 * pitch);
        return 0;
    }
};
struct multiplies_nothing {
    template <class Atom, int M, int N>
    void mma(float (&)[M][N][4], std::uint32_t const (&)[M][4], std::uint32_t const (&)[N][2]) {}
};

// The most that a bank is asked for at once by a warp that multiplies, rows apart by the padding of
// the tile or by another one.
template <class Atom, int BM, int BN, int WM, int WN>
int conflicts(int padding = mma<Atom, false, BM, BN, 16, WM, WN, 4>::padding) {
    using atom = read_by_a_thread<Atom>;
    using way = mma<atom, false, BM, BN, 16, WM, WN, 4>;
    std::vector<float> a(16 * (BM + 8)), b(16 * (BN + 8));
    std::vector<std::vector<float const*>> threads;
    typename way::sums c{};
    multiplies_nothing block;
    for (int thread = 0; thread < 32; ++thread) {
        atom::all().clear();
        way::multiply(block, thread, a.data(), BM + padding, b.data(), BN + padding, c);
        threads.push_back(atom::all());
    }
    int most = 0;
    for (std::size_t i = 0; i < threads[0].size(); ++i) {
        std::vector<float const*> at_once;
        for (auto const& thread : threads) at_once.push_back(thread[i]);
        most = std::max(most, test::most_in_a_bank(at_once, 1));
    }
    return most;
}

}  // namespace

TEST_CASE("the lanes of a warp read fragments from different banks, by the padding of rows") {
    CHECK(conflicts<tf32, 128, 128, 64, 32>() == 1);
    CHECK(conflicts<tf32, 64, 64, 32, 32>() == 1);
    CHECK(conflicts<bf16, 128, 128, 64, 32>() == 1);
    CHECK(conflicts<bf16, 64, 64, 32, 32>() == 1);
    CHECK(conflicts<tf32, 128, 128, 64, 32>(0) == 4);
    CHECK(conflicts<bf16, 128, 128, 64, 32>(4) == 2);
}
