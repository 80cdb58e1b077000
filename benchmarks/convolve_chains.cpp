// SPDX-License-Identifier: BSD-3-Clause
//
// What stands around a convolution, as one expression:
//
//   mean_sigmoid  meanpool(sigmoid(conv(x, w) + b)): the layer of the study, 20 filters of 9 x 9
//                 on one channel. 81 multiply-adds for each sigmoid and each of the 1600 bytes an
//                 image's intermediate has, four times what is left after the pool.
//   max_relu      maxpool(relu(conv(x, w) + b)): VGG's conv1_2, AlexNet's conv1. Multiply-adds.
//   conv_conv     conv(relu(conv(x, w)), v), 64 channels at 56 x 56: the halo of an inner block is
//                 computed again, or kept.
//
// Contestants: Felt fused and unfused; oneDNN's convolution with its post-op followed by its
// pooling, in the best of N C H W, N H W C and its own order; "two", the nested convolutions as
// two statements with the tensor between them in memory.
#include "peers/onednn_convolution.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <functional>

namespace {

using namespace bench;
using onednn::order;

struct chain {
    convolution of;
    pooling by;
};
constexpr chain mean_sigmoid[] = {{{"mnist-9x9-20-28-256", 256, 1, 28, 20, 9, 1, 0}, {2, 2}},
                                  {{"mnist-9x9-20-28-4096", 4096, 1, 28, 20, 9, 1, 0}, {2, 2}}};
constexpr chain max_relu[] = {{{"vgg-3x3-64-224", 1, 64, 224, 64, 3, 1, 1}, {2, 2}},
                              {{"alexnet-11x11-64-224", 8, 3, 224, 64, 11, 4, 2}, {3, 2}},
                              {{"alexnet-11x11-96-227", 8, 3, 227, 96, 11, 4, 0}, {3, 2}}};

double logistic(double v) { return 1 / (1 + std::exp(-v)); }

struct of_study {
    static constexpr char const* name = "mean_sigmoid";
    static constexpr auto act = onednn::after::logistic;
    static constexpr auto kind = onednn::pool::mean;

    template <class A>
    static auto expression(A& a, pooling const& by) {
        return avg_pool2d(sigmoid(felt::conv2d(a.x, a.w, a.of.options()) + a.b), by.options());
    }
    template <class F>
    static double exact(index_t n, F value) {
        double sum = 0;
        for (index_t k = 0; k < n; ++k) sum += logistic(value(k));
        return sum / static_cast<double>(n);
    }
};
struct of_networks {
    static constexpr char const* name = "max_relu";
    static constexpr auto act = onednn::after::relu;
    static constexpr auto kind = onednn::pool::max;

    template <class A>
    static auto expression(A& a, pooling const& by) {
        return max_pool2d(relu(felt::conv2d(a.x, a.w, a.of.options()) + a.b), by.options());
    }
    template <class F>
    static double exact(index_t n, F value) {
        double most = 0;
        for (index_t k = 0; k < n; ++k) most = std::max(most, value(k));
        return most;
    }
};

// The arrays of a convolution of which only x, w, b are read, and the pooled results.
template <class Layout>
struct chain_arrays {
    using tensor = felt::Tensor<float, 4, felt::Host, Layout>;
    conv_arrays<Layout> conv;
    pooling by;
    tensor y;

    explicit chain_arrays(chain const& c)
        : conv(c.of, true), by(c.by), y({c.of.n, c.of.o, c.by.of(c.of.p()), c.by.of(c.of.p())}) {}

