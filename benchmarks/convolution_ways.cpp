// SPDX-License-Identifier: BSD-3-Clause
//
// y = conv2d(x, w) + b, four ways: as a product of filters with images where they lie ("products"),
// as a product with windows that are written first ("windows"), by Winograd's algorithm
// ("winograd_2", "winograd_4") and by Fourier transforms ("fft"); and what a plan takes ("felt").
// Images of c channels lie channels last, filters have as many columns. ways.py draws which way is
// the fastest where.
#include "convolutions.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <felt/plan/algorithm_choice.hpp>

namespace {

using namespace bench;
using felt::planning::algorithm_choice;
using felt::planning::choice_scope;
using arrays = conv_arrays<felt::ChannelsLast>;

void convolve(arrays& a) { a.y = felt::conv2d(a.x, a.w, a.of.options()) + a.b; }

bool is_right(arrays const& a) {
    double const scale = std::sqrt(static_cast<double>(a.of.terms()));
    return at_places(a.y, [&](index_t n, index_t o, index_t p, index_t q) {
        return near(a.y(n, o, p, q), a.exact(n, o, p, q), scale);
    });
}

template <class Run>
void enter_way(std::string const& name, std::function<std::shared_ptr<arrays>()> const& made,
               Run const& run) {
    enter(name, [=] {
        auto const a = made();
        a->y = felt::full(a->of.results(), std::numeric_limits<float>::quiet_NaN());
        contestant c;
        c.run = [=] { run(*a); };
        c.of = arithmetic<float>(a->of.flops());
        c.right = [=] { return is_right(*a); };
        return c;
    });
}

// Windows in rows (n, p, q) of terms (r, s, c), which the results' order lets be one product.
void enter_windows(std::string const& name, std::function<std::shared_ptr<arrays>()> const& made) {
    auto const rows = std::make_shared<felt::Tensor<float, 6>>();
    enter_way(name, made, [=](arrays& a) {
        convolution const& s = a.of;
        if (rows->size() == 0 || rows->extent(5) != s.c || rows->extent(0) != s.n)
            *rows = felt::Tensor<float, 6>({s.n, s.p(), s.p(), s.k, s.k, s.c});
        auto const windows =
            felt::windows(a.x, {s.k, s.k}, {.padding = {s.padding, s.padding}});  // n c p q r s
        *rows = felt::permute<0, 2, 3, 4, 5, 1>(windows);
        a.y = felt::einsum<"npqrsc,ocrs->nopq">(*rows, a.w) + a.b;
    });
}

void enter_all(convolution const& s, std::string const& name) {
    auto const made = once<arrays>(s);
    enter_way(name + "felt", made, convolve);
    auto const enter_choice = [&](char const* way, algorithm_choice choice) {
        enter_way(name + way, made, [choice](arrays& a) {
            choice_scope const here(choice);
            convolve(a);
        });
    };
    enter_choice("products", {true});
    enter_windows(name + "windows", made);
    if (s.k == 3) {
        enter_choice("winograd_2", {false, &felt::planning::winograd_2});
        enter_choice("winograd_4", {false, &felt::planning::winograd_4});
    } else {
        enter_choice("fft", {false, &felt::planning::fft_16});
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (index_t n : {1, 16}) {
            for (index_t k : {3, 5, 9}) {
                for (index_t h : {7, 14, 28, 56, 112}) {
                    for (index_t c : {16, 32, 64, 128, 256, 512}) {
                        convolution const s{"", n, c, h, c, k, 1, k / 2};
                        if (s.flops() > 16e9) continue;
                        enter_all(s, "convolution_ways/" + std::to_string(k) + "x" +
                                         std::to_string(k) + "/" + std::to_string(n) + "x" +
                                         std::to_string(c) + "x" + std::to_string(h) + "/");
                    }
                }
            }
        }
    });
}
