// SPDX-License-Identifier: BSD-3-Clause
//
// Dictionary learning. A round of m samples X:
//
//   S = codes of X in W:  1/2 |W S - X|^2 + lambda |S|_1  by FISTA, from 0
//   W = the minimum of |W S - X|^2, its columns then divided by their lengths,
//       or of |W S - X|^2 / m + gamma |W|^2:  X S' (gamma m I + S S')^-1
//
// Several ranks have some of the columns of X and S each. X S' and S S' are summed over ranks, and
// each finds the same dictionary then.
#pragma once
#include <felt/nn/fista.hpp>
#include <fista/setting.hpp>
#include <support/place.hpp>
#include <support/random.hpp>
#include <support/step_sum.hpp>
#include <cmath>

namespace fista {

struct learning {
    double lambda = 0.1, ridge = 0;
    int steps = 100;
    index_t columns = 512;  // coded at a time; 0: all
    bool study = false;
    std::uint64_t seed = 1;
    std::string step = "constant";  // or "backtracking"
    felt::communicator* ranks = &felt::alone;

    felt::fista_options options() const {
        return {.lambda = lambda, .growth = step == "backtracking" ? 2. : 1.};
    }
};

// The study's rule: to between a tenth and a fifth of the codes. As its second case follows from
// what the first one leaves, lambda doubles or halves after every step.
inline double scheduled(double lambda, double nonzeros, index_t codes) {
    double const whole = std::floor(nonzeros), n = static_cast<double>(codes);
    return whole > n / 10 ? 2 * lambda : whole < n / 5 ? lambda / 2 : lambda;
}

// Normal numbers, columns of length 1.
template <class T, class Space = felt::Host>
felt::Tensor<T, 2, Space> random_dictionary(index_t rows, index_t columns, std::uint64_t seed) {
    felt::Tensor<T, 2, Space> W = felt::normal<T>({rows, columns}, seed);
    W = W / sqrt(felt::sum<0>(square(W), felt::keepdims));
    return W;
}

// The samples of a round that sees a part of them: another random one each time. Of `count`, those
// that are a rank's own.
template <class T, class Space>
felt::Tensor<T, 2, Space> batch_of(felt::Tensor<T, 2, Space> const& x, index_t count,
                                   std::uint64_t seed, index_t round,
                                   felt::communicator const& ranks = felt::alone) {
    auto random = support::stream_of(seed ^ 0x6261746368, static_cast<std::uint64_t>(round));
    felt::Tensor<index_t, 1> chosen({count});
    for (index_t i = 0; i < count; ++i) {
        chosen(i) = static_cast<index_t>(random.below(static_cast<std::size_t>(x.extent(1))));
    }
    auto const own = felt::shard_of(count, ranks);
    auto const& columns = support::space_traits<Space>::placed(chosen);
    return felt::gather<1>(x, slice(columns, felt::range(own.begin, own.end)));
}

// Of columns that are x on this rank, of all ranks.
template <class X>
double mean_over_ranks(double mean, X const& x, felt::communicator& ranks) {
    if (ranks.size() == 1) return mean;
    auto const n = static_cast<double>(x.extent(1));
    double all[] = {n * mean, n};
    felt::sum(ranks, std::span(all));
    return all[0] / all[1];
}
template <class X>
felt::code_measures measured(felt::code_measures const& own, X const& x,
                             felt::communicator& ranks) {
    if (ranks.size() == 1) return own;
    return {felt::sum(ranks, own.objective), felt::sum(ranks, own.gap),
            mean_over_ranks(own.nonzeros, x, ranks)};
}

template <class T, class Space = felt::Host>
class learner {
public:
    using matrix = felt::Tensor<T, 2, Space>;

    learner(learning const& how, matrix W)
        : how_(how),
          W_(std::move(W)),
          A_(W_.extents()),
          B_({W_.extent(1), W_.extent(1)}),
          P_({W_.extent(1), W_.extent(0)}) {}

    matrix const& W() const { return W_; }
    matrix& W() { return W_; }
    matrix const& codes() const { return codes_; }
    learning const& how() const { return how_; }

