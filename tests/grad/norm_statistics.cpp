// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {

struct batch {
    Tensor<double, 4> x{{3, 2, 5, 4}}, y, dz{{3, 2, 5, 4}}, dx{{3, 2, 5, 4}};
    Tensor<double, 1> g{{2}}, b{{2}}, dg{{2}}, db{{2}}, mean{{2}}, variance{{2}};
    int sums = 0;

    batch() {
        x = normal<double>(x.extents(), 1) + 3;
        dz = normal<double>(x.extents(), 2);
        g = normal<double>(g.extents(), 3), b = normal<double>(b.extents(), 4);
        mean = 2.5, variance = 1.0;
    }
    template <class Statistics>
    void step(Statistics const& statistics) {
        auto const v = keep<"y">(y, named<"x">(x) * 2.0);
        auto const z = let<"z">(batch_norm<"n">(v, named<"g">(g), named<"b">(b), statistics));
        auto s = gradient(program(v, z), cotangent<"z">(dz), wrt<"x", "g", "b">());
        s(fused, dx, dg, db);
    }
    running_statistics<double> running() { return {view(mean), view(variance)}; }
};

}  // namespace

TEST_CASE("a part that is one of two alike has the statistics of the whole batch") {
    batch whole, part;
    whole.step(whole.running());
    auto const twice = [&](auto, auto& v) { ++part.sums, v = 2 * v; };
    part.step(shared_statistics{part.running(), 2 * 60, twice});
    CHECK(part.sums == 2);  // forward and backward
    CHECK(all_close(part.dx, whole.dx, 1e-12, 1e-13));
    CHECK(all_close(part.dg, whole.dg, 1e-12, 1e-13));
    CHECK(all_close(part.db, whole.db, 1e-12, 1e-13));
    CHECK(all_close(part.mean, whole.mean, 1e-13, 1e-13));
    // The unbiased variance is of 120 values.
    Tensor<double, 1> const of_60 = (whole.variance - 0.9) * (59.0 / 60);
    CHECK(all_close(part.variance, 0.9 + of_60 * (120.0 / 119), 1e-12, 1e-13));
}

TEST_CASE("what another part adds moves the mean of all, and not the derivatives of this one") {
    batch alone, part;
    alone.step(alone.running());
    // The other part: 60 values, of which each is the running mean.
    auto const add_nothing = [](auto, auto&) {};
    part.step(shared_statistics{part.running(), 2 * 60, add_nothing});
    Tensor<double, 1> const mean_of_part = mean<0, 2, 3>(part.y);
    CHECK(all_close(part.mean, 0.9 * 2.5 + 0.1 * (mean_of_part + 2.5) / 2, 1e-12, 1e-13));
    CHECK(all_close(part.db, alone.db, 1e-12, 1e-13));
}
