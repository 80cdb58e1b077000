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
