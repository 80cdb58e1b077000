// SPDX-License-Identifier: BSD-3-Clause
//
// How long it takes to plan a statement. new: its tensors lie elsewhere each time, as where they
// are made in a function; again: a plan of the same statement is found by its description; same: it
// is found as run() finds it, by what a statement that stays has of its own. Nothing runs, so
// nothing but the planner binds it.
#include "arrays.hpp"
#include "find_plan.hpp"
#include "program.hpp"
#include "contest.hpp"

namespace {

using namespace bench;

// Tensors of any extents in one piece of memory, each time a line further on.
class elsewhere {
public:
    template <std::size_t R>
    felt::View<float, R> operator()(felt::extents<R> const& e) {
        float* const p = memory_.data() + step_ * 16 + used_;
        used_ += (e.size() + 15) / 16 * 16;
        return {p, e, felt::RowMajor::strides(e)};
    }
    void begin(bool moves) {
        used_ = 0;
        step_ = moves ? (step_ + 1) % steps : 0;
    }

private:
    static constexpr index_t steps = 1 << 16;
    felt::storage<float, felt::Host> memory_{index_t{1} << 26, false};
    index_t step_ = 0, used_ = 0;
};

using matrix = felt::extents<2>;
using images = felt::extents<4>;

// plan(at): the plan of a statement over tensors of at().
template <class F>
void enter_planning(std::string const& name, F plan) {
    static elsewhere at;
    for (bool moves : {true, false}) {
        enter("planning/" + name + (moves ? "/new" : "/again"), [=] {
            contestant c;
            c.run = [=] {
                at.begin(moves);
                benchmark::DoNotOptimize(plan(at).passes().size());
            };
            return c;
        });
    }
}

// The same where run() looks first.
template <class F>
void enter_same(std::string const& name, F statement) {
    static elsewhere at;
    enter("planning/" + name + "/same", [=] {
        contestant c;
        at.begin(false);
        c.run = [s = statement(at)] { benchmark::DoNotOptimize(find_plan(s)); };
        return c;
    });
}

void enter_latest() {
    enter_same("clip", [](auto& at) {
        auto const x = at(matrix{{512, 512}}), y = at(matrix{{512, 512}});
        return assign(y, felt::clip(x * 0.5f - abs(x), -1.f, 1.f));
    });
    enter_same("softmax", [](auto& at) {
        auto const x = at(matrix{{512, 512}}), y = at(matrix{{512, 512}});
        return assign(y, felt::softmax<1>(x));
    });
    enter_same("dense", [](auto& at) {
        auto const w = at(matrix{{512, 512}}), x = at(matrix{{512, 512}}),
                   y = at(matrix{{512, 512}});
        return assign(y, felt::sigmoid(matmul(w, x) + 1));
    });
}

void enter_small() {
    enter_planning("clip", [](auto& at) {
        auto const x = at(matrix{{512, 512}}), y = at(matrix{{512, 512}});
        return explain(assign(y, felt::clip(x * 0.5f - abs(x), -1.f, 1.f)));
    });
    enter_planning("softmax", [](auto& at) {
        auto const x = at(matrix{{512, 512}}), y = at(matrix{{512, 512}});
        return explain(assign(y, felt::softmax<1>(x)));
    });
    enter_planning("layer", [](auto& at) {
        auto const w = at(matrix{{256, 512}}), x = at(matrix{{512, 100}}), b = at(matrix{{256, 1}});
        return explain(assign(at(matrix{{256, 100}}), sigmoid(matmul(w, x) + b)));
    });
}

void enter_nested() {
    enter_planning("perceptron", [](auto& at) {
        auto const w = at(matrix{{256, 64}}), x = at(matrix{{64, 1000}}), v = at(matrix{{64, 256}});
        auto const e = sigmoid(matmul(v, sigmoid(matmul(w, x))));
        return explain(assign(at(matrix{{64, 1000}}), e));
    });
    enter_planning("attention", [](auto& at) {
        auto const q = at(matrix{{256, 64}}), k = at(matrix{{256, 64}}), v = at(matrix{{256, 64}});
        auto const e = matmul(felt::softmax<1>(matmul(q, transpose(k)) * 0.125f), v);
        return explain(assign(at(matrix{{256, 64}}), e));
    });
    enter_planning("convolution", [](auto& at) {
        auto const x = at(images{{8, 16, 28, 28}}), w = at(images{{32, 16, 3, 3}});
        auto const e = felt::max_pool2d(relu(conv2d(x, w, {.padding = {1, 1}})));
        return explain(assign(at(images{{8, 32, 14, 14}}), e));
    });
    enter_planning("batch_norm", [](auto& at) {
        auto const x = at(images{{8, 16, 28, 28}});
        auto const d = x - felt::mean<0, 2, 3>(x, felt::keepdims);
        auto const e = d / sqrt(felt::mean<0, 2, 3>(square(d), felt::keepdims) + 1e-5f);
        return explain(assign(at(images{{8, 16, 28, 28}}), e));
    });
    enter_planning("group", [](auto& at) {
        auto const x = at(matrix{{64, 1000}}), h = at(matrix{{32, 1000}}), w = at(matrix{{32, 64}});
        auto const dw = at(matrix{{32, 64}});
        return explain(assign(h, sigmoid(matmul(w, x))), assign(dw, matmul(h, transpose(x))));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_latest();
        enter_small();
        enter_nested();
    });
}
