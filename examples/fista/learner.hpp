// SPDX-License-Identifier: BSD-3-Clause
//
// Dictionary learning. A round of m samples X:
//
//   S = codes of X in W:  1/2 |W S - X|^2 + lambda |S|_1  by FISTA, from 0
//   W = the minimum of |W S - X|^2, its columns then divided by their lengths,
//       or of |W S - X|^2 / m + gamma |W|^2:  X S' (gamma m I + S S')^-1
#pragma once
#include <felt/nn/fista.hpp>
#include <fista/setting.hpp>
#include <support/place.hpp>
#include <support/random.hpp>
#include <cmath>

namespace fista {

struct learning {
    double lambda = 0.1, ridge = 0;
    int steps = 100;
    index_t columns = 512;  // coded at a time; 0: all
    bool study = false;
    std::uint64_t seed = 1;
    std::string step = "constant";  // or "backtracking"

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

// The samples of a round that sees a part of them: another random one each time.
template <class T, class Space>
felt::Tensor<T, 2, Space> batch_of(felt::Tensor<T, 2, Space> const& x, index_t count,
                                   std::uint64_t seed, index_t round) {
    auto random = support::stream_of(seed ^ 0x6261746368, static_cast<std::uint64_t>(round));
    felt::Tensor<index_t, 1> chosen({count});
    for (index_t i = 0; i < count; ++i) {
        chosen(i) = static_cast<index_t>(random.below(static_cast<std::size_t>(x.extent(1))));
    }
    auto const& columns = support::space_traits<Space>::placed(chosen);
    return felt::gather<1>(x, columns);
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

    // The codes of x. Solver has the dense solves of host_solver.
    template <class How, class Solver>
    felt::code_measures code(How how, matrix const& x, Solver const& solver);

    // The dictionary for these codes; unused atoms become samples. Rounds are counted from 0.
    template <class How, class Solver>
    void update(How how, matrix const& x, Solver const& solver, index_t round);

private:
    template <class How, class Solver>
    felt::code_measures code_as_the_study(How how, felt::dictionary<T, Space> const& d,
                                          matrix const& x, Solver const& solver);

    learning how_;
    matrix W_, codes_;
    matrix A_, B_, P_;  // X S', S S', and the pseudo-inverse of W
};

template <class T, class Space>
template <class How, class Solver>
felt::code_measures learner<T, Space>::code(How how, matrix const& x, Solver const& solver) {
    felt::dictionary<T, Space> const d(W_);
    felt::extents<2> const e{{W_.extent(1), x.extent(1)}};
    if (codes_.extents() != e) codes_.reset(e);
    if (how_.study) return code_as_the_study(how, d, x, solver);
    index_t const width = how_.columns > 0 ? how_.columns : x.extent(1);
    return felt::solve_by_columns(d, x, codes_, how_.options(), how_.steps, width, how);
}

// Its start is the least s with W s = x. As lambda follows the codes of all samples, they are not
// cut into blocks.
template <class T, class Space>
template <class How, class Solver>
felt::code_measures learner<T, Space>::code_as_the_study(How how,
                                                         felt::dictionary<T, Space> const& d,
                                                         matrix const& x, Solver const& solver) {
    felt::fista<T, Space> fista(d, felt::view(x), how_.options());
    solver.pseudo_inverse(W_, P_);
    run(how, assign(codes_, matmul(P_, x)));
    fista.start(codes_);
    for (int k = 1; k < how_.steps; ++k) {
        double const nonzeros = fista.step_and_count(how);
        fista.lambda(scheduled(fista.lambda(), nonzeros, W_.extent(1)));
    }
    auto const m = fista.step_and_measure(how);
    codes_ = fista.codes();
    return m;
}

template <class T, class Space>
template <class How, class Solver>
void learner<T, Space>::update(How how, matrix const& x, Solver const& solver, index_t round) {
    //[normal_equations]
    run(how, assign(A_, matmul(x, transpose(codes_))),
        assign(B_, matmul(codes_, transpose(codes_))));
    //[normal_equations]
    auto const samples = static_cast<std::size_t>(x.extent(1));
    auto random = support::stream_of(how_.seed, static_cast<std::uint64_t>(round));
    for (index_t k : solver.dictionary(A_, B_, how_.ridge * static_cast<double>(samples), W_)) {
        auto const j = static_cast<index_t>(random.below(samples));
        slice(W_, felt::all(), k) = slice(x, felt::all(), j);
    }
    if (how_.ridge == 0) {
        run(how, assign(W_, W_ / sqrt(felt::sum<0>(square(W_), felt::keepdims) + T(1e-20))));
    }
}

}  // namespace fista
