// SPDX-License-Identifier: BSD-3-Clause
//
// Sums in fours: the windows of a pool after a convolution, the gates of a recurrent layer.
#include "tests/device/tile/emulated.hpp"
#include <felt/device/tile/mma.hpp>

using namespace felt;
using test::check_tiles;

namespace {

template <class Way, class Layout>
void pools(index_t height, index_t width, double relative) {
    Tensor<float, 4, Device, Layout> x({3, 4, height, width}), w({5, 4, 3, 3});
    x = normal<float>(x.extents(), 1), w = normal<float>(w.extents(), 2);
    Tensor<float, 3, Device> b({5, 1, 1});
    b = normal<float>({5, 1, 1}, 3);
    double const absolute = 30 * relative;
    check_tiles<Way>(max_pool2d(relu(conv2d(x, w) + b)), relative, absolute);
    check_tiles<Way>(avg_pool2d(sigmoid(conv2d(x, w, {{1, 1}, {1, 1}}) + b)) * 2, relative,
                     absolute);
}

}  // namespace

namespace {

// A step of an LSTM whose gates are never written: c and h in one pass over x w.
template <class Way>
void gates(bool columns, double relative) {
    index_t const n = 19, hidden = 33, inputs = 21;
    Tensor<float, 2, Device> x({n, inputs}), w({inputs, 4 * hidden}), c({n, hidden}),
        h({n, hidden});
    x = normal<float>(x.extents(), 1), w = normal<float>(w.extents(), 2) / 5;
    c = normal<float>(c.extents(), 3);
    Tensor<float, 2, Device, ColMajor> xt({inputs, n});
    xt = transpose(x);
    auto const c_before = eval(c * 1);
    Tensor<float, 1, Device> b({4 * hidden});
    b = normal<float>(b.extents(), 4);
    auto const run_gates = [&](auto const& z, auto const& y) {
        auto const part = [&](index_t g) {
            return slice(z, all(), range(g * hidden, (g + 1) * hidden));
        };
        y(assign(c, sigmoid(part(2)) * c_before + sigmoid(part(0)) * tanh(part(1))),
          assign(h, sigmoid(part(3)) *
                        tanh(sigmoid(part(2)) * c_before + sigmoid(part(0)) * tanh(part(1)))));
    };
    auto const both = [&](auto const& y) {
        if (columns) run_gates(matmul(x, w) + b, y);
        else run_gates(transpose(matmul(transpose(w), xt)) + b, y);
    };
    both([](auto const&... s) { run(fused, s...); });
    auto const want_c = to<Host>(c), want_h = to<Host>(h);
    c = 7, h = 7;
    both([&](auto const& first, auto const& second) {
        auto const s = lower(first);
        auto const t = lower(second);
        std::vector<device::axes<2, 2>> where;
        auto const own = device::own_loops<2>();
        for (auto each : {0, 1}) {
            auto const note = [&](auto const&, auto const& m) { where.push_back(m); };
            if (each == 0) device::for_each_product(s.expression, own, note);
            else device::for_each_product(t.expression, own, note);
        }
        bool done = false;
        device::for_each_product(s.expression, own, [&]<class P>(P const& p, auto const& m) {
            if (std::exchange(done, true)) return;
            auto const slots = device::slots_of(where, p.extents());
            REQUIRE(slots.step == hidden);
            device::tile_product<P, 2, 1> const four{
                &p, device::with_members(m, slots), {{4}}, slots};
            auto const targets = felt::make_tuple(test::target_of(s).head, test::target_of(t).head);
            using rows = device::rows_in_fours<Way::row_run>;
            using sides = device::columns_in_fours<Way::column_run>;
            test::emulated<Way, test::block> const there{1};
            CHECK(device::multiply<sides>(there, targets, four) == columns);
            if (!columns) CHECK(device::multiply<rows>(there, targets, four));
        });
    });
    CHECK(all_close(to<Host>(c), want_c, relative, 20 * relative));
    CHECK(all_close(to<Host>(h), want_h, relative, 20 * relative));
}

}  // namespace

TEST_CASE("gates are members of a group, on either side") {
    for (bool columns : {true, false}) {
        CAPTURE(columns);
        gates<test::small_way>(columns, 1e-5);
        gates<device::simt<float, 64, 128, 16, 4, 16>>(columns, 1e-5);
        gates<device::mma<device::tf32, true, 64, 64, 16, 32, 32, 3>>(columns, 1e-5);
    }
}

TEST_CASE("convolution, bias, activation and pool are one pass") {
    for (index_t height : {4, 10}) {
        for (index_t width : {5, 16}) {
            pools<test::small_way, RowMajor>(height, width, 1e-5);
            pools<test::small_way, ChannelsLast>(height, width, 1e-5);
            using way = device::mma<device::tf32, false, 64, 64, 16, 32, 32, 3>;
            pools<way, ChannelsLast>(height, width, 1e-3);
        }
    }
}
