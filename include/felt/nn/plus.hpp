// SPDX-License-Identifier: BSD-3-Clause
//
// plus(a): a(x) + x. plus(a, b): a(x) + b(x). With an activation behind it, plus(a) | relu. Where a
// network ends in a normalisation, that is read here and not written by itself. (He et al., "Deep
// residual learning for image recognition", 2016.)
#pragma once
#include <felt/nn/net.hpp>

namespace felt::nn {

template <class T, class Space, class F>
class plus_stage final : public stage<T, Space> {
    using base = stage<T, Space>;
    using typename base::step;
    using typename base::value;
    using branch = basic_net<T, Space>;

public:
    // Without a shortcut that is what is read.
    plus_stage(branch way, branch shortcut, F f)
        : way_(std::move(way)), shortcut_(std::move(shortcut)), f_(f) {}

    std::size_t layer_count() const override { return 1; }
    std::string text() const override {
        std::string const round = is_identity() ? "" : ", " + shortcut_.text();
        return "plus(" + way_.text() + round + ") | " + f_.text();
    }

    void prepare(value const& in, preparation<T, Space>& p) override {
        auto own = p.inner(0);
        way_.prepare(in, own, branch::last_block::as_others);
        auto round_it = p.inner(1);
        if (!is_identity()) shortcut_.prepare(in, round_it, branch::last_block::as_others);
        value const &a = way_.out(), &b = round(in);
        bool fits = a.rank == 4 && b.rank == 4;
        for (std::size_t r = 0; fits && r < 4; ++r) fits = a.e[r] == b.e[r];
        if (!fits) throw shape_error("nn::plus: " + a.text() + " and " + b.text());
        this->out_ = a;
        this->out_.norm = nullptr, this->out_.data = nullptr;
        this->out_.act = {detail::curve_of<F>};
        this->out_.lie_whole();
        memory_.emplace(workspace<Space>::with(p.scratch));
        between_ = &p.kept.share(p.depth, in.size());
    }
    void share(index_t images, sum_over_parts<T, Space> const& sum) override {
        way_.share(images, sum), shortcut_.share(images, sum);
    }

    void forward(value const& in, step const& all) override {
        step const s = all.within();
        way_.forward(in, s);
        if (!is_identity()) shortcut_.forward(in, s);
        if (way_.out().norm == nullptr && round(in).norm == nullptr) return add(in, s);
        with_sum(in, this->out_, [&](auto const& g, auto const&...) {
            in_mode(s.how, [&](auto how) { g.run_forward(how); });
        });
    }
    void backward(value const& in, step const& all, value const& dy,
                  read_derivative<T, Space> const& dx) override {
        step const s = all.within();
        with_sum(in, dy, [&](auto const& g, auto... to) {
            in_mode(s.how, [&](auto how) { g.run_backward(how, to...); });
        });
        value as_read = in, between = in;
        as_read.act = {}, between.act = {}, between.data = const_cast<T*>(between_->data());
        between.lie_whole();
        value const by_way = derivative_of(way_.out(), s, dy);
        if (is_identity()) {
            auto const sum = [&](auto how) {
                run(how, assign(between.template as<4>(),
                                dy.template as<4>() + dx.also.template as<4>()));
            };
            if (dx.also.data != nullptr) in_mode(s.how, sum);
            way_.backward(in, s, by_way, {dx.to, dx.also.data != nullptr ? between : dy});
        } else if (dx.to.data == nullptr) {
            shortcut_.backward(in, s, derivative_of(shortcut_.out(), s, dy), {});
            way_.backward(in, s, by_way, {});
        } else {
            value const by_shortcut = derivative_of(shortcut_.out(), s, dy);
            shortcut_.backward(as_read, s, by_shortcut, {between, dx.also});
            way_.backward(in, s, by_way, {dx.to, between});
        }
    }
    void infer(value const& in, step const& all) override {
        step const s = all.within();
        way_.infer(in, s);
        if (!is_identity()) shortcut_.infer(in, s);
        add(in, s);
    }

private:
    bool is_identity() const { return shortcut_.is_empty(); }
    value const& round(value const& in) const { return is_identity() ? in : shortcut_.out(); }

