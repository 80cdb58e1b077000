// SPDX-License-Identifier: BSD-3-Clause
//
// Copies between spaces are counted by direction, and no others.
#include "tests/device/same.hpp"

using namespace felt;

namespace {

// What f copies.
template <class F>
transfer_counts counted(F&& f) {
    auto const a = transfers();
    f();
    auto const b = transfers();
    auto const between = [](transfer_count const& x, transfer_count const& y) {
        return transfer_count{y.copies - x.copies, y.bytes - x.bytes, y.seconds - x.seconds};
    };
    return {between(a.to_device, b.to_device), between(a.from_device, b.from_device)};
}

}  // namespace

TEST_CASE("what goes over and what comes back, in copies and in bytes") {
    Tensor<float, 2> const x = normal<float>({300, 100}, 1);
    Tensor<float, 2, Device> y;
    auto const over = counted([&] { y = to<Device>(x), copy(y, x); });
    CHECK(over.to_device.copies == 2);
    CHECK(over.to_device.bytes == 2 * 300 * 100 * 4);
    CHECK(over.to_device.seconds > 0);
    CHECK(over.from_device.copies == 0);
    Tensor<float, 2> z;
    auto const back = counted([&] { z = to<Host>(slice(y, range(0, 3), all())); });
    CHECK(back.to_device.copies == 0);
    CHECK(back.from_device.copies == 1);
    CHECK(back.from_device.bytes == 3 * 100 * 4);
    CHECK(back.from_device.seconds > 0);
    CHECK(z(2, 99) == x(2, 99));
}

TEST_CASE("a full reduction brings one number back; statements and copies there bring none") {
    Tensor<double, 1, Device> const x = uniform<double>({1000}, 1);
    double total = 0;
    auto const number = counted([&] { total = sum(x); });
    CHECK(total > 0);
    CHECK(number.from_device.copies == 1);
    CHECK(number.from_device.bytes == 8);
    Tensor<double, 1, Device> y({1000});
    auto const none = counted([&] {
        y = sqrt(x) + 1;
        y = to<Device>(x);
        copy(y, x);
        auto const empty = to<Device>(Tensor<double, 1>({0}));
    });
    CHECK(none.to_device.copies == 0);
    CHECK(none.from_device.copies == 0);
}
