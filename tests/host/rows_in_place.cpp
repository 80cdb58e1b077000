// SPDX-License-Identifier: BSD-3-Clause
//
// Views whose rows are read where they lie, images with contiguous channels, against the same of
// images with contiguous rows, which are copied.
#include "tests/differential/memory.hpp"
#include <complex>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using namespace felt;

namespace {

template <class T>
using rows = Tensor<T, 4>;
template <class T>
using pixels = Tensor<T, 4, Host, ChannelsLast>;

template <class T, std::size_t R, class S, class O>
void number(Tensor<T, R, S, O>& x) {
    x = cast<T>(remainder(reshape(iota<int>({x.size()}), x.extents()) * 7919, 127) - 60);
}

template <class E>
bool finds_rows(E const& statement) {
    std::ostringstream out;
    out << explain(statement);
    return out.str().find("rows read where they lie") != std::string::npos;
}

// f of images of these extents, whatever their order, fused and unfused.
template <class T, class F>
void check(extents<4> const& e, bool in_place, F&& f) {
    rows<T> a(e);
    number(a);
    pixels<T> b(e);
    b = a;
    using R = value_of<decltype(f(a))>;
    rows<R> const expected = f(a);
    pixels<R> y(expected.extents());
    CHECK(finds_rows(assign(y, f(b))) == in_place);
    run(fused, assign(y, f(b)));
    CHECK(bool(all(y == expected)));
    y = R(77);
    run(unfused, assign(y, f(b)));
    CHECK(bool(all(y == expected)));
}

}  // namespace

TEST_CASE_TEMPLATE("rows of a pad are rows of memory or fill", T, float, double, int, std::int8_t) {
    for (index_t c : {16, 17, 33, 64}) {
        check<T>({2, c, 5, 7}, true, [](auto const& x) {
            return pad(x, {{0, 0}, {0, 0}, {1, 2}, {3, 0}}, T(9)) * T(1);
        });
        check<T>({3, c, 4, 1}, true, [](auto const& x) {
            return pad(x, {{1, 1}, {0, 0}, {0, 0}, {2, 2}}, T(-3)) +
                   pad(x, {{0, 2}, {0, 0}, {0, 0}, {1, 3}}, T(5));
        });
    }
}

TEST_CASE("rows of complex numbers and of conditions") {
    Tensor<std::complex<float>, 3> x({3, 4, 19}), y, z;
    x = complex(normal<float>(x.extents(), 1), normal<float>(x.extents(), 2));
    auto const e = pad(x, {{1, 0}, {0, 2}, {0, 0}}, {2.F, 1.F}) * std::complex<float>(2.F, 0.F);
    y = e;
    CHECK(finds_rows(assign(y, e)));
    run(unfused, assign(z, e));
    CHECK(bool(all(y == z)));
    Tensor<bool, 3> b({3, 4, 19}), c, d;
    b = normal<float>(b.extents(), 3) > 0.F;
    auto const q = !pad(b, {{1, 0}, {0, 2}, {0, 0}}, true);
    c = q;
    run(unfused, assign(d, q));
    CHECK(bool(all(c == d)));
}

TEST_CASE("pools with padding, and what goes back through them") {
    test::dice d(5);
    for (int k = 0; k < 60; ++k) {
        index_t const n = d.between(1, 3), c = d.between(16, 40);
        index_t const h = d.between(3, 11), w = d.between(3, 11);
        pool_options o;
        for (int a : {0, 1}) {
            o.window[a] = d.between(1, 3), o.stride[a] = d.between(1, 3);
            o.padding[a] = d.between(0, o.window[a].value / 2);
        }
        CAPTURE(to_string(extents<4>{{n, c, h, w}}));
        for (auto const* v : {o.window, o.stride, o.padding}) INFO(v[0].value << " " << v[1].value);
        rows<float> x({n, c, h, w});
        number(x);
        pixels<float> xp(x.extents());
        xp = x;
        rows<float> const y = max_pool2d(x, o), dy = y * 2.F;
        pixels<float> yp(y.extents()), dyp(y.extents()), dxp(x.extents()), mean(y.extents());
        dyp = dy;
        yp = max_pool2d(xp, o);
        CHECK(bool(all(yp == y)));
        rows<index_t> const at = argmax_pool2d(x, o);
        pixels<int> atp(y.extents());
        atp = cast<int>(argmax_pool2d(xp, o));
        CHECK(bool(all(cast<index_t>(atp) == at)));
        rows<float> dx(x.extents());
        for (index_t i = 0; i < n; ++i) {
            for (index_t j = 0; j < c; ++j) {
                for (index_t p = 0; p < y.extent(2) * y.extent(3); ++p) {
                    index_t const from = at(i, j, p / y.extent(3), p % y.extent(3));
                    dx(i, j, from / w, from % w) += dy(i, j, p / y.extent(3), p % y.extent(3));
                }
            }
        }
        dxp = max_pool2d_grad(dyp, atp, x.extents(), o);
        CHECK(bool(all(dxp == dx)));
        rows<float> const meant = avg_pool2d(x, o), back = avg_pool2d_grad(dy, x.extents(), o);
        mean = avg_pool2d(xp, o);
        CHECK(all_close(mean, meant, 1e-6, 1e-6));
        dxp = avg_pool2d_grad(dyp, x.extents(), o);
        CHECK(all_close(dxp, back, 1e-6, 1e-6));
    }
}

