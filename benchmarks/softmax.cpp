// SPDX-License-Identifier: BSD-3-Clause
//
// y = softmax<1>(x) of 4096 x 1024 floats, beside y = exp(x) of the same arrays: each row is in
// cache when it is read again, so the maximum, the sum and the division should add little to the
// exponentials. Contestants: Felt fused and unfused, oneDNN's softmax.
#include "peers/onednn.hpp"
#include "program.hpp"
#include "roofs.hpp"

namespace {

using namespace bench;

constexpr index_t m = 4096, n = 1024;

struct arrays {
    felt::Tensor<float, 2> x = numbers<float>(felt::extents<2>{{m, n}}, 1);
    felt::Tensor<float, 2> y{{m, n}};
};
arrays& shared() {
    static arrays instance;
    return instance;
}

double exact_exp(index_t i, index_t j) { return std::exp(static_cast<double>(shared().x(i, j))); }
double exact_softmax(index_t i, index_t j) {
    double sum = 0;
    for (index_t k = 0; k < n; ++k) sum += exact_exp(i, k);
    return exact_exp(i, j) / sum;
}

contestant timed(task run, double (*exact)(index_t, index_t), double scale) {
    contestant c;
    c.run = std::move(run);
    c.of = copying(m * n);
    c.right = [=] {
        return at_samples(
            m, n, [&](index_t i, index_t j) { return near(shared().y(i, j), exact(i, j), scale); });
    };
    shared().y = 9.f;
    return c;
}

template <class How>
void enter_ours(char const* name, How how) {
    enter(name, [=] {
        return timed(
            [=] {
                arrays& a = shared();
                felt::run(how, felt::assign(a.y, felt::softmax<1>(a.x)));
            },
            exact_softmax, 1e-3);
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter("softmax/rows/exp",
              [] { return timed([] { shared().y = felt::exp(shared().x); }, exact_exp, 1); });
        enter_ours("softmax/rows/felt", felt::fused);
        enter_ours("softmax/rows/unfused", felt::unfused);
        enter("softmax/rows/onednn", [] {
            arrays& a = shared();
            return timed(onednn::softmax(a.x.data(), a.y.data(), m, n), exact_softmax, 1e-3);
        });
    });
}
