// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions by Winograd's algorithm against plain loops in double precision.
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/host/parallel.hpp>
#include <limits>
#include <sstream>

using namespace felt;

namespace {

using pictures = Tensor<float, 4, Host, ChannelsLast>;

template <class S>
bool is_transformed(S const& s) {
    std::ostringstream out;
    out << explain(s);
    return out.str().find("of transformed filters]") != std::string::npos;
}

pictures drawn(index_t n, index_t c, index_t h, index_t w, unsigned seed) {
    pictures x({n, c, h, w});
    x = normal<float>(x.extents(), seed);
    return x;
}

// sum over channels and taps, from element (i, j) of the pictures on.
template <class X, class W>
double plain(X const& x, W const& w, index_t n, index_t o, index_t i, index_t j) {
    double sum = 0;
    for (index_t c = 0; c < x.extent(1); ++c) {
        for (index_t r = 0; r < w.extent(2); ++r) {
            for (index_t s = 0; s < w.extent(3); ++s) {
                index_t const y = i + r, z = j + s;
                bool const inside = y >= 0 && y < x.extent(2) && z >= 0 && z < x.extent(3);
                if (inside) sum += double(x(n, c, y, z)) * double(w(o, c, r, s));
            }
        }
    }
    return sum;
}

// The largest error of conv2d(x, w, padding) in y, where results are about the root of 9 c.
template <class Y, class X, class W>
double worst_of(Y const& y, X const& x, W const& w, index_t pad) {
    double most = 0;
    for (index_t n = 0; n < y.extent(0); ++n) {
        for (index_t o = 0; o < y.extent(1); ++o) {
            for (index_t p = 0; p < y.extent(2); ++p) {
                for (index_t q = 0; q < y.extent(3); ++q) {
                    double const d = y(n, o, p, q) - plain(x, w, n, o, p - pad, q - pad);
                    most = std::isnan(d) ? d : std::max(most, std::abs(d));
                }
            }
        }
    }
    return most;
}

template <class D>
float off_by(D const& difference) {
    return sum(abs(difference));
}

constexpr conv_options same{.padding = {1, 1}};
double const most = 3e-4;

}  // namespace

TEST_CASE("convolutions by filters of 3 x 3 to 9 x 9, padded and not, of any extents") {
    struct {
        index_t n, c, o, h, w, pad, rows = 3, across = 3;
    } const cases[] = {
        {1, 64, 64, 24, 24, 1},       {3, 33, 47, 17, 19, 1},       {16, 64, 37, 7, 7, 1},
        {2, 40, 65, 13, 23, 0},       {1, 96, 70, 15, 31, 2},       {9, 64, 48, 13, 7, 1},
        {3, 33, 47, 27, 14, 2, 5, 5}, {1, 48, 64, 31, 37, 0, 7, 4}, {2, 16, 17, 40, 24, 4, 9, 9}};
    for (auto const& t : cases) {
        auto const x = drawn(t.n, t.c, t.h, t.w, 1), w = drawn(t.o, t.c, t.rows, t.across, 2);
        conv_options const options{.padding = {t.pad, t.pad}};
        pictures y({t.n, t.o, t.h + 2 * t.pad + 1 - t.rows, t.w + 2 * t.pad + 1 - t.across});
        CAPTURE(t.c);
        CAPTURE(t.w);
        CHECK(is_transformed(assign(y, conv2d(x, w, options))));
        y = conv2d(x, w, options);
        CHECK(worst_of(y, x, w, t.pad) < most);
        // A product's sums are rounded otherwise; what is not finite is asked of a product.
        pictures product(y.extents());
        run(exact, assign(product, conv2d(x, w, options)));
        double const of_product = mean(y == product);
        CHECK(of_product < 0.3);
    }
}

TEST_CASE("an epilogue, filters in another order, and a destination that is a slice") {
    auto const x = drawn(4, 64, 14, 14, 3);
    auto const w = drawn(48, 64, 3, 3, 4);
    Tensor<float, 4> const other = w;  // of which channels are not contiguous
    Tensor<float, 1> b({48});
    b = iota<float>({48}) * 0.1F;
    pictures y({4, 48, 14, 14}), z({4, 48, 14, 14}), frame({4, 100, 16, 20});
    y = conv2d(x, w, same);
    auto const biased = [&](auto const& filters) {
        return relu(conv2d(x, filters, same) + reshape(b, {1, 48, 1, 1}));
    };
    CHECK(is_transformed(assign(z, biased(other))));
    z = biased(other);
    frame = full<float>(frame.extents(), 7);
    auto part = slice(frame, all(), range(3, 51), range(1, 15), range(5, 19));
    part = biased(w);
    double off = 0;
    for (index_t n = 0; n < 4; ++n) {
        for (index_t o = 0; o < 48; ++o) {
            for (index_t p = 0; p < 14; ++p) {
                for (index_t q = 0; q < 14; ++q) {
                    float const want = std::max(y(n, o, p, q) + b(o), 0.F);
                    off += std::abs(z(n, o, p, q) - want);
                    off += std::abs(frame(n, o + 3, p + 1, q + 5) - want);
                }
            }
        }
    }
    CHECK(off == 0);
    float const left = sum((frame == 7.F) * 1.F);
    CHECK(left == float(4 * 100 * 16 * 20 - 4 * 48 * 14 * 14));
}

