// SPDX-License-Identifier: BSD-3-Clause
//
// y = relu(conv(x, w) + b) and both derivatives of the convolution, over the shapes of ResNet-50,
// AlexNet and VGG, in N H W C and N C H W. Bound by multiply-adds, but for 1x1 filters and few
// channels, where operands have to be moved. Contestants: Felt with filters in the order of the
// images, and with packed(w) ("packed"); oneDNN, whose filters are always laid out for it, with
// images in the same order ("onednn") and in an order of its own ("blocked").
#include "peers/onednn_convolution.hpp"
#include "program.hpp"
#include "roofs.hpp"

namespace {

using namespace bench;
using onednn::order;

template <class Layout>
constexpr order order_of = std::is_same_v<Layout, felt::ChannelsLast> ? order::nhwc : order::nchw;

template <class Layout>
onednn::conv_problem problem(conv_arrays<Layout>& a, float* x, float* w, float* y) {
    return {a.of, order_of<Layout>, x, w, a.b.data(), y};
}

// The three operations: what Felt runs, what oneDNN is asked for, what must come out.
struct forward {
    static constexpr char const* name = "conv";
    template <class A>
    static void run(A& a) {
        a.y = relu(felt::conv2d(a.x, a.w, a.of.options()) + a.b);
    }
    template <class A>
    static auto peer(A& a, order inside) {
        return onednn::forward(problem(a, a.x.data(), a.w.data(), a.y.data()), inside,
                               onednn::after::relu);
    }
    template <class A>
    static bool right(A const& a) {
        double const scale = std::sqrt(static_cast<double>(a.of.terms()));
        return at_places(a.y, [&](index_t n, index_t o, index_t p, index_t q) {
            return near(a.y(n, o, p, q), std::max(a.exact(n, o, p, q), 0.), scale);
        });
    }
};
struct input_grad {
    static constexpr char const* name = "conv_input_grad";
    template <class A>
    static void run(A& a) {
        a.dx = felt::conv2d_input_grad(a.dy, a.w, a.x.extents(), a.of.options());
    }
    template <class A>
    static auto peer(A& a, order inside) {
        return onednn::input_grad(problem(a, a.dx.data(), a.w.data(), a.dy.data()), inside);
    }
    template <class A>
    static bool right(A const& a) {
        double const scale = std::sqrt(static_cast<double>(a.of.o * a.of.k * a.of.k));
        return at_places(a.dx, [&](index_t n, index_t c, index_t i, index_t j) {
            return near(a.dx(n, c, i, j), a.exact_dx(n, c, i, j), scale);
        });
    }
};
struct weight_grad {
    static constexpr char const* name = "conv_weight_grad";
    template <class A>
    static void run(A& a) {
        a.dw = felt::conv2d_weight_grad(a.x, a.dy, a.w.extents(), a.of.options());
    }
    template <class A>
    static auto peer(A& a, order inside) {
        return onednn::weight_grad(problem(a, a.x.data(), a.dw.data(), a.dy.data()), inside);
    }
    template <class A>
    static bool right(A const& a) {
        double const scale = std::sqrt(static_cast<double>(a.of.n * a.of.p() * a.of.p()));
        return at_places(a.dw, [&](index_t o, index_t c, index_t r, index_t s) {
            return near(a.dw(o, c, r, s), a.exact_dw(o, c, r, s), scale);
        });
    }
};

template <class Operation, class Arrays>
void enter_peer(std::string const& name, Arrays const& arrays, order inside) {
    enter(name, [=] {
        auto const a = arrays();
        auto const peer = Operation::peer(*a, inside);
        contestant c;
        c.run = peer.run;
        c.of = arithmetic<float>(a->of.flops());
        c.label = peer.layout;
        c.right = [=] {
            peer.finish();
            return Operation::right(*a);
        };
        return c;
    });
}

template <class Layout>
std::string name_of(char const* operation, convolution const& s) {
    return std::string(operation) + "/" + s.name +
           (order_of<Layout> == order::nhwc ? "/nhwc/" : "/nchw/");
}

template <class Layout>
void enter_packed(convolution const& s) {
    enter(name_of<Layout>(forward::name, s) + "packed", [=] {
        auto const a = std::make_shared<conv_arrays<Layout>>(s, true);
        a->y = felt::full(s.results(), 0.f);
        contestant c;
        c.run = [=, w = felt::packed(a->w)] {
            a->y = relu(felt::conv2d(a->x, w, s.options()) + a->b);
        };
        c.of = arithmetic<float>(s.flops());
        c.right = [=] { return forward::right(*a); };
        return c;
    });
}

template <class Operation, class Layout>
void enter_all(convolution const& s) {
    auto const arrays = once<conv_arrays<Layout>>(s);
    std::string const name = name_of<Layout>(Operation::name, s);
    enter(name + "felt", [=] {
        auto const a = arrays();
        contestant c;
        c.run = [=] { Operation::run(*a); };
        c.of = arithmetic<float>(s.flops());
        c.right = [=] { return Operation::right(*a); };
        return c;
    });
    enter_peer<Operation>(name + "onednn", arrays, order_of<Layout>);
    if (order_of<Layout> == order::nhwc)
        enter_peer<Operation>(name + "blocked", arrays, order::any);
}

template <class Operation>
void enter_both_orders(convolution const& s) {
    enter_all<Operation, felt::ChannelsLast>(s);
    enter_all<Operation, felt::RowMajor>(s);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (convolution const& s : convolutions) {
            enter_both_orders<forward>(s);
            enter_packed<felt::ChannelsLast>(s);
            enter_packed<felt::RowMajor>(s);
            enter_both_orders<input_grad>(s);
            enter_both_orders<weight_grad>(s);
        }
    });
}
