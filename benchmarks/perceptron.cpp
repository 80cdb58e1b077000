// SPDX-License-Identifier: BSD-3-Clause
//
// y = sigmoid(w2 sigmoid(w1 x + b1) + b2), 64-256-64 over 20,000 columns, as one expression. The
// multiply-adds bind it: 2 * 2 * 64 * 256 * 20,000 = 1.3 G; fused, the 20 MB of the hidden layer
// and the three intermediates beside it are never written. Contestants: Felt fused and unfused,
// oneDNN's two products with bias and logistic post-ops, each in the fastest of its layouts (the
// reordering between them is not counted).
#include "peers/onednn.hpp"
#include "program.hpp"
#include "roofs.hpp"

namespace {

using namespace bench;

constexpr index_t outer = 64, hidden = 256, columns = 20'000;

struct arrays {
    felt::Tensor<float, 2> w1 = numbers<float>(felt::extents<2>{{hidden, outer}}, 1);
    felt::Tensor<float, 2> b1 = numbers<float>(felt::extents<2>{{hidden, 1}}, 2);
    felt::Tensor<float, 2> w2 = numbers<float>(felt::extents<2>{{outer, hidden}}, 3);
    felt::Tensor<float, 2> b2 = numbers<float>(felt::extents<2>{{outer, 1}}, 4);
    felt::Tensor<float, 2> x = numbers<float>(felt::extents<2>{{outer, columns}}, 5);
    felt::Tensor<float, 2> y{{outer, columns}};
};
arrays& shared() {
    static arrays instance;
    return instance;
}

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

double exact(index_t i, index_t j) {
    arrays const& a = shared();
    double out = static_cast<double>(a.b2(i, index_t{0}));
    for (index_t h = 0; h < hidden; ++h) {
        double in = static_cast<double>(a.b1(h, index_t{0}));
        for (index_t k = 0; k < outer; ++k)
            in += static_cast<double>(a.w1(h, k)) * static_cast<double>(a.x(k, j));
        out += static_cast<double>(a.w2(i, h)) * sigmoid(in);
    }
    return sigmoid(out);
}

roof products() { return arithmetic<float>(2. * 2 * outer * hidden * columns); }

template <class How>
void compute(How how) {
    arrays& a = shared();
    auto const inner = felt::sigmoid(felt::matmul(a.w1, a.x) + a.b1);
    felt::run(how, felt::assign(a.y, felt::sigmoid(felt::matmul(a.w2, inner) + a.b2)));
}

// `tensors` is how many tensors a run may allocate; more is a wrong result.
template <class How>
void enter_ours(char const* name, How how, index_t tensors) {
    enter(name, [=] {
        shared().y = 9.f;
        contestant c;
        c.run = [=] { compute(how); };
        c.of = products();
        c.right = [=] {
            index_t const before = felt::allocations().tensors;
            compute(how);
            return felt::allocations().tensors - before <= tensors &&
                   at_samples(outer, columns, [](index_t i, index_t j) {
                       return near(shared().y(i, j), exact(i, j), 1);
                   });
        };
        return c;
    });
}

void enter_onednn(char const* name) {
    enter(name, [] {
        arrays& a = shared();
        felt::Tensor<float, 2> const h = felt::sigmoid(felt::matmul(a.w1, a.x) + a.b1);
        auto const first =
            onednn::best_of({hidden, columns, outer, a.w1.data(), a.x.data(), a.b1.data(), true});
        auto const second =
            onednn::best_of({outer, columns, hidden, a.w2.data(), h.data(), a.b2.data(), true});
        contestant c;
        c.of = products();
        c.label = first.layout + ", " + second.layout;
        if (first.run) c.run = [=] { first.run(), second.run(); };
        c.right = [=] {
            auto const at = second.result();
            return at_samples(outer, columns,
                              [&](index_t i, index_t j) { return near(at(i, j), exact(i, j), 1); });
        };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_ours("perceptron/64-256-64/felt", felt::fused, 0);
        enter_ours("perceptron/64-256-64/unfused", felt::unfused, 100);
        enter_onednn("perceptron/64-256-64/onednn");
    });
}
