// SPDX-License-Identifier: BSD-3-Clause
//
// A term's numbers, taken from its forms, give the values of the expression.
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/term_forms.hpp>

using namespace felt;
using device::own_loops;

namespace {

template <class E>
void check_term(E const& e, int numbers) {
    auto const n = lower(as_node(e));
    constexpr std::size_t R = rank_of<E>;
    device::forms<R> all{n.extents()};
    auto const t = device::term(n, own_loops<R>(), all);
    CHECK(static_cast<int>(all.list.size()) == numbers);
    REQUIRE(all.list.size() == t.numbers);
    REQUIRE(all.fits);
    auto const x = device::reader(n, own_loops<R>());
    for (index_t i = 0; i < n.extents().size(); ++i) {
        auto const at = device::loops<R>(n.extents())(static_cast<int>(i));
        int values[t.numbers == 0 ? 1 : t.numbers] = {};
        for (std::size_t f = 0; f < all.list.size(); ++f) {
            values[f] = static_cast<int>(all.list[f](at));
        }
        CHECK(t.template value<0>(values, device::no_sum{}) == x(at));
    }
}

}  // namespace

TEST_CASE("leaves, maps, views and what is read by its indices") {
    Tensor<float, 2, Device> x({5, 6});
    Tensor<float, 1, Device> v({6});
    x = normal<float>({5, 6}, 1), v = normal<float>({6}, 2);
    check_term(x, 1);
    check_term(transpose(sigmoid(x) + v) * 2, 2);
    check_term(flip<0>(x) - slice(x * x, range(0, 5), range(0, 6)), 3);
    check_term(pad(x + 1, {{1, 2}, {2, 0}}), 3);
    check_term(windows(reshape(x, {1, 1, 5, 6}), {2, 3}, {{2, 1}, {1, 1}}), 3);
    check_term(
        pad(reshape(x, {1, 1, 1, 5, 3, 2}), {{0, 0}, {0, 0}, {0, 0}, {1, 2}, {2, 0}, {1, 1}}), 4);
    check_term(reshape(x + 1, {3, 10}), 2);
    check_term(concat<0>(x, x * 2), 2);
}

TEST_CASE("a window over more than two axes has no forms, but of volumes") {
    Tensor<float, 3, Device> x({2, 3, 4});
    auto const n = lower(as_node(pad(x, {{1, 1}, {1, 1}, {1, 1}})));
    device::forms<3> all{n.extents()};
    (void)device::term(n, own_loops<3>(), all);
    CHECK_FALSE(all.fits);
}