TEST_CASE("upsampled, between whose elements there may be others, and flipped around") {
    check<float>({2, 24, 3, 5}, true, [](auto const& x) { return upsample(x, {3, 2}) + 1.F; });
    check<float>({2, 24, 6, 5}, true, [](auto const& x) {
        auto const w = windows(x, {2, 2}, {.stride = {3, 3}, .padding = {1, 1}});
        return sum<4, 5>(w);
    });
    check<float>({2, 24, 6, 5}, true, [](auto const& x) {
        return slice(pad(x, {{0, 0}, {0, 0}, {2, 1}, {1, 1}}, 4.F), all(), all(), range(8, -1, -2),
                     range(0, 7, 3)) *
               2.F;
    });
    check<float>({2, 24, 6, 5}, true, [](auto const& x) {
        return pad(slice(x, all(), range(2, 20), range(1, 6, 2), all()),
                   {{0, 0}, {0, 0}, {2, 1}, {1, 1}}, 4.F) *
               2.F;
    });
}

TEST_CASE("what does not lie so is copied") {
    // a channel is put around; short rows; pieces; a computed source
    check<float>({2, 24, 3, 5}, false,
                 [](auto const& x) { return pad(x, {{0, 0}, {1, 0}, {0, 0}, {1, 1}}, 1.F) * 2.F; });
    check<float>({2, 15, 3, 5}, false,
                 [](auto const& x) { return pad(x, {{0, 0}, {0, 0}, {0, 0}, {1, 1}}, 1.F) * 2.F; });
    check<float>({2, 24, 3, 5}, false, [](auto const& x) {
        return pad(x, {{0, 0}, {0, 0}, {0, 0}, {1, 1}}, pad_mode::edge) * 2.F;
    });
    check<float>({2, 24, 3, 5}, false, [](auto const& x) {
        return pad(x * x, {{0, 0}, {0, 0}, {0, 0}, {1, 1}}, 1.F) * 2.F;
    });
}

TEST_CASE("written to every second element of a destination") {
    pixels<float> x({2, 24, 9, 10}), y({2, 48, 12, 12});
    number(x);
    auto const e = pad(x, {{0, 0}, {0, 0}, {2, 1}, {1, 1}}, 4.F);
    felt::View<float, 4, Host> const half(y.data(), {{2, 24, 12, 12}},
                                          {{48 * 144, 2, 48 * 12, 48}});
    rows<float> a(x.extents());
    a = x;
    rows<float> const z = pad(a, {{0, 0}, {0, 0}, {2, 1}, {1, 1}}, 4.F);
    CHECK(finds_rows(assign(half, e)));
    run(fused, assign(half, e));
    CHECK(bool(all(half == z)));
    Tensor<float, 3> const s = sum<0>(e), t = sum<0>(z);
    CHECK(bool(all(s == t)));
}

TEST_CASE("a statement that writes what it reads does not read rows where they lie") {
    pixels<float> x({1, 16, 6, 6}), y(x.extents()), known(x.extents());
    number(x);
    auto const shifted = [](auto const& v) {
        return slice(pad(v, {{0, 0}, {0, 0}, {1, 0}, {1, 0}}, 0.F), all(), all(), range(0, 6),
                     range(0, 6));
    };
    known = x + shifted(x);
    y = x;
    CHECK(!finds_rows(assign(y, y + shifted(y))));
    y = y + shifted(y);
    CHECK(bool(all(y == known)));
}
