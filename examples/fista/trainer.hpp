// SPDX-License-Identifier: BSD-3-Clause
//
// Learning in one space, behind virtual functions: what is made of it is compiled once, and knows
// of tensors on the host alone.
#pragma once
#include <fista/contest.hpp>
#include <fista/learner.hpp>
#include <support/profile.hpp>
#include <memory>

namespace fista {

using matrix_f = felt::Tensor<float, 2>;

class trainer {
public:
    virtual ~trainer() = default;

    // A round with all samples, or with a random part of them. Rounds are counted from 0.
    virtual felt::code_measures round(index_t number, index_t batch) = 0;
    virtual matrix_f W() const = 0;

    // In the dictionary as it stands: codes of x, which codes() gives then.
    virtual felt::code_measures code(matrix_f const& x) = 0;
    virtual matrix_f codes() const = 0;

    // A round by its parts; steps fused and unfused. They change nothing.
    virtual support::profile parts() const = 0;
    virtual contest compared(double lambda, index_t columns) const = 0;
};

// Learns a dictionary of the samples x, which outlive what is returned, from W on.
class place : public support::place {
public:
    virtual std::unique_ptr<trainer> learn(learning const& how, matrix_f const& W,
                                           matrix_f const& x) const = 0;
};
place const& host();    // host.cpp
place const* device();  // device.cpp; nullptr without one: no_device.cpp

// The dense solves of host_solver, compiled once: rounds.cpp.
struct solves {
    std::vector<index_t> dictionary(matrix_f const& A, matrix_f const& B, double ridge,
                                    matrix_f& W) const;
    void pseudo_inverse(matrix_f const& W, matrix_f& P) const;
};

template <class Space, class Solver>
class trainer_in : public trainer {
public:
    using traits = support::space_traits<Space>;
    using matrix = felt::Tensor<float, 2, Space>;

    trainer_in(learning const& how, matrix W) : learner_(how, std::move(W)) {}

    felt::code_measures round(index_t number, index_t batch) override {
        if (batch == samples().extent(1)) return round_of(own_samples(), number);
        return round_of(batch_of(samples(), batch, learner_.how().seed, number, ranks()), number);
    }
    matrix_f W() const override { return traits::fetched(learner_.W()); }
    felt::code_measures code(matrix_f const& x) override {
        return learner_.code(felt::fused, traits::placed(x), Solver{});
    }
    matrix_f codes() const override { return traits::fetched(learner_.codes()); }

    support::profile parts() const override {
        support::profile p;
        auto twin = learner_;
        support::time_in<Space>(p, "codes (FISTA)",
                                [&] { twin.code(felt::fused, samples(), Solver{}); });
        support::time_in<Space>(p, "dictionary",
                                [&] { twin.update(felt::fused, samples(), Solver{}, 0); });
        return p;
    }
    contest compared(double lambda, index_t columns) const override {
        return compare_steps(learner_.W(), samples(), lambda, columns);
    }

protected:
    virtual matrix const& samples() const = 0;

private:
    felt::communicator& ranks() const { return *learner_.how().ranks; }

    // All that a rank codes in each round.
    matrix const& own_samples() {
        if (ranks().size() == 1) return samples();
        if (own_.size() == 0) {
            auto const own = support::rows_of(samples().extent(1), ranks());
            own_ = eval(slice(samples(), felt::all(), felt::range(own.begin, own.end)));
        }
        return own_;
    }
    felt::code_measures round_of(matrix const& x, index_t number) {
        auto const m = learner_.code(felt::fused, x, Solver{}, ranks());
        learner_.update(felt::fused, x, Solver{}, number, ranks());
        return m;
    }

    learner<float, Space> learner_;
    matrix own_;
};

}  // namespace fista
