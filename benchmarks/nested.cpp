// SPDX-License-Identifier: BSD-3-Clause
//
// Products in products: y = w2 relu(w1 x) over 400,000 columns, and the transposed problem
// y = relu(x w1) w2 over 400,000 rows, with operands in row- and column-major order; a hidden layer
// of 10,000 over fewer columns. Bound by multiply-adds. "two" is the same in two statements, with
// the hidden layer in memory: what fusion is compared with.
#include "program.hpp"
#include "roofs.hpp"
#include "arrays.hpp"
#include <memory>

namespace {

using namespace bench;

// columns: y = w2 relu(w1 x); else rows: y = relu(x w1) w2. `order` of every operand.
struct problem {
    index_t samples, outer, hidden;
    bool columns;
    char order;

    std::string name() const {
        return std::string("nested/") + (columns ? "columns" : "rows") + "-" +
               std::to_string(samples) + "-" + std::to_string(outer) + "-" +
               std::to_string(hidden) + "/" + order;
    }
    double flops() const {
        return 4. * static_cast<double>(samples) * static_cast<double>(outer) *
               static_cast<double>(hidden);
    }
};

struct arrays {
    matrix<float> w1, w2, x, middle, y;
    problem p;

    explicit arrays(problem const& q)
        : w1(q.columns ? q.hidden : q.outer, q.columns ? q.outer : q.hidden, q.order, 1),
          w2(q.columns ? q.outer : q.hidden, q.columns ? q.hidden : q.outer, q.order, 2),
          x(q.columns ? q.outer : q.samples, q.columns ? q.samples : q.outer, q.order, 3),
          middle(q.columns ? q.hidden : q.samples, q.columns ? q.samples : q.hidden, q.order, 4),
          y(q.columns ? q.outer : q.samples, q.columns ? q.samples : q.outer, q.order, 5),
          p(q) {}

    void fused() {
        if (p.columns) {
            felt::noalias(y.view()) =
                felt::matmul(w2.view(), felt::relu(felt::matmul(w1.view(), x.view())));
        } else {
            felt::noalias(y.view()) =
                felt::matmul(felt::relu(felt::matmul(x.view(), w1.view())), w2.view());
        }
    }
    void two() {
        if (p.columns) {
            felt::noalias(middle.view()) = felt::relu(felt::matmul(w1.view(), x.view()));
            felt::noalias(y.view()) = felt::matmul(w2.view(), middle.view());
        } else {
            felt::noalias(middle.view()) = felt::relu(felt::matmul(x.view(), w1.view()));
            felt::noalias(y.view()) = felt::matmul(middle.view(), w2.view());
        }
    }
    double exact(index_t i, index_t j) const {
        double total = 0;
        for (index_t h = 0; h < p.hidden; ++h) {
            double in = 0;
            for (index_t k = 0; k < p.outer; ++k) {
                in += p.columns
                          ? static_cast<double>(w1.at(h, k)) * static_cast<double>(x.at(k, j))
                          : static_cast<double>(x.at(i, k)) * static_cast<double>(w1.at(k, h));
            }
            double const w = static_cast<double>(p.columns ? w2.at(i, h) : w2.at(h, j));
            total += w * std::max(in, 0.);
        }
        return total;
    }
};

// Both ways are made of the same arrays, which are as large as the memory allows.
std::shared_ptr<arrays> shared(problem const& p) {
    static std::shared_ptr<arrays> kept;
    static std::string of;
    if (of != p.name()) {
        kept.reset();
        kept = std::make_shared<arrays>(p);
        of = p.name();
    }
    return kept;
}

void enter_one(problem const& p, char const* way, void (arrays::*run)()) {
    enter(p.name() + "/" + way, [=] {
        contestant c;
        c.run = [=] { ((*shared(p)).*run)(); };
        c.of = arithmetic<float>(p.flops());
        c.right = [=] {
            auto const a = shared(p);
            double const scale = std::sqrt(static_cast<double>(p.hidden * p.outer));
            return at_samples(a->y.rows, a->y.columns, [&](index_t i, index_t j) {
                return near(a->y.at(i, j), a->exact(i, j), scale);
            });
        };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (char order : {'r', 'c'}) {
            for (bool columns : {true, false}) {
                for (problem const& p : {problem{400'000, 64, 256, columns, order},
                                         problem{400'000, 25, 100, columns, order},
                                         problem{4'000, 256, 10'000, columns, order}}) {
                    enter_one(p, "felt", &arrays::fused);
                    enter_one(p, "two", &arrays::two);
                }
            }
        }
    });
}
