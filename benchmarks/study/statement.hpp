// SPDX-License-Identifier: BSD-3-Clause
//
// A statement of the study: its name, its formula, what is varied, at which values, and what it is
// at one of them. Each file of statements/ defines some; one of your own may lie anywhere (`./run
// study --add FILE`).
//
//   study::statement const bell{"bell", "exp(-x * x)", "elements", {1 << 12, 1 << 20},
//                                  [](study::trial& t, felt::index_t n) {
//                                      auto const x = bench::random({n});
//                                      t.measure(exp(-x * x));
//                                  }};
#pragma once
#include "../find_plan.hpp"
#include "../peer.hpp"
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace study {

using felt::index_t;

// What is timed of a statement, without its type, so that timing is compiled once.
struct subject {
    index_t bytes, bytes_unfused, flops;  // by the plan
    std::string shape;
    std::function<void()> fused, unfused, plan;
    std::function<bool()> same;                            // of both results
    std::function<bool(bench::peer const&)> same_of_peer;  // of its result and the last run's
    bench::peers peers;
};

// Measures e at the present value of what is varied. `peers` compute the same: Eigen, oneDNN.
class trial {
public:
    template <class E>
    void measure(E const& e, bench::peers peers = {}) {
        // Both are timed into the same memory: where that lies to x is worth some per cent.
        felt::Tensor<felt::value_of<E>, felt::rank_of<E>> y(e.extents());
        auto const one = assign(y, e);
        auto const plan = explain(one);
        take_({plan.bytes(), plan.bytes_unfused(), plan.flops(), felt::to_string(e.extents()),
               [&] { felt::run(felt::fused, one); }, [&] { felt::run(felt::unfused, one); },
               [&] { planned_ += bench::find_plan(one); },
               [&] {
                   felt::Tensor<felt::value_of<E>, felt::rank_of<E>> z(e.extents());
                   felt::run(felt::fused, one);
                   felt::run(felt::unfused, assign(z, e));
                   return felt::all_close(felt::cast<float>(y), felt::cast<float>(z), 1e-3, 1e-3);
               },
               [&](bench::peer const& p) { return bench::has(p, y); }, std::move(peers)});
    }

    explicit trial(std::function<void(subject const&)> to) : take_(std::move(to)) {}

private:
    std::function<void(subject const&)> take_;
    std::size_t planned_ = 0;  // so that no plan is left out
};

// Every statement that is defined enters the study, in the order of names.
class statement {
public:
    using body = std::function<void(trial&, index_t)>;

    statement(std::string named, std::string written, std::string varies,
              std::vector<index_t> values, body what)
        : name(std::move(named)),
          formula(std::move(written)),
          axis(std::move(varies)),
          at(std::move(values)),
          measure(std::move(what)) {
        std::sort(at.begin(), at.end());
        all().push_back(this);
    }
    statement(statement const&) = delete;

    static std::vector<statement const*>& all() {
        static std::vector<statement const*> entered;
        return entered;
    }

    std::string name, formula, axis;
    std::vector<index_t> at;
    body measure;
};

}  // namespace study
