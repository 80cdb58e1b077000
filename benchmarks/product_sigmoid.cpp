// SPDX-License-Identifier: BSD-3-Clause
//
// y = sigmoid(w x + b), b a column: what a logistic on the way out costs. Bound by multiply-adds
// where the shared axis is long; 25x10000x64 has 64 of them for each of the about 20 instructions'
// worth of a sigmoid. Contestants: Felt fused and unfused, oneDNN's matmul with bias and logistic
// post-ops in the fastest of its layouts.
#include "peers/onednn.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include "shapes.hpp"

namespace {

using namespace bench;

template <class At>
bool right(operands<float> const& x, shape const& s, At at) {
    return at_samples(s.m, s.n, [&](index_t i, index_t j) {
        return near(at(i, j), x.exact_sigmoid(i, j), x.scale());
    });
}

template <class How>
void enter_ours(std::string const& name, shape const& s, How how) {
    enter(name, [=] {
        auto const x = operands_of<float>(s, "rr")();
        contestant c;
        c.of = arithmetic<float>(s.flops());
        c.run = [=] {
            felt::run(how, felt::assign(x->c.view(),
                                        sigmoid(felt::matmul(x->a.view(), x->b.view()) + x->bias)));
        };
        c.right = [=] { return right(*x, s, [&](index_t i, index_t j) { return x->c.at(i, j); }); };
        return c;
    });
}

void enter_onednn(std::string const& name, shape const& s) {
    enter(name, [=] {
        auto const x = operands_of<float>(s, "rr")();
        auto const best = onednn::best_of(
            {s.m, s.n, s.k, x->a.memory.data(), x->b.memory.data(), x->bias.data(), true});
        contestant c;
        c.run = best.run;
        c.of = arithmetic<float>(s.flops());
        c.label = best.layout;
        c.right = [=] { return right(*x, s, best.result()); };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (shape const& s : shapes) {
            std::string const name = "product_sigmoid/float/" + s.name();
            enter_ours(name + "/rr/felt", s, felt::fused);
            enter_ours(name + "/rr/unfused", s, felt::unfused);
            enter_onednn(name + "/best/onednn", s);
        }
    });
}
