// SPDX-License-Identifier: BSD-3-Clause
//
// Several statements from the sums of one product, in one pass of the tile program.
#include "tests/device/products.hpp"
#include <sstream>

using namespace felt;
using test::matrix;
using test::operands;

namespace {

// The launches of statements, after their values are found to be those of the host's.
template <class There, class Here>
std::size_t launches_of_both(There const& there, Here const& here) {
    auto const values = [](auto& y, auto& z) { return std::pair{to<Host>(y), to<Host>(z)}; };
    Tensor<float, 2> want_y, want_z;
    here(want_y, want_z);
    matrix y(want_y.extents()), z(want_z.extents());
    std::size_t count = 0;
    auto const run_them = [&](auto how) {
        y = 7, z = 7;
        there(y, z, [&](auto const&... s) {
            run(how, s...);
            count = explain(s...).launch.size();
        });
        auto const [found_y, found_z] = values(y, z);
        double const near = std::is_same_v<decltype(how), tf32_t> ? 2e-3 : 1e-5;
        CHECK(all_close(found_y, want_y, near, 30 * near));
        CHECK(all_close(found_z, want_z, near, 30 * near));
    };
    run_them(unfused);
    run_them(tf32);
    run_them(fused);
    return count;
}

}  // namespace

TEST_CASE("a product and what becomes of it, of its sums and of what has just been written") {
    operands const o;
    auto const here = [&](auto& y, auto& z) {
        y = matmul(o.a, o.b) + o.v;
        z = sigmoid(y) * o.c;
    };
    auto const both = [&](matrix& y, matrix& z, auto const& run) {
        auto const p = matmul(o.da, o.db) + o.dv;
        run(assign(y, p), assign(z, sigmoid(p) * o.dc));
    };
    auto const again = [&](matrix& y, matrix& z, auto const& run) {
        run(assign(y, matmul(o.da, o.db) + o.dv), assign(z, sigmoid(y) * o.dc));
    };
    auto const parted = launches_of_both(both, here), chained = launches_of_both(again, here);
    if (!device::has_tiles) return;
    CHECK(parted == 1);
    CHECK(chained == 1);
}

TEST_CASE("slices of one product in two statements, as a recurrent layer has them") {
    operands const o;
    auto const part = [](auto const& z, index_t g) {
        return slice(z, all(), range(g * 5, g * 5 + 5));
    };
    auto const c_of = [&](auto const& z) { return sigmoid(part(z, 1)) * part(z, 0) + part(z, 2); };
    auto const here = [&](auto& c, auto& h) {
        c = c_of(matmul(o.a, o.b));
        h = sigmoid(part(matmul(o.a, o.b), 3)) * tanh(c);
    };
    auto const there = [&](matrix& c, matrix& h, auto const& run) {
        auto const z = matmul(o.da, o.db);
        run(assign(c, c_of(z)), assign(h, sigmoid(part(z, 3)) * tanh(c)));
    };
    auto const launches = launches_of_both(there, here);
    if (device::has_tiles) CHECK(launches == 1);
}

TEST_CASE("other sums, other elements and more than four are other passes") {
    operands const o;
    auto const why = [&](auto const&... s) {
        std::ostringstream text;
        text << explain(s...);
        return text.str();
    };
    auto const has = [](std::string const& all, char const* words) {
        return all.find(words) != std::string::npos;
    };
    matrix y({19, 22}), z({19, 22}), u({22, 22}), square({22, 22});
    auto const other_sums = [&](matrix& to, matrix& next, auto const& run) {
        run(assign(to, matmul(o.da, o.db)), assign(next, matmul(o.da, o.db * 2)));
    };
    auto const two = launches_of_both(other_sums, [&](auto& to, auto& next) {
        to = matmul(o.a, o.b);
        next = matmul(o.a, o.b * 2);
    });
    if (!device::has_tiles) return;
    CHECK(two == 2);
    auto const p = matmul(o.da, o.db);
    CHECK(has(why(assign(y, p), assign(z, transpose(matmul(transpose(o.db), transpose(o.da))))),
              "other sums"));
    CHECK(has(why(assign(y, p), assign(z, p - flip<0>(p))), "other sums"));
    CHECK(has(why(assign(y, p), assign(z, flip<0>(y))), "reads other elements"));
    CHECK(has(why(assign(y, p), assign(z, p), assign(y, p), assign(z, p), assign(y, p)),
              "other sums"));
    CHECK(explain(assign(y, p), assign(z, p), assign(y, p), assign(z, p)).launch.size() == 1);
    CHECK(has(why(assign(u, matmul(square, square)), assign(square, u * 2)),
              "reads at other elements"));
}

TEST_CASE("slices across the batch are taken from memory") {
    Tensor<float, 3> const a = normal<float>({8, 5, 6}, 1), b = normal<float>({8, 6, 7}, 2);
    auto const da = to<Device>(a), db = to<Device>(b);
    auto const f = [](auto const& z) {
        return slice(z, range(0, 2), all(), all()) + slice(z, range(2, 4), all(), all());
    };
    test::same_product(f(matmul(da, db)), [&] { return f(matmul(a, b)); });
}
