// SPDX-License-Identifier: BSD-3-Clause
//
// ISTA and FISTA (Beck and Teboulle, 2009): codes s of samples x in a dictionary W, column by
// column the minimum of
//
//   F(s) = 1/2 |W s - x|^2 + lambda |s|_1        (scaling::half)
//   F(s) =     |W s - x|^2 + lambda |s|_1        (scaling::whole, which is the paper's)
//
// An iteration is one pass over s, its previous value, whose place it takes, and c = W'x:
//
//   y = s + (t_prev - 1) / t (s - s_prev)        (ISTA: y = s)
//   s = soft_threshold(y - (W'W y - c) / L, lambda / L)
//
// with L no less than the largest eigenvalue of W'W; the other scaling has 2 L, twice the gradient
// and so lambda / 2 here. The caller makes the steps:
//
//   felt::dictionary<float> const d(W);
//   felt::fista<float> solver(d, felt::view(x), {.lambda = 0.1});
//   for (int k = 0; k < 100; ++k) solver.step();
//   solver.step_and_measure().gap          // F(s) is at most this far above the minimum
#pragma once
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace felt::inline FELT_ABI {

enum class scaling { half, whole };

struct fista_options {
    double lambda = 0.1;
    felt::scaling scaling = felt::scaling::half;
    bool momentum = true;  // false: ISTA
    double lipschitz = 0;  // of the gradient; 0: the dictionary's, or 1 where it grows
    double growth = 1;     // above 1: backtracking, which multiplies lipschitz until it is enough
};

// Of a step, at the codes that it finds.
struct code_measures {
    double objective = 0, gap = 0;  // F(s), and a bound of F(s) - min F: the duality gap
    double nonzeros = 0;            // of a column, on average
};

// The largest eigenvalue of G, symmetric and without negative ones, by power iteration. Some
// eigenvalue is within |G v - r v| of r = v'G v: that is added, so that the result is not below.
template <class T, class Space>
double largest_eigenvalue(Tensor<T, 2, Space> const& G, double tolerance = 1e-3, int steps = 1000) {
    Tensor<T, 2, Space> v({G.extent(0), 1}), w({G.extent(0), 1});
    w = normal<T>(w.extents(), 1);
    T r = 0, apart = 0;
    for (int k = 0; k < steps; ++k) {
        T const length = norm2(w);
        if (length == 0) return 0;
        v = w / length;
        w = matmul(G, v);
        r = sum(v * w);
        apart = norm2(w - r * v);
        if (apart <= static_cast<T>(tolerance) * r) break;
    }
    return static_cast<double>(r) + static_cast<double>(apart);
}

// Atoms, one in each column of W, and what all samples that are coded in them share.
template <class T, class Space = Host>
struct dictionary {
    using matrix = Tensor<T, 2, Space>;

    explicit dictionary(matrix atoms)
        : W(std::move(atoms)), G(matmul(transpose(W), W)), largest(largest_eigenvalue(G)) {
        if (!std::isfinite(largest)) throw error("dictionary: its elements are not all finite");
    }

    matrix W, G;     // (signal, atoms), and W'W
    double largest;  // eigenvalue of G, or a little more
};

// The usual weight: a tenth of the least for which all codes are 0.
template <class T, class Space>
double default_lambda(Tensor<T, 2, Space> const& W, Tensor<T, 2, Space> const& x,
                      scaling s = scaling::half) {
    T const most = max(abs(matmul(transpose(W), x)));
    return 0.1 * (s == scaling::half ? 1 : 2) * static_cast<double>(most);
}

template <class T, class Space = Host>
class fista {
public:
    using matrix = Tensor<T, 2, Space>;
    using samples = View<T const, 2, Space>;

    // Codes of x (signal, samples) from 0 on. The dictionary and the samples must outlive this.
    fista(dictionary<T, Space> const& d, samples x, fista_options const& o)
        : d_(&d), o_(o), x_(x), L_(o.lipschitz / twice()) {
        if (L_ == 0) L_ = o.growth > 1 || d.largest == 0 ? 1 : d.largest;
        index_t const atoms = d.W.extent(1), count = x.extent(1);
        s_ = matrix({atoms, count});
        previous_ = matrix({atoms, count});
        c_ = matmul(transpose(d.W), x_);
    }

    matrix const& codes() const { return s_; }
    index_t iteration() const { return iteration_; }
    double lambda() const { return o_.lambda; }
    double lipschitz() const { return twice() * L_; }
    void lambda(double value) { o_.lambda = value; }

    // Starts at s; what has been learned by backtracking stays.
    void start(matrix const& s) {
        s_ = s;
        previous_ = s;
        t_ = t_previous_ = 1;
        iteration_ = 0;
    }

    // How is fused or unfused.
    template <class How = fused_t>
    void step(How how = {}) {
        if (o_.growth > 1) return backtrack(how);
        run(how, assign(previous_, shrunk()));
        std::swap(s_, previous_);
        advance();
    }

    // A step; the number of nonzeros of a column, on average, in the same pass.
    template <class How = fused_t>
    double step_and_count(How how = {}) {
        make_room();
        if (o_.growth > 1) {
            backtrack(how);
            run(how, assign(count_, count_of(s_)));
        } else {
            run(how, assign(next_, shrunk()), assign(count_, count_of(next_)));
            rotate();
        }
        return T(mean(count_));
    }

    // A step, and what is measured at its end, in the same pass.
    template <class How = fused_t>
    code_measures step_and_measure(How how = {}) {
        if (o_.growth > 1) {
            backtrack(how);
            return measure(how);
        }
        make_room();
        measure_with(how, next_, assign(next_, shrunk()));
        rotate();
        return measured();
    }

    // Where it stands.
    template <class How = fused_t>
    code_measures measure(How how = {}) {
        make_room();
        measure_with(how, s_);
        return measured();
    }

private:
    double twice() const { return o_.scaling == scaling::half ? 1 : 2; }
    T weight() const { return static_cast<T>(o_.lambda / twice()); }  // of |s| beside 1/2 |W s - x|

    //[step]
    auto extrapolated() const {
        auto const m = static_cast<T>(o_.momentum ? (t_previous_ - 1) / t_ : 0);
        return s_ + m * (s_ - previous_);
    }
    auto shrunk() const {
        auto const y = extrapolated();
        auto const rate = static_cast<T>(1 / L_);
        return soft_threshold(y - rate * (matmul(d_->G, y) - c_), weight() * rate);
    }
    //[step]
    static auto count_of(matrix const& s) { return sum<0>(cast<T>(s != T(0))); }

    void advance() {
        t_previous_ = std::exchange(t_, (1 + std::sqrt(1 + 4 * t_ * t_)) / 2);
        ++iteration_;
    }
    void rotate() {
        std::swap(s_, previous_);
        std::swap(s_, next_);
        advance();
    }
    void make_room() {
        if (next_.size() == s_.size()) return;
        next_ = matrix(s_.extents(), uninitialized);
        for (auto* v : {&error_, &size_, &count_, &inner_, &top_}) {
            *v = Tensor<T, 1, Space>({s_.extent(1)});
        }
    }

    // L is enough if f(s) <= f(y) + <f'(y), s - y> + L/2 |s - y|^2, that is |W d|^2 <= L |d|^2 with
    // d = s - y.
    template <class How>
    void backtrack(How how) {
        make_room();
        auto const d = next_ - extrapolated();
        for (;; L_ *= o_.growth) {
            run(how, assign(next_, shrunk()), assign(size_, sum<0>(square(d))),
                assign(error_, sum<0>(square(matmul(d_->W, d)))));
            T const moved = sum(size_), image = sum(error_);
            if (!(image > static_cast<T>(L_) * moved)) break;
        }
        rotate();
    }

    // Column by column, of r = W s - x: |r|^2, |s|_1, nonzeros, <x, r> and max |W'r|.
    template <class How, class... First>
    void measure_with(How how, matrix const& s, First const&... first) {
        auto const r = matmul(d_->W, s) - x_;
        run(how, first..., assign(error_, sum<0>(square(r))), assign(size_, sum<0>(abs(s))),
            assign(count_, count_of(s)), assign(inner_, sum<0>(x_ * r)),
            assign(top_, max<0>(abs(matmul(transpose(d_->W), r)))));
    }

    // A dual point is -a r with a such that |a W'r| <= lambda; the dual is -a <x, r> - a^2/2 |r|^2.
    code_measures measured() const {
        auto const a = minimum(T(1), weight() / maximum(top_, std::numeric_limits<T>::min()));
        T const primal = sum(T(0.5) * error_ + weight() * size_);
        T const gap =
            sum(T(0.5) * error_ + weight() * size_ + a * inner_ + T(0.5) * square(a) * error_);
        return {twice() * static_cast<double>(primal), twice() * static_cast<double>(gap),
                static_cast<double>(T(mean(count_)))};
    }

    dictionary<T, Space> const* d_;
    fista_options o_;
    samples x_;
    double L_;  // of 1/2 |W s - x|^2
    double t_ = 1, t_previous_ = 1;
    matrix c_, s_, previous_, next_;
    Tensor<T, 1, Space> error_, size_, count_, inner_, top_;
    index_t iteration_ = 0;
};

// Codes after so many steps from 0, and what is measured then, by blocks of columns. A block stays
// in cache meanwhile: its codes, their previous values and c, which in float, of 121 atoms and 512
// columns, are 3 x 248 KB.
template <class T, class Space, class How = fused_t>
code_measures solve_by_columns(dictionary<T, Space> const& d, Tensor<T, 2, Space> const& x,
                               Tensor<T, 2, Space>& codes, fista_options const& o, int steps,
                               index_t width = 512, How how = {}) {
    code_measures all_of_them;
    index_t const count = x.extent(1);
    for (index_t first = 0; first < count; first += width) {
        index_t const last = std::min(first + width, count);
        fista<T, Space> solver(d, slice(x, all(), range(first, last)), o);
        for (int k = 1; k < steps; ++k) solver.step(how);
        code_measures const m = steps > 0 ? solver.step_and_measure(how) : solver.measure(how);
        slice(codes, all(), range(first, last)) = solver.codes();
        all_of_them.objective += m.objective;
        all_of_them.gap += m.gap;
        all_of_them.nonzeros +=
            m.nonzeros * static_cast<double>(last - first) / static_cast<double>(count);
    }
    return all_of_them;
}

}  // namespace felt::inline FELT_ABI
