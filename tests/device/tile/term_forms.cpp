// SPDX-License-Identifier: BSD-3-Clause
//
// Forms: how far they reach, which products and pools they see through, and what each element of a
// pool's window adds to the numbers of what is pooled.
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/term_forms.hpp>

using namespace felt;
using device::forms;
using device::own_loops;

namespace {

// The reduction of a pool over x by windows of so many pixels, each `stride` after the one before.
template <class X>
auto pool_of(X const& x, index_t size, index_t stride, index_t padding = 0) {
    return lower(as_node(max_pool2d(
        x, {.window = {size, size}, .stride = {stride, stride}, .padding = {padding, padding}})));
}

}  // namespace

TEST_CASE("a form's least and largest value, in loops of any extents") {
    index_t const awkward[] = {0, 1, 2, 7};
    for (index_t n : awkward) {
        for (index_t m : awkward) {
            forms<2> const all{{{n, m}}};
            for (index_t by : {-3, 0, 2}) {
                device::steps<2> const f{5, {{by, -1}}};
                index_t least = 1000, most = -1000;
                for (index_t i = 0; i < n; ++i) {
                    for (index_t j = 0; j < m; ++j) {
                        least = std::min(least, 5 + by * i - j),
                        most = std::max(most, 5 + by * i - j);
                    }
                }
                if (n * m > 0) CHECK(all.range(f) == std::pair{least, most});
                for (index_t extent : {4, 5, 6, 17, 18}) {
                    bool const inside = n * m == 0 || (least >= 0 && most < extent);
                    CHECK(all.is_inside(f, extent) == inside);
                }
            }
        }
    }
}

TEST_CASE("numbers are small up to 2^30, both ways") {
    index_t const limit = index_t{1} << 30;
    auto const small = [](index_t begin, index_t by) {
        return forms<1>{{{2}}, {}, {device::steps<1>{begin, {{by}}}}}.are_small();
    };
    CHECK(small(0, limit - 1));
    CHECK_FALSE(small(0, limit));
    CHECK(small(0, 1 - limit));
    CHECK_FALSE(small(0, -limit));
    CHECK_FALSE(small(limit, -5));
    CHECK_FALSE(forms<1>{{{2}}, {}, {}, true, true}.are_small());
}

TEST_CASE("a pool of four is two by two, apart, without a border") {
    Tensor<float, 4, Device> x({2, 3, 8, 6});
    auto const fits = [](auto const& n) { return device::is_pool_of_four(n.x.head); };
    CHECK(fits(pool_of(x, 2, 2)));
    CHECK(fits(pool_of(x, 2, 3)));
    CHECK_FALSE(fits(pool_of(x, 2, 1)));
    CHECK_FALSE(fits(pool_of(x, 3, 3)));
    CHECK_FALSE(fits(pool_of(x, 2, 2, 1)));
}

TEST_CASE("the numbers of what is pooled, moved by each element of the window") {
    Tensor<float, 4, Device> x({2, 3, 8, 6}), w({4, 3, 3, 3});
    auto const y = pool_of(conv2d(x, w), 2, 2);
    auto const m = own_loops<4>();
    auto const at = device::under_pool(y.x.head, m);
    auto const of = [&](index_t n, index_t c, index_t i, index_t j, index_t p, index_t q) {
        index_t const loop[6] = {n, c, i, j, p, q};
        std::array<index_t, 4> where{};
        for (std::size_t a = 0; a < 4; ++a) {
            where[a] = at.offset[a];
            for (std::size_t l = 0; l < 6; ++l) where[a] += at.coef[a][l] * loop[l];
        }
        return where;
    };
    CHECK(of(1, 2, 2, 1, 0, 0) == std::array<index_t, 4>{1, 2, 4, 2});
    CHECK(of(1, 2, 2, 1, 1, 0) == std::array<index_t, 4>{1, 2, 5, 2});
    CHECK(of(0, 0, 0, 0, 0, 1) == std::array<index_t, 4>{0, 0, 0, 1});

    // With what a product's sums are added to: its place in memory, four times.
    Tensor<float, 4, Device> b({2, 4, 6, 4});
    auto const z = pool_of(conv2d(x, w) + b, 2, 2);
    forms<4> all{z.extents()};
    auto const pool = device::term(z, m, all);
    REQUIRE(all.list.size() == 1);
    CHECK(all.list[0].by.value[2] == 2 * 4);
    CHECK(all.list[0].by.value[3] == 2);
    int const moved[] = {0, 1, 4, 5};
    for (int i = 0; i < 4; ++i) CHECK(pool.add[i][0] == moved[i]);
}

TEST_CASE("products behind maps and affine views are seen, behind others not") {
    Tensor<float, 2, Device> a({4, 6}), b({6, 5}), c({4, 5});
    auto const count = []<class E>(E const& e) {
        return device::plain_products<std::remove_cvref_t<decltype(lower(as_node(e)))>>;
    };
    CHECK(count(a) == 0);
    CHECK(count(matmul(a, b)) == 1);
    CHECK(count(transpose(sigmoid(matmul(a, b) + c))) == 1);
    CHECK(count(matmul(a, b) * matmul(a, b)) == 2);
    CHECK(count(sum<1>(matmul(a, b))) == 0);
    CHECK(count(pad(matmul(a, b), {{1, 0}, {0, 0}})) == 0);
}
