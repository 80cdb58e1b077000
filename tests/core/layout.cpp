// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/layout.hpp>
#include <set>

using felt::extents;
using felt::index_t;

namespace {

// Whether the elements of e lie at 0 .. size-1, each at a place of its own.
template <class Layout>
bool packs(extents<4> const& e) {
    auto const s = Layout::strides(e);
    std::set<index_t> places;
    for (index_t i = 0; i < e[0]; ++i) {
        for (index_t j = 0; j < e[1]; ++j) {
            for (index_t k = 0; k < e[2]; ++k) {
                for (index_t l = 0; l < e[3]; ++l) {
                    places.insert(i * s[0] + j * s[1] + k * s[2] + l * s[3]);
                }
            }
        }
    }
    return static_cast<index_t>(places.size()) == e.size() && *places.begin() == 0 &&
           *places.rbegin() == e.size() - 1;
}

}  // namespace

TEST_CASE("row-major tensors are contiguous along the last axis, column-major along the first") {
    extents<3> const e{{2, 3, 5}};
    CHECK(felt::RowMajor::strides(e) == extents<3>{{15, 5, 1}});
    CHECK(felt::ColMajor::strides(e) == extents<3>{{1, 2, 6}});
}

TEST_CASE("channels-last stores N, C, H, W in the order N, H, W, C") {
    CHECK(felt::ChannelsLast::strides({{2, 3, 5, 7}}) == extents<4>{{105, 1, 21, 3}});
}

TEST_CASE_TEMPLATE("a layout gives every element one place and leaves no gap", Layout,
                   felt::RowMajor, felt::ColMajor, felt::ChannelsLast) {
    CHECK(packs<Layout>({{2, 3, 5, 7}}));
    CHECK(packs<Layout>({{1, 4, 1, 3}}));
    CHECK(packs<Layout>({{1, 1, 1, 1}}));
}

TEST_CASE("a scalar has no strides") {
    CHECK(felt::RowMajor::strides(extents<0>{}) == extents<0>{});
    CHECK(felt::ColMajor::strides(extents<0>{}) == extents<0>{});
}

namespace {

// Rows begin at multiples of 8.
struct padded {
    static extents<2> strides(extents<2> const& e) { return {{(e[1] + 7) / 8 * 8, 1}}; }
    static index_t required_span_size(extents<2> const& e) { return e[0] * strides(e)[0]; }
};
struct padded_without_span {
    static extents<2> strides(extents<2> const& e) { return padded::strides(e); }
};
struct too_short : padded {
    static index_t required_span_size(extents<2> const& e) { return e.size(); }
};
struct backwards {
    static extents<2> strides(extents<2> const& e) { return {{-e[1], 1}}; }
};

}  // namespace

TEST_CASE("a tensor takes the memory that its layout says, or up to its last element") {
    extents<2> const e{{3, 5}};
    CHECK(felt::span_size<felt::RowMajor>(e) == 15);
    CHECK(felt::span_size<felt::ColMajor>(e) == 15);
    CHECK(felt::span_size<felt::ChannelsLast>(extents<4>{{2, 3, 4, 5}}) == 120);
    CHECK(felt::span_size<padded>(e) == 24);
    CHECK(felt::span_size<padded_without_span>(e) == 21);
    CHECK(felt::span_size<padded_without_span>(extents<2>{{3, 0}}) == 0);
    CHECK(felt::span_size<felt::RowMajor>(extents<0>{}) == 1);
}

TEST_CASE("a layout that leads out of its memory is refused") {
    CHECK_THROWS_WITH_AS(
        felt::span_size<too_short>(extents<2>{{3, 5}}),
        "layout: strides (8, 1) of (3, 5) lead out of the 15 elements of its memory",
        felt::shape_error);
    CHECK_THROWS_AS(felt::span_size<backwards>(extents<2>{{3, 5}}), felt::shape_error);
    CHECK(felt::span_size<too_short>(extents<2>{{3, 8}}) == 24);
}
