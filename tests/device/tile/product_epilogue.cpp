// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/product_epilogue.hpp>

using namespace felt::device;

namespace {

struct sums {
    double value;
};
// A number of its own and what the sums are.
struct number_and_sums {
    using value_type = double;
    static constexpr int numbers = 1;

    template <int At, int F>
    double value(int const (&n)[F], sums const& c) const {
        return n[At] + c.value;
    }
};

}  // namespace

TEST_CASE("a result is where its number says, of what its own numbers and the sums give") {
    float y[4] = {};
    result_term<float, number_and_sums> const one{y, {}};
    static_assert(decltype(one)::numbers == 2);
    one.store<0>({2, 10}, sums{0.5});
    CHECK(y[2] == 10.5F);
    one.store<1>({9, 3, 20}, sums{0.25});
    CHECK(y[3] == 20.25F);
    CHECK(y[0] + y[1] == 0);
}

TEST_CASE("several results have numbers one after the other, and types of their own") {
    float y[2] = {};
    int z[2] = {}, last[2] = {};
    using whole = result_term<int, number_and_sums>;
    both_results<result_term<float, number_and_sums>, both_results<whole, whole>> const all{
        {y, {}}, {{z, {}}, {last, {}}}};
    static_assert(decltype(all)::numbers == 6);
    all.store<0>({1, 5, 0, 7, 1, 9}, sums{0.5});
    CHECK(y[1] == 5.5F);
    CHECK(z[0] == 7);
    CHECK(last[1] == 9);
    CHECK(y[0] == 0);
    CHECK(z[1] + last[0] == 0);
}

TEST_CASE("targets are stored in their order, each by its strides") {
    using leaf = felt::leaf<float, 2, felt::Device>;
    using target = tile_target<float, 2, leaf>;
    float x[6] = {}, y[6] = {}, z[60] = {};
    felt::extents<2> const e{{2, 3}};
    leaf const n{x, e, {{3, 1}}};
    forms<2> all{e, {}};
    felt::tuple<target, target> const to{{y, e, {{3, 1}}, n}, {{z, e, {{30, 10}}, n}}};
    auto const results = stored(to, all);
    CHECK(results.a.data == y);
    CHECK(results.b.data == z);
    REQUIRE(all.list.size() == 4);  // and what each reads
    CHECK(all.list[0].by == felt::extents<2>{{3, 1}});
    CHECK(all.list[2].by == felt::extents<2>{{30, 10}});
}
