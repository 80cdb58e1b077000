// SPDX-License-Identifier: BSD-3-Clause
//
// The study's three ways to write a convolution, the gradient of its filters and its upsampling:
// one matrix at a time, flattened to two dimensions, one expression; over arrays in row-major
// ("C") and column-major ("Fortran") order. 256 images of 28 x 28, 20 filters of 9 x 9; upsampling
// of (256, 20, 10, 10) by 2. The convolutions are bound by multiply-adds if anything, the first
// way by 5120 statements of 20 x 20 results, the second by 33 MB of windows; upsampling by memory.
#include "program.hpp"
#include "roofs.hpp"
#include "arrays.hpp"
#include <support/study.hpp>
#include <memory>

namespace {

using namespace bench;

constexpr index_t images = 256, filters = 20, side = 28, window = 9, out = side - window + 1;
constexpr index_t factor = 2, pooled = out / factor;

template <class Layout>
struct arrays {
    template <std::size_t R>
    using tensor = felt::Tensor<float, R, felt::Host, Layout>;

    tensor<3> a{{images, side, side}}, w{{filters, window, window}}, g{{filters, window, window}};
    tensor<4> y{{images, filters, out, out}}, d{{images, filters, out, out}};
    tensor<4> small{{images, filters, pooled, pooled}}, large{{images, filters, out, out}};
    study::flat_arrays<float> convolution, gradient, upsampling;

    arrays() {
        a = felt::uniform<float>(a.extents(), 1) * 2.f - 1.f;
        w = felt::uniform<float>(w.extents(), 2) * 2.f - 1.f;
        d = felt::uniform<float>(d.extents(), 3) * 2.f - 1.f;
        small = felt::uniform<float>(small.extents(), 4) * 2.f - 1.f;
    }

    bool right_y() const {
        return at_samples(images * filters, out * out, [&](index_t i, index_t j) {
            index_t const n = i / filters, f = i % filters, p = j / out, q = j % out;
            double sum = 0;
            for (index_t k = 0; k < window * window; ++k) {
                sum += static_cast<double>(a(n, p + k / window, q + k % window)) *
                       static_cast<double>(w(f, k / window, k % window));
            }
            return near(y(n, f, p, q), sum, window);
        });
    }
    bool right_g() const {
        return at_samples(filters, window * window, [&](index_t f, index_t k) {
            index_t const r = k / window, s = k % window;
            double sum = 0;
            for (index_t i = 0; i < images * out * out; ++i) {
                index_t const n = i / (out * out), p = i / out % out, q = i % out;
                sum += static_cast<double>(a(n, p + r, q + s)) * static_cast<double>(d(n, f, p, q));
            }
            return near(g(f, r, s), sum, std::sqrt(static_cast<double>(images * out * out)));
        });
    }
    bool right_large() const {
        return at_samples(images * filters, out * out, [&](index_t i, index_t j) {
            index_t const n = i / filters, f = i % filters, p = j / out, q = j % out;
            auto const from = static_cast<double>(small(n, f, p / factor, q / factor));
            return near(large(n, f, p, q), from / (factor * factor), 0);
        });
    }
};

template <class Layout>
arrays<Layout>& shared() {
    static arrays<Layout> instance;
    return instance;
}

template <class Layout>
void enter_layout(std::string const& order) {
    using all = arrays<Layout>;
    roof const products = arithmetic<float>(2. * images * filters * out * out * window * window);
    auto const add = [](std::string const& name, auto run, bool (all::*right)() const, roof of) {
        enter(name, [=] {
            contestant c;
            c.run = [=] { run(shared<Layout>()); };
            c.right = [=] { return (shared<Layout>().*right)(); };
            c.of = of;
            return c;
        });
    };
    std::string const convolve = "study/convolve/" + order + "/";
    std::string const gradient = "study/gradient/" + order + "/";
    std::string const up = "study/upsample/" + order + "/";
    add(
        convolve + "slices", [](all& x) { study::convolve_by_slices(x.a, x.w, x.y); },
        &all::right_y, products);
    add(
        convolve + "flattened",
        [](all& x) { study::convolve_flattened(x.a, x.w, x.y, x.convolution); }, &all::right_y,
        products);
    add(
        convolve + "felt", [](all& x) { study::convolve_whole(x.a, x.w, x.y); }, &all::right_y,
        products);
    add(
        gradient + "slices", [](all& x) { study::gradient_by_slices(x.a, x.d, x.g); },
        &all::right_g, products);
    add(
        gradient + "flattened",
        [](all& x) { study::gradient_flattened(x.a, x.d, x.g, x.gradient); }, &all::right_g,
        products);
    add(
        gradient + "felt", [](all& x) { study::gradient_whole(x.a, x.d, x.g); }, &all::right_g,
        products);
    add(up + "slices", [](all& x) { study::upsample_by_slices(x.small, factor, x.large); },
        &all::right_large, {});
    add(up + "flattened",
        [](all& x) { study::upsample_flattened(x.small, factor, x.large, x.upsampling); },
        &all::right_large, {});
    add(up + "felt", [](all& x) { study::upsample_whole(x.small, factor, x.large); },
        &all::right_large, {});
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_layout<felt::RowMajor>("row-major");
        enter_layout<felt::ColMajor>("column-major");
    });
}