TEST_CASE("the derivative by the pictures is one too, with filters turned round") {
    auto const dy = drawn(4, 40, 18, 18, 5);
    std::pair<index_t, index_t> const cases[] = {{3, 0}, {3, 1}, {5, 2}, {6, 0}};
    for (auto [taps, pad] : cases) {
        auto const w = drawn(40, 64, taps, taps, 6);
        conv_options const options{.padding = {pad, pad}};
        pictures dx({4, 64, 17 + taps - 2 * pad, 17 + taps - 2 * pad});
        CHECK(is_transformed(assign(dx, conv2d_input_grad(dy, w, dx.extents(), options))));
        dx = conv2d_input_grad(dy, w, dx.extents(), options);
        double worst = 0;
        for (index_t c : {0, 1, 30, 63}) {
            for (index_t i = 0; i < dx.extent(2); ++i) {
                for (index_t j = 0; j < dx.extent(3); ++j) {
                    double want = 0;
                    for (index_t o = 0; o < 40; ++o) {
                        for (index_t r = 0; r < taps; ++r) {
                            for (index_t s = 0; s < taps; ++s) {
                                index_t const p = i + pad - r, q = j + pad - s;
                                if (p < 0 || p >= 18 || q < 0 || q >= 18) continue;
                                want += double(dy(2, o, p, q)) * double(w(o, c, r, s));
                            }
                        }
                    }
                    worst = std::max(worst, std::abs(dx(2, c, i, j) - want));
                }
            }
        }
        CHECK(worst < most);
    }
}

TEST_CASE("whatever reads the convolution, in whatever boxes, finds the same bits") {
    for (index_t taps : {3, 5}) {
        conv_options const centred{.padding = {taps / 2, taps / 2}};
        auto const x = drawn(6, 64, 30, 30, 7), w = drawn(64, 64, taps, taps, 8);
        pictures y({6, 64, 30, 30}), pooled({6, 64, 10, 10}), want({6, 64, 10, 10});
        y = conv2d(x, w, centred);
        auto const pools = [&](auto const& of) { return max_pool2d(of, {.window = {3, 3}}); };
        CHECK(is_transformed(assign(pooled, pools(relu(conv2d(x, w, centred))))));
        pooled = pools(relu(conv2d(x, w, centred)));
        want = pools(relu(y));
        CHECK(off_by(pooled - want) == 0.F);

        auto shifted = slice(want, all(), all(), range(0, 9), range(0, 7));
        auto const part = slice(conv2d(x, w, centred), all(), all(), range(2, 11), range(5, 12));
        shifted = part;
        CHECK(off_by(shifted - slice(y, all(), all(), range(2, 11), range(5, 12))) == 0.F);

        pictures of_columns({6, 20, 30, 30});
        of_columns = slice(conv2d(x, w, centred), all(), range(30, 50), ellipsis);
        CHECK(off_by(of_columns - slice(y, all(), range(30, 50), ellipsis)) == 0.F);
    }
}

TEST_CASE("two threads find the same bits as one") {
    for (index_t side : {14, 50}) {
        auto const x = drawn(side == 50 ? 1 : 8, 64, side, side, 9), w = drawn(96, 64, 3, 3, 10);
        pictures one({x.extent(0), 96, side, side}), two({x.extent(0), 96, side, side});
        int const before = threads();
        threads(1);
        one = relu(conv2d(x, w, same));
        threads(2);
        two = relu(conv2d(x, w, same));
        threads(before);
        CHECK(off_by(one - two) == 0.F);
    }
}

