// SPDX-License-Identifier: BSD-3-Clause
//
// The convolutions that are compared, of square images and filters, and their arrays in one order
// of memory: 'h' for N H W C (ChannelsLast), 'c' for N C H W (RowMajor).
#pragma once
#include "arrays.hpp"
#include "contest.hpp"
#include <functional>
#include <memory>
#include <string>

namespace bench {

// n images of c channels and h x h to o channels, filters of k x k.
struct convolution {
    char const* name;
    index_t n, c, h, o, k, stride, padding;

    index_t p() const { return (h + 2 * padding - k) / stride + 1; }
    index_t terms() const { return c * k * k; }
    double flops() const {
        return 2. * static_cast<double>(n * o * p() * p()) * static_cast<double>(terms());
    }
    felt::extents<4> images() const { return {{n, c, h, h}}; }
    felt::extents<4> filters() const { return {{o, c, k, k}}; }
    felt::extents<4> results() const { return {{n, o, p(), p()}}; }
    felt::conv_options options() const {
        return {.stride = {stride, stride}, .padding = {padding, padding}};
    }
};

// Windows of pooling after a convolution.
struct pooling {
    index_t window, stride;

    index_t of(index_t h) const { return (h - window) / stride + 1; }
    felt::pool_options options() const {
        return {.window = {window, window}, .stride = {stride, stride}};
    }
};

// Batches are chosen so that a call takes 5 to 60 ms.
inline constexpr convolution convolutions[] = {{"resnet-7x7-64-224", 8, 3, 224, 64, 7, 2, 3},
                                               {"resnet-3x3-64-56", 8, 64, 56, 64, 3, 1, 1},
                                               {"resnet-3x3-128-28", 8, 128, 28, 128, 3, 1, 1},
                                               {"resnet-3x3-256-14", 8, 256, 14, 256, 3, 1, 1},
                                               {"resnet-3x3-512-7", 8, 512, 7, 512, 3, 1, 1},
                                               {"resnet-1x1-256-56", 16, 64, 56, 256, 1, 1, 0},
                                               {"resnet-1x1-256-14", 16, 1024, 14, 256, 1, 1, 0},
                                               {"alexnet-5x5-256-27", 4, 96, 27, 256, 5, 1, 2},
                                               {"alexnet-3x3-384-13", 8, 192, 13, 384, 3, 1, 1},
                                               {"googlenet-5x5-128-7", 16, 48, 7, 128, 5, 1, 2},
                                               {"vgg-3x3-64-224", 1, 64, 224, 64, 3, 1, 1},
                                               {"vgg-3x3-256-56", 1, 256, 56, 256, 3, 1, 1}};

// Images, filters and bias in one layout; results and the derivatives of all, unless `read_only`.
template <class Layout>
struct conv_arrays {
    using tensor = felt::Tensor<float, 4, felt::Host, Layout>;

    convolution of;
    tensor x, w, y, dy, dx, dw;
    felt::Tensor<float, 3> b;

    explicit conv_arrays(convolution const& s, bool read_only = false)
        : of(s), x(s.images()), w(s.filters()), b({s.o, 1, 1}) {
        x = felt::uniform<float>(x.extents(), 1) * 2.f - 1.f;
        w = felt::uniform<float>(w.extents(), 2) * 2.f - 1.f;
        b = felt::uniform<float>(b.extents(), 3) * 2.f - 1.f;
        if (read_only) return;
        dy = felt::uniform<float>(of.results(), 4) * 2.f - 1.f;
        float const none = std::numeric_limits<float>::quiet_NaN();
        y = felt::full(of.results(), none);
        dx = felt::full(of.images(), none);
        dw = felt::full(of.filters(), none);
    }

    // x, 0 around the images.
    double at(index_t n, index_t c, index_t i, index_t j) const {
        bool const inside = i >= 0 && i < of.h && j >= 0 && j < of.h;
        return inside ? static_cast<double>(x(n, c, i, j)) : 0;
    }
    // f(r, s), summed over the elements of a filter.
    template <class F>
    double over_window(F f) const {
        double sum = 0;
        for (index_t r = 0; r < of.k; ++r)
            for (index_t s = 0; s < of.k; ++s) sum += f(r, s);
        return sum;
    }

    double exact(index_t n, index_t o, index_t p, index_t q) const {
        double sum = static_cast<double>(b(o, 0, 0));
        for (index_t c = 0; c < of.c; ++c) {
            sum += over_window([&](index_t r, index_t s) {
                return at(n, c, p * of.stride + r - of.padding, q * of.stride + s - of.padding) *
                       static_cast<double>(w(o, c, r, s));
            });
        }
        return sum;
    }
    double exact_dx(index_t n, index_t c, index_t i, index_t j) const {
        double sum = 0;
        for (index_t o = 0; o < of.o; ++o) {
            sum += over_window([&](index_t r, index_t s) {
                index_t const p = i + of.padding - r, q = j + of.padding - s;
                bool const met = p >= 0 && q >= 0 && p % of.stride == 0 && q % of.stride == 0 &&
                                 p / of.stride < of.p() && q / of.stride < of.p();
                return met ? static_cast<double>(dy(n, o, p / of.stride, q / of.stride)) *
                                 static_cast<double>(w(o, c, r, s))
                           : 0;
            });
        }
        return sum;
    }
    double exact_dw(index_t o, index_t c, index_t r, index_t s) const {
        double sum = 0;
        for (index_t n = 0; n < of.n; ++n)
            for (index_t p = 0; p < of.p(); ++p)
                for (index_t q = 0; q < of.p(); ++q)
                    sum += static_cast<double>(dy(n, o, p, q)) *
                           at(n, c, p * of.stride + r - of.padding, q * of.stride + s - of.padding);
        return sum;
    }
};

// right(n, c, i, j) at 104 places of a tensor.
template <class Y, class F>
bool at_places(Y const& y, F right) {
    auto const e = y.extents();
    return at_samples(e[0] * e[1], e[2] * e[3], [&](index_t a, index_t b) {
        return right(a / e[1], a % e[1], b / e[3], b % e[3]);
    });
}

// One object for all contestants of a case, made when first asked for.
template <class A, class S>
std::function<std::shared_ptr<A>()> once(S const& s) {
    return [s, made = std::make_shared<std::shared_ptr<A>>()] {
        if (!*made) *made = std::make_shared<A>(s);
        return *made;
    };
}

}  // namespace bench
