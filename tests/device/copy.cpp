// SPDX-License-Identifier: BSD-3-Clause
//
// Copies between spaces, and that there are no others.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("to and copy, of tensors of any layout and of views") {
    Tensor<float, 2> const x = normal<float>({17, 30}, 1);
    Tensor<float, 2, Host, ColMajor> columns;
    columns = x;
    auto const there = to<Device>(columns);
    static_assert(std::is_same_v<decltype(there)::layout, ColMajor>);
    CHECK(all_close(to<Host>(there), x, 0, 0));
    CHECK(
        all_close(to<Host>(slice(there, range(2, 9), all())), slice(x, range(2, 9), all()), 0, 0));
    Tensor<float, 2, Device> y({17, 30});
    copy(y, x);
    CHECK(all_close(to<Host>(y), x, 0, 0));
    copy(y, columns);
    CHECK(all_close(to<Host>(y), x, 0, 0));
    Tensor<float, 2> z({7, 30});
    copy(z, slice(y, range(2, 9), all()));
    CHECK(all_close(z, slice(x, range(2, 9), all()), 0, 0));
    Tensor<float, 2, Device> const fives = full({7, 15}, 5.f);
    copy(slice(z, all(), range(0, 30, 2)), fives);
    CHECK(z(3, 28) == 5);
    CHECK(z(3, 27) == x(5, 27));
    CHECK_THROWS_WITH_AS(copy(y, z), "copy: (7, 30) does not fit (17, 30)", shape_error);
}

// Rows begin at multiples of 16.
struct padded {
    static extents<2> strides(extents<2> const& e) { return {{(e[1] + 15) / 16 * 16, 1}}; }
};

TEST_CASE("a layout's gaps are copied with it, and no memory behind the last element") {
    Tensor<float, 2> const x = normal<float>({17, 30}, 1);
    Tensor<float, 2, Host, padded> gaps;
    gaps = x;
    auto there = to<Device>(gaps);
    CHECK(there.span_size() == 16 * 32 + 30);
    CHECK(all_close(to<Host>(there), x, 0, 0));
    there = there * 2.f;
    copy(gaps, there);
    CHECK(all_close(gaps, 2 * x, 0, 0));
}

TEST_CASE("an expression over memory of the device that was given away is refused" *
          doctest::skip(!FELT_CHECKED)) {
    Tensor<float, 1, Device> x({3}), y({3});
    auto const e = x + 1.f;
    y = e;
    std::swap(x, y);
    CHECK_THROWS_AS(run(fused, assign(y, e)), error);
}

TEST_CASE("within a space: from a view to itself, further on and further back") {
    auto const shifted = []<class Space>(Space, index_t to, index_t from) {
        Tensor<int, 1, Space> x({100});
        x = iota<int>({100});
        copy(slice(x, range(to, to + 90)), slice(x, range(from, from + 90)));
        return Tensor<int, 1>(felt::to<Host>(x));
    };
    for (index_t const by : {3, 10}) {
        auto const up = shifted(Device{}, by, 0), down = shifted(Device{}, 0, by);
        CHECK(all_close(up, shifted(Host{}, by, 0), 0, 0));
        CHECK(all_close(down, shifted(Host{}, 0, by), 0, 0));
        CHECK(up(by) == 0);
        CHECK(up(89) == 89 - by);
        CHECK(down(0) == by);
        CHECK(down(89) == 89 + by);
    }
}

// Whether x(0, 0) compiles.
template <class X>
concept has_elements = requires(X& x) { x(0, 0); };
template <class Y, class X>
concept takes = requires(Y& y, X const& x) { y = x; };

TEST_CASE("elements and other spaces are out of reach") {
    using here = Tensor<float, 2>;
    using there = Tensor<float, 2, Device>;
    static_assert(has_elements<here> && !has_elements<there>);
    static_assert(takes<here, here> && takes<there, there>);
    static_assert(!takes<here, there> && !takes<there, here>);
}
