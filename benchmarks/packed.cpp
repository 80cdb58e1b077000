// SPDX-License-Identifier: BSD-3-Clause
//
// h = tanh(w x) for w of 1024 x 512 in row- (r) and column-major order (c) and few columns of x:
// the step of a recurrent network, whose weights stay the same. Bound by multiply-adds, with one
// column by reading w. Contestants: w as it is, and packed(w), which was laid out before. Rows of
// w are already what the loops want; columns have to be laid out anew in every step.
#include "arrays.hpp"
#include "program.hpp"
#include "roofs.hpp"

namespace {

using namespace bench;

constexpr index_t m = 1024, k = 512;

struct step {
    matrix<float> w;
    felt::Tensor<float, 2> x, h;

    step(char order, index_t n)
        : w(m, k, order, 1), x(numbers<float>(felt::extents<2>{{k, n}}, 2)), h({m, n}) {}

    double exact(index_t i, index_t j) const {
        double sum = 0;
        for (index_t l = 0; l < k; ++l) {
            sum += static_cast<double>(w.at(i, l)) * static_cast<double>(x(l, j));
        }
        return std::tanh(sum);
    }
};

template <class W>
void enter_one(std::string const& name, char order, index_t n, W weights) {
    enter(name, [=] {
        auto const s = std::make_shared<step>(order, n);
        auto const w = weights(*s);
        contestant c;
        c.run = [=] { felt::noalias(s->h) = tanh(matmul(w, s->x)); };
        c.of = arithmetic<float>(2. * m * k * static_cast<double>(n));
        c.right = [=] {
            return at_samples(
                m, n, [&](index_t i, index_t j) { return near(s->h(i, j), s->exact(i, j), 10); });
        };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (char const order : {'r', 'c'}) {
            for (index_t const n : {1, 8, 32, 128}) {
                std::string const name = std::string("packed/") + order + "/" + std::to_string(n);
                enter_one(name + "/felt", order, n, [](step& s) { return s.w.view(); });
                enter_one(name + "/packed", order, n, [](step& s) { return packed(s.w.view()); });
            }
        }
    });
}