TEST_CASE("what is not finite stays where it belongs") {
    float const infinity = std::numeric_limits<float>::infinity();
    auto x = drawn(2, 64, 16, 16, 11);
    auto w = drawn(32, 64, 3, 3, 12);
    pictures y({2, 32, 16, 16}), want({2, 32, 16, 16});
    auto const agrees = [&] {
        CHECK(is_transformed(assign(y, conv2d(x, w, same))));
        y = conv2d(x, w, same);
        run(exact, assign(want, conv2d(x, w, same)));
        bool same_kind = true;
        for (index_t i = 0; i < y.size(); ++i) {
            float const a = y.data()[i], b = want.data()[i];
            same_kind = same_kind && (std::isnan(a) == std::isnan(b)) &&
                        (std::isinf(a) ? a == b : std::isinf(b) == false) &&
                        (!std::isfinite(a) || std::abs(a - b) < 1e-3F * (1 + std::abs(b)));
        }
        return same_kind;
    };
    x(1, 5, 3, 4) = infinity;
    CHECK(agrees());
    x(0, 63, 0, 15) = std::nanf("");
    CHECK(agrees());
    x = drawn(2, 64, 16, 16, 11);
    w(31, 2, 1, 1) = -infinity;
    CHECK(agrees());
    w = drawn(32, 64, 3, 3, 12);
    x(0, 0, 8, 8) = 3e38F;  // of which sums with others' multiples are infinite
    w(7, 0, 0, 0) = 1e-3F;
    y = conv2d(x, w, same);
    CHECK(std::isfinite(y(0, 7, 9, 9)));
    CHECK(std::isfinite(y(0, 7, 15, 15)));
}

TEST_CASE("filters in any order are there again where results are not finite") {
    auto x = drawn(2, 64, 16, 16, 11);
    x(1, 5, 3, 4) = std::numeric_limits<float>::infinity();
    auto const w = drawn(32, 64, 3, 3, 12);
    Tensor<float, 4> const other = w;
    pictures y({2, 32, 16, 16}), want({2, 32, 16, 16});
    auto const agrees = [&](auto const& filters) {
        y = conv2d(x, filters, same);
        run(exact, assign(want, conv2d(x, filters, same)));
        float const off = max(abs(where(isfinite(want), y - want, 0)));
        return off < 1e-3F && bool(all(isfinite(y) == isfinite(want)));
    };
    CHECK(is_transformed(assign(y, conv2d(x, other, same))));
    CHECK(agrees(other));
    CHECK(agrees(permute<0, 1, 3, 2>(w)));
    CHECK(agrees(w - mean<1>(w, keepdims)));
}

TEST_CASE("exact statements, doubles, strides and filters of 11 x 11 are products") {
    auto const x = drawn(4, 64, 16, 16, 13), w = drawn(64, 64, 3, 3, 14);
    pictures y({4, 64, 16, 16});
    CHECK(is_transformed(assign(y, conv2d(x, w, same))));
    {
        exact_scope const here;
        CHECK_FALSE(is_transformed(assign(y, conv2d(x, w, same))));
    }
    std::ostringstream out;
    out << explain(exact, assign(y, conv2d(x, w, same)));
    CHECK(out.str().find("transformed") == std::string::npos);
    CHECK(is_transformed(assign(y, conv2d(x, w, same))));
    run(exact, assign(y, conv2d(x, w, same)));
    CHECK(worst_of(y, x, w, 1) < 1.5e-4);

    pictures halves({4, 64, 8, 8});
    CHECK_FALSE(
        is_transformed(assign(halves, conv2d(x, w, {.stride = {2, 2}, .padding = {1, 1}}))));
    auto const wide = drawn(64, 64, 11, 11, 15);
    CHECK_FALSE(is_transformed(assign(y, conv2d(x, wide, {.padding = {5, 5}}))));
    Tensor<double, 4, Host, ChannelsLast> a({4, 64, 16, 16}), b({64, 64, 3, 3}), c({4, 64, 16, 16});
    CHECK_FALSE(is_transformed(assign(c, conv2d(a, b, same))));
}

TEST_CASE("filters that the same statements write are those of before or after, as written") {
    auto const x = drawn(4, 64, 16, 16, 16);
    auto w = drawn(64, 64, 3, 3, 17);
    pictures y({4, 64, 16, 16}), want({4, 64, 16, 16}), twice({64, 64, 3, 3});
    twice = 2 * w;
    want = conv2d(x, twice, same);
    run(fused, assign(w, 2 * w), assign(y, conv2d(x, w, same)));
    float const off = max(abs(y - want));
    CHECK(off < 1e-3F);
}

TEST_CASE("a plan counts the filters that are transformed") {
    auto const x = drawn(16, 64, 28, 28, 18), w = drawn(64, 64, 3, 3, 19);
    pictures y({16, 64, 28, 28});
    index_t const with = explain(assign(y, conv2d(x, w, same))).bytes();
    index_t const without = explain(exact, assign(y, conv2d(x, w, same))).bytes();
    CHECK(with == without + 2 * 36 * 64 * 64 * 4);
}
