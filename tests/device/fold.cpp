// SPDX-License-Identifier: BSD-3-Clause
//
// Items of reductions, in whatever order they meet.
#include "tests/device/same.hpp"
#include <cmath>

using namespace felt;

TEST_CASE("positions: the first of the best, NaN before all, in any order") {
    using F = device::folding<monoid::argmax, index_t, float>;
    float const nan = std::nanf("");
    auto const at = [](auto const&... x) {
        auto all = F::identity();
        ((all = F{}(all, x)), ...);
        return index_t(all);
    };
    F::item const a = F::of(1, 0), b = F::of(3, 1), c = F::of(3, 2), d = F::of(nan, 3),
                  e = F::of(nan, 4);
    CHECK(at() == -1);
    CHECK(at(a) == 0);
    CHECK(at(a, b, c) == 1);
    CHECK(at(c, b, a) == 1);
    CHECK(at(d, c, e, a) == 3);
    CHECK(at(e, F::identity(), d) == 3);
}

TEST_CASE("terms by result and number, and by one number of them all") {
    using F = device::folding<monoid::sum, float, float>;
    Tensor<float, 2, Device> const x = cast<float>(iota({6, 20}));
    // rows are over loops (2, 3), terms over (4, 5)
    auto const m = device::steps<4>{0, {{60, 20, 5, 1}}};
    device::leaf_reader<float, 4> const leaf{x.data(), m.by};
    extents<2> const kept{{2, 3}}, summed{{4, 5}};
    using terms = device::terms<F, device::count_t, 2, 4, decltype(leaf)>;
    terms const by_two{device::loops<2>(kept), device::loops<2>(summed), leaf};
    device::counted_terms<terms> const by_one{device::divisor<>(20), false, by_two};
    for (int i = 0; i < 120; ++i) {
        CHECK(by_two(i / 20, i % 20) == float(i));
        CHECK(by_one(i) == float(i));
    }
}

TEST_CASE("terms row by row are those that are found one by one, wherever a part begins and ends") {
    using F = device::folding<monoid::argmax, index_t, float>;
    Tensor<float, 2, Device> const x = cast<float>(iota({6, 24}));
    // results are over loop (6), terms over (4, 3, 2)
    device::leaf_reader<float, 4> const leaf{x.data(), {{24, 6, 2, 1}}};
    using terms = device::terms<F, index_t, 1, 4, decltype(leaf)>;
    terms const all{device::loops<1, index_t>(extents<1>{{6}}),
                    device::loops<3, index_t>(extents<3>{{4, 3, 2}}), leaf};
    for (index_t begin = 0; begin < 24; ++begin) {
        for (index_t end = begin + 1; end <= 24; ++end) {
            index_t i = begin;
            while (i < end) {
                index_t const next = all.each_of_row(5, i, end, [&](F::item const& term) {
                    CHECK(term.value == all(5, i).value);
                    CHECK(term.at == i++);
                });
                CHECK(next == i);
            }
            CHECK(i == end);
        }
    }
}