    void add(value const& in, step const& s) {
        auto const y = this->out_.template as<4>();
        auto const a = way_.out().template as<4>(), b = round(in).template as<4>();
        in_mode(s.how, [&](auto how) { run(how, assign(y, f_(a + b))); });
    }
    // By what the last block of a network gave: where it was normalised here, that is written
    // already.
    static value derivative_of(value const& y, step const& s, value const& dy) {
        if (y.norm != nullptr) return y;
        if (y.act.of == curve::linear) return dy;
        slope<T> const by{y.act.of, static_cast<T>(y.act.scale)};
        auto const at = y.template as<4>();
        in_mode(s.how, [&](auto how) { run(how, assign(at, map(by, dy.template as<4>(), at))); });
        return y;
    }

    // f(gradient program, destinations..): what is still to be done to a and b, and their sum.
    template <class G>
    void with_sum(value const& in, value const& dy, G const& f) {
        value const &a = way_.out(), &b = round(in);
        if (a.norm != nullptr && b.norm != nullptr)
            derive_sum(read<"x", "gamma", "beta">(a), read<"z", "delta", "epsilon">(b), dy,
                       wrt<"gamma", "beta", "x", "delta", "epsilon", "z">(), f, a.norm->dgamma,
                       a.norm->dbeta, a.template as<4>(), b.norm->dgamma, b.norm->dbeta,
                       b.template as<4>());
        else if (a.norm != nullptr) derive_one(a, b, dy, f);
        else if (b.norm != nullptr) derive_one(b, a, dy, f);
    }
    template <class G>
    void derive_one(value const& a, value const& b, value const& dy, G const& f) {
        derive_sum(read<"x", "gamma", "beta">(a), as_node(b.template as<4>()), dy,
                   wrt<"gamma", "beta", "x">(), f, a.norm->dgamma, a.norm->dbeta,
                   a.template as<4>());
    }
    template <class A, class B, class Names, class G, class... To>
    void derive_sum(A const& a, B const& b, value const& dy, Names names, G const& f, To... to) {
        auto const out = keep<"y">(this->out_.template as<4>(), compose(activated<F>{f_}, a + b));
        View<T const, 4, Space> const by = dy.template as<4>();
        f(gradient(program(out), cotangent<"y">(by), names, *memory_), to...);
    }
    template <fixed_string X, fixed_string G, fixed_string B>
    static auto read(value const& v) {
        auto const& n = *v.norm;
        return batch_norm<X + fixed_string(": norm")>(
            named<X>(v.template as<4>()), named<G>(n.gamma), named<B>(n.beta), n.statistics, n.o);
    }

    branch way_, shortcut_;
    F f_;
    std::optional<workspace<Space>> memory_;
    Tensor<T, 1, Space> const* between_ = nullptr;
};

// plus(a), plus(a, b), as they are or with an activation behind them.
template <class T, class Space, class F = function<detail::identity_of>>
struct plus_of {
    basic_net<T, Space> way, shortcut;
    F f{};

    operator basic_net<T, Space>() && {
        basic_net<T, Space> one;
        one.append(
            std::make_unique<plus_stage<T, Space, F>>(std::move(way), std::move(shortcut), f));
        return one;
    }
};
template <class T, class Space>
plus_of<T, Space> plus(basic_net<T, Space>&& way, basic_net<T, Space>&& shortcut = {}) {
    return {std::move(way), std::move(shortcut)};
}
template <class T, class Space, class F, curve C>
plus_of<T, Space, function<F, C>> operator|(plus_of<T, Space>&& p, function<F, C> f) {
    return {std::move(p.way), std::move(p.shortcut), f};
}
template <class T, class Space, class F>
inline constexpr bool detail::is_network<plus_of<T, Space, F>> = true;

}  // namespace felt::nn