    template <class Chain>
    bool right() const {
        double const scale = std::sqrt(static_cast<double>(conv.of.terms()));
        return at_places(y, [&](index_t n, index_t o, index_t p, index_t q) {
            return near(y(n, o, p, q),
                        Chain::exact(by.window * by.window,
                                     [&](index_t k) {
                                         return conv.exact(n, o, p * by.stride + k / by.window,
                                                           q * by.stride + k % by.window);
                                     }),
                        scale);
        });
    }
};

template <class Chain, class Layout, class How>
void enter_ours(std::string const& name, auto const& arrays, How how) {
    enter(name, [=] {
        auto const a = arrays();
        contestant c;
        c.run = [=] { felt::run(how, felt::assign(a->y, Chain::expression(a->conv, a->by))); };
        c.of = arithmetic<float>(a->conv.of.flops());
        c.right = [=] { return a->template right<Chain>(); };
        return c;
    });
}

template <class Chain, class Layout>
void enter_chain(chain const& s, order lies) {
    auto const arrays = once<chain_arrays<Layout>>(s);
    std::string const name =
        std::string(Chain::name) + "/" + s.of.name + (lies == order::nhwc ? "/nhwc/" : "/nchw/");
    enter_ours<Chain, Layout>(name + "felt", arrays, felt::fused);
    enter_ours<Chain, Layout>(name + "unfused", arrays, felt::unfused);
    enter(name + "onednn", [=] {
        auto const a = arrays();
        auto const peer = onednn::best_pooled(
            {s.of, lies, a->conv.x.data(), a->conv.w.data(), a->conv.b.data(), a->y.data()},
            Chain::act, Chain::kind, s.by);
        contestant c;
        c.run = peer.run;
        c.of = arithmetic<float>(s.of.flops());
        c.label = peer.layout;
        c.right = [=] {
            peer.finish();
            return a->template right<Chain>();
        };
        return c;
    });
}

template <class Chain>
void enter_both_orders(chain const& s) {
    enter_chain<Chain, felt::ChannelsLast>(s, order::nhwc);
    enter_chain<Chain, felt::RowMajor>(s, order::nchw);
}

// z = conv(relu(conv(x, w)), v); y is what lies between.
constexpr convolution nested = {"3x3-64-56", 4, 64, 56, 64, 3, 1, 1};

template <class Layout>
struct nested_arrays : conv_arrays<Layout> {
    using base = conv_arrays<Layout>;
    typename base::tensor v, z;

    explicit nested_arrays(convolution const& s) : base(s), v(s.filters()), z(s.results()) {
        this->b = 0.f;  // exact() adds it
        v = felt::uniform<float>(v.extents(), 5) * 2.f - 1.f;
    }
    auto inner() { return relu(felt::conv2d(this->x, this->w, nested.options())); }
    void two() {
        this->y = inner();
        z = felt::conv2d(this->y, v, nested.options());
    }
    double exact_z(index_t n, index_t o, index_t p, index_t q) const {
        double sum = 0;
        for (index_t c = 0; c < nested.o; ++c) {
            sum += this->over_window([&](index_t r, index_t s) {
                index_t const i = p + r - 1, j = q + s - 1;
                bool const inside = i >= 0 && j >= 0 && i < nested.h && j < nested.h;
                return inside ? std::max(this->exact(n, c, i, j), 0.) *
                                    static_cast<double>(v(o, c, r, s))
                              : 0;
            });
        }
        return sum;
    }
};

template <class Layout>
void enter_nested(std::string const& name) {
    using arrays_type = nested_arrays<Layout>;
    auto const arrays = once<arrays_type>(nested);
    auto const add = [=](char const* way, std::function<void(arrays_type&)> const& run) {
        enter(name + way, [=] {
            auto const a = arrays();
            contestant c;
            c.run = [=] { run(*a); };
            c.of = arithmetic<float>(2 * nested.flops());
            c.right = [=] {
                return at_places(a->z, [&](index_t n, index_t o, index_t p, index_t q) {
                    return near(a->z(n, o, p, q), a->exact_z(n, o, p, q), 24 * 24);
                });
            };
            return c;
        });
    };
    auto const whole = [](auto how, arrays_type& a) {
        felt::run(how, felt::assign(a.z, felt::conv2d(a.inner(), a.v, nested.options())));
    };
    add("felt", [=](arrays_type& a) { whole(felt::fused, a); });
    add("unfused", [=](arrays_type& a) { whole(felt::unfused, a); });
    add("two", [](arrays_type& a) { a.two(); });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (chain const& s : mean_sigmoid) enter_both_orders<of_study>(s);
        for (chain const& s : max_relu) enter_both_orders<of_networks>(s);
        enter_nested<felt::ChannelsLast>("conv_conv/3x3-64-56/nhwc/");
        enter_nested<felt::RowMajor>("conv_conv/3x3-64-56/nchw/");
    });
}
