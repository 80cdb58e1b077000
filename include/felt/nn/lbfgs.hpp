// SPDX-License-Identifier: BSD-3-Clause
//
// L-BFGS with a strong-Wolfe line search: minimises a cost of many parameters x.
//
//   d = -H g,  x <- x + t d,  s = t d,  y = g(x + t d) - g(x)
//
// where H, an estimate of the inverse Hessian, is made of the last `corrections` pairs s, y by the
// two-loop recursion (Nocedal and Wright, algorithm 7.4). The defaults are those of minFunc.
// The caller makes the steps:
//
//   felt::lbfgs<float> optimiser(std::move(theta));
//   while (optimiser.iteration() < 400 && optimiser.step(cost)) show(optimiser.cost());
//
// cost(x, gradient) writes the gradient at x and returns the cost.
#pragma once
#include <felt/felt.hpp>
#include <felt/nn/wolfe.hpp>
#include <string>
#include <vector>

namespace felt::inline FELT_ABI {

struct lbfgs_options {
    index_t corrections = 100;
    double c1 = 1e-4, c2 = 0.9;        // of the line search
    double gradient_tolerance = 1e-5;  // ends at max |g| <= this
    double progress_tolerance = 1e-9;  // ends at max |s| or a change of the cost below this
    int line_search_steps = 25;
};

enum class lbfgs_end { none, gradient, slope, step, progress };

template <class T, class Space = Host>
class lbfgs {
public:
    using vector = Tensor<T, 1, Space>;

    explicit lbfgs(vector x, lbfgs_options const& o = {})
        : o_(o), x_(std::move(x)), g_(x_.extents()), d_(x_.extents()), trial_(x_.extents()) {}

    vector const& x() const { return x_; }
    vector const& gradient() const { return g_; }
    double cost() const { return cost_; }
    double gradient_norm() const { return std::sqrt(inner(g_, g_)); }
    index_t iteration() const { return iteration_; }
    index_t evaluations() const { return evaluations_; }  // of the cost
    lbfgs_end end() const { return end_; }                // why step() returned false
    lbfgs_options const& options() const { return o_; }

    // Evaluates the starting point, unless that was done.
    template <class Cost>
    void start(Cost&& cost) {
        if (evaluations_ > 0) return;
        cost_ = cost(x_, g_);
        evaluations_ = 1;
        if (largest(g_) <= o_.gradient_tolerance) end_ = lbfgs_end::gradient;
    }

    // One iteration. False if there is none to make; end() says why.
    template <class Cost>
    bool step(Cost&& cost) {
        start(cost);
        if (end_ != lbfgs_end::none) return false;
        find_direction();
        point from{0, cost_, inner(g_, d_), {}};
        if (!(from.slope < -o_.progress_tolerance)) return ended(lbfgs_end::slope);
        double const reach = largest(d_), tolerance = o_.progress_tolerance / reach;
        auto const probe = [&](point& p) { visit(cost, p); };
        point to = wolfe_search(std::move(from), first_length(), probe,
                                {o_.c1, o_.c2, o_.line_search_steps, tolerance});
        if (to.t == 0) return ended(lbfgs_end::step);
        move(to, reach);
        return true;
    }

    // f(name, part) for every part of the state: an index_t, a double or a vector. What it reads
    // here and writes into another optimiser of the same options makes that go on bit for bit.
    template <class F>
    void each_part(F&& f) {
        auto kind = static_cast<index_t>(end_), pairs = static_cast<index_t>(pairs_.size());
        f("iteration", iteration_), f("evaluations", evaluations_), f("end", kind);
        f("pairs", pairs), f("cost", cost_), f("scale", scale_), f("x", x_), f("gradient", g_);
        end_ = static_cast<lbfgs_end>(kind);
        pairs_.resize(static_cast<std::size_t>(pairs));
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            pair& p = pairs_[k];
            if (p.s.size() == 0) p = {vector(x_.extents()), vector(x_.extents()), 0};
            std::string const number = std::to_string(k);
            f("s" + number, p.s), f("y" + number, p.y), f("sy" + number, p.sy);
        }
    }

private:
    using point = line_point<vector>;
    struct pair {
        vector s, y;
        double sy = 0;  // s . y
    };

    // All that is done with vectors: few loops, each compiled once.
    static double inner(vector const& a, vector const& b) { return T(sum(a * b)); }
    static double largest(vector const& v) { return T(max(abs(v))); }
    static void scale(vector& y, double a, vector const& x) { y = static_cast<T>(a) * x; }
    static void add(vector& y, vector const& x, double a, vector const& z) {
        y = x + static_cast<T>(a) * z;
    }

    bool ended(lbfgs_end why) {
        end_ = why;
        return false;
    }

    // What is known of H makes 1 a good length, but at first nothing is known.
    double first_length() const {
        return iteration_ > 0 ? 1.0 : std::min(1.0, 1.0 / T(sum(abs(g_))));
    }

    template <class Cost>
    void visit(Cost&& cost, point& p) {
        if (p.gradient.size() == 0) p.gradient.reset(x_.extents());
        add(trial_, x_, p.t, d_);
        p.value = cost(std::as_const(trial_), p.gradient);
        p.slope = inner(p.gradient, d_);
        ++evaluations_;
    }

    // d = -H g. Newest pair first, then oldest first.
    void find_direction() {
        std::vector<double> a(pairs_.size());
        scale(d_, -1, g_);
        for (std::size_t k = pairs_.size(); k-- > 0;) {
            pair const& p = pairs_[k];
            a[k] = inner(p.s, d_) / p.sy;
            add(d_, d_, -a[k], p.y);
        }
        scale(d_, scale_, d_);
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            pair const& p = pairs_[k];
            add(d_, d_, a[k] - inner(p.y, d_) / p.sy, p.s);
        }
    }

    void move(point& to, double reach) {
        remember(to);
        add(x_, x_, to.t, d_);
        std::swap(g_, to.gradient);
        double const change = cost_ - to.value;
        cost_ = to.value;
        ++iteration_;
        if (largest(g_) <= o_.gradient_tolerance) end_ = lbfgs_end::gradient;
        else if (to.t * reach <= o_.progress_tolerance) end_ = lbfgs_end::step;
        else if (std::abs(change) < o_.progress_tolerance) end_ = lbfgs_end::progress;
    }

    // A pair along which the slope does not grow is left out, so that H stays positive definite.
    void remember(point const& to) {
        pair& p = spare_;
        if (p.s.size() == 0) p = {vector(x_.extents()), vector(x_.extents()), 0};
        scale(p.s, to.t, d_);
        add(p.y, to.gradient, -1, g_);
        p.sy = inner(p.s, p.y);
        if (o_.corrections == 0 || !(p.sy > 1e-10)) return;
        scale_ = p.sy / inner(p.y, p.y);
        if (static_cast<index_t>(pairs_.size()) < o_.corrections) {
            pairs_.push_back(std::exchange(spare_, {}));
        } else {
            std::rotate(pairs_.begin(), pairs_.begin() + 1, pairs_.end());
            std::swap(pairs_.back(), spare_);
        }
    }

    lbfgs_options o_;
    vector x_, g_, d_, trial_;
    std::vector<pair> pairs_;  // oldest first
    pair spare_;               // room for the next one
    double cost_ = 0, scale_ = 1;
    index_t iteration_ = 0, evaluations_ = 0;
    lbfgs_end end_ = lbfgs_end::none;
};

}  // namespace felt::inline FELT_ABI