    // The codes of x. Solver has the dense solves of host_solver. What is measured is of all
    // samples, of which x is the part of this rank.
    template <class How, class Solver>
    felt::code_measures code(How how, matrix const& x, Solver const& solver,
                             felt::communicator& ranks = felt::alone);

    // The dictionary for these codes; unused atoms become samples. Rounds are counted from 0.
    template <class How, class Solver>
    void update(How how, matrix const& x, Solver const& solver, index_t round,
                felt::communicator& ranks = felt::alone);

private:
    template <class How, class Solver>
    felt::code_measures code_as_the_study(How how, felt::dictionary<T, Space> const& d,
                                          matrix const& x, Solver const& solver,
                                          felt::communicator& ranks);
    void take_sample(matrix const& x, index_t number, index_t atom, felt::communicator& ranks);

    learning how_;
    matrix W_, codes_;
    matrix A_, B_, P_;  // X S', S S', and the pseudo-inverse of W
};

template <class T, class Space>
template <class How, class Solver>
felt::code_measures learner<T, Space>::code(How how, matrix const& x, Solver const& solver,
                                            felt::communicator& ranks) {
    felt::dictionary<T, Space> const d(W_);
    felt::extents<2> const e{{W_.extent(1), x.extent(1)}};
    if (codes_.extents() != e) codes_.reset(e);
    if (how_.study) return measured(code_as_the_study(how, d, x, solver, ranks), x, ranks);
    index_t const width = how_.columns > 0 ? how_.columns : x.extent(1);
    return measured(felt::solve_by_columns(d, x, codes_, how_.options(), how_.steps, width, how), x,
                    ranks);
}

// Its start is the least s with W s = x. As lambda follows the codes of all samples, they are not
// cut into blocks.
template <class T, class Space>
template <class How, class Solver>
felt::code_measures learner<T, Space>::code_as_the_study(How how,
                                                         felt::dictionary<T, Space> const& d,
                                                         matrix const& x, Solver const& solver,
                                                         felt::communicator& ranks) {
    felt::fista<T, Space> fista(d, felt::view(x), how_.options());
    solver.pseudo_inverse(W_, P_);
    run(how, assign(codes_, matmul(P_, x)));
    fista.start(codes_);
    for (int k = 1; k < how_.steps; ++k) {
        double const nonzeros = mean_over_ranks(fista.step_and_count(how), x, ranks);
        fista.lambda(scheduled(fista.lambda(), nonzeros, W_.extent(1)));
    }
    auto const m = fista.step_and_measure(how);
    codes_ = fista.codes();
    return m;
}

template <class T, class Space>
template <class How, class Solver>
void learner<T, Space>::update(How how, matrix const& x, Solver const& solver, index_t round,
                               felt::communicator& ranks) {
    //[normal_equations]
    run(how, assign(A_, matmul(x, transpose(codes_))),
        assign(B_, matmul(codes_, transpose(codes_))));
    //[normal_equations]
    support::sum_over_ranks<Space>(ranks, A_);
    support::sum_over_ranks<Space>(ranks, B_);
    auto const samples = static_cast<std::size_t>(felt::sum(ranks, x.extent(1)));
    auto random = support::stream_of(how_.seed, static_cast<std::uint64_t>(round));
    for (index_t k : solver.dictionary(A_, B_, how_.ridge * static_cast<double>(samples), W_)) {
        take_sample(x, static_cast<index_t>(random.below(samples)), k, ranks);
    }
    if (how_.ridge == 0) {
        run(how, assign(W_, W_ / sqrt(felt::sum<0>(square(W_), felt::keepdims) + T(1e-20))));
    }
}

// Sample `number` of those of all ranks, as an atom.
template <class T, class Space>
void learner<T, Space>::take_sample(matrix const& x, index_t number, index_t atom,
                                    felt::communicator& ranks) {
    auto const counts = felt::gathered(ranks, x.extent(1));
    for (int r = 0; r < ranks.rank(); ++r) number -= counts[static_cast<std::size_t>(r)];
    felt::Tensor<T, 1, Space> sample({x.extent(0)});
    if (number >= 0 && number < x.extent(1)) sample = slice(x, felt::all(), number);
    support::sum_over_ranks<Space>(ranks, sample);
    slice(W_, felt::all(), atom) = sample;
}

}  // namespace fista
