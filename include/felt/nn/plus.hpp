// SPDX-License-Identifier: BSD-3-Clause
//
// plus(a): a(x) + x. plus(a, b): a(x) + b(x), b being a network, or a layer that is computed as the
// sum is: thinned. plus(a, b, s): b reads every s-th pixel. With an activation behind it,
// plus(a) | relu. Where a network ends in a normalisation, that is read here and not written by
// itself. (He et al., "Deep residual learning for image recognition", 2016.)
#pragma once
#include <felt/nn/net.hpp>

namespace felt::inline FELT_ABI::nn {

template <class T, class Space, class F, class S>
class plus_stage final : public stage<T, Space> {
    using base = stage<T, Space>;
    using typename base::step;
    using typename base::value;
    using typename base::vector;
    using branch = basic_net<T, Space>;

public:
    // Without a network as a shortcut that is `layer` of what is read.
    plus_stage(branch way, branch shortcut, index_t stride, S layer, F f)
        : way_(std::move(way)),
          shortcut_(std::move(shortcut)),
          stride_(stride),
          layer_(layer),
          f_(f) {}

    std::size_t layer_count() const override { return 1; }
    std::string text() const override {
        std::string round;
        if constexpr (is_layer) round = ", " + detail::text_of(layer_);
        if (is_network()) round = ", " + shortcut_.text();
        if (is_network() && stride_ > 1) round += " / " + std::to_string(stride_);
        return "plus(" + way_.text() + round + ") | " + f_.text();
    }

    void prepare(value const& in, preparation<T, Space>& p) override {
        auto own = p.inner(0);
        way_.prepare(in, own, branch::last_block::as_others);
        auto round_it = p.inner(1);
        if (is_network()) shortcut_.prepare(seen(in), round_it, branch::last_block::as_others);
        value const &a = way_.out(), &b = second(in);
        bool fits = a.rank == 4 && b.rank == 4;
        extents<4> const of_b = fits ? round(in).extents() : b.e;
        for (std::size_t r = 0; fits && r < 4; ++r) fits = a.e[r] == of_b[r];
        if (!fits)
            throw shape_error("nn::plus: " + a.text() + " and " + to_string(of_b.value, b.rank));
        this->out_ = a;
        this->out_.norm = nullptr, this->out_.data = nullptr;
        this->out_.act = {detail::curve_of<F>};
        this->out_.lie_whole();
        memory_.emplace(workspace<Space>::with(p.scratch));
        if (is_layer || is_network() || p.depth > 0)  // else dy is the derivative by x
            between_ = &p.kept.share(p.depth, seen(in).size());
    }
    void share(index_t images, sum_over_parts<T, Space> const& sum) override {
        way_.share(images, sum), shortcut_.share(images, sum);
    }

    void forward(value const& in, step const& all) override {
        step const s = all.within();
        way_.forward(in, s);
        if (is_network()) shortcut_.forward(seen(in), s);
        if (way_.out().norm == nullptr && second(in).norm == nullptr) return add(in, s);
        with_sum(in, this->out_, [&](auto const& g, auto const&...) {
            in_mode<Space>(s.how, [&](auto how) { g.run_forward(how); });
        });
    }
    void backward(value const& in, step const& all, value const& dy,
                  read_derivative<T, Space> const& dx) override {
        step const s = all.within();
        with_sum(in, dy, [&](auto const& g, auto... to) {
            in_mode<Space>(s.how, [&](auto how) { g.run_backward(how, to...); });
        });
        value const by_way = derivative_of(way_.out(), s, dy);
        bool const is_asked = dx.to.data != nullptr;
        if constexpr (is_layer) {
            if (is_asked) derive_part(in, s, dy);
            way_.backward(in, s, by_way, dx);
            if (is_asked) add_part(s, dx.to);
        } else if (is_network() && stride_ > 1) {
            derive_shortcut(seen(in), s, dy, {is_asked ? between(seen(in)) : value{}, {}});
            way_.backward(in, s, by_way, dx);
            if (is_asked) add_part(s, dx.to);
        } else if (is_network()) {
            value as_read = in;
            if (is_asked) as_read.act = {};
            value const to = is_asked ? between(in) : value{};
            derive_shortcut(as_read, s, dy, {to, dx.also});
            way_.backward(in, s, by_way, {dx.to, to});
        } else if (dx.also.data != nullptr) {
            auto const to = between(in);
            in_mode<Space>(s.how, [&](auto how) {
                run(how,
                    assign(to.template as<4>(), dy.template as<4>() + dx.also.template as<4>()));
            });
            way_.backward(in, s, by_way, {dx.to, to});
        } else {
            way_.backward(in, s, by_way, {dx.to, is_asked ? dy : value{}});
        }
    }
    void infer(value const& in, step const& all) override {
        step const s = all.within();
        if (is_network()) shortcut_.infer(seen(in), s);
        residual<T, Space> const sum{second(in), this->out_, floor};
        bool const is_one_pass = has_floor && way_.infers_sums();
        way_.infer(in, s, is_one_pass ? &sum : nullptr);
        if (!is_one_pass) add(in, s);
    }
    void fold(vector& parameters, vector& running) override {
        way_.fold(parameters, running), shortcut_.fold(parameters, running);
    }

private:
    static constexpr bool is_layer = !std::is_same_v<S, as_is>;
    static constexpr bool is_relu = detail::curve_of<F> == curve::rectified;
    static constexpr bool has_floor =
        !is_layer && (is_relu || std::is_same_v<F, function<detail::identity_of>>);
    static constexpr T floor = is_relu ? T(0) : -std::numeric_limits<T>::infinity();

    bool is_network() const { return !shortcut_.is_empty(); }
    // What is read beside the network, and what that adds.
    value const& second(value const& in) const { return is_network() ? shortcut_.out() : in; }
    auto round(value const& in) const { return of_layer(as_node(second(in).template as<4>())); }
    auto of_layer(auto const& x) const {
        tuple<> none;
        return layer_(none, x);
    }
    // Every stride-th pixel of it.
    value seen(value const& in) const {
        value v = in;
        for (std::size_t r = 2; r < in.rank && stride_ > 1; ++r)
            v.e[r] = (in.e[r] + stride_ - 1) / stride_, v.stride[r] *= stride_;
        return v;
    }
    value between(value const& in) const {
        value v = in;
        v.act = {}, v.data = shared_memory();
        v.lie_whole();
        return v;
    }
    // The derivative by the part of `in` that the layer reads goes into memory before that is
    // written over, and to the others after it.
    void derive_part(value const& in, step const& s, value const& dy) {
        slope<T> const by{in.act.of, static_cast<T>(in.act.scale)};
        auto const x = named<"x">(seen(in).template as<4>());
        auto const v = let<"v">(compose(behind_activation<T>{by}, x));
        auto const y = let<"y">(layer_.of_part(v));
        View<T const, 4, Space> const at = dy.template as<4>();
        auto const g = gradient(program(v, y), cotangent<"y">(at), wrt<"x">(), *memory_);
        auto const to = view<ChannelsLast, Space>(shared_memory(), x.extents());
        in_mode<Space>(s.how, [&](auto how) { g.run_backward(how, to); });
    }
    void derive_shortcut(value const& in, step const& s, value const& dy,
                         read_derivative<T, Space> const& dx) {
        shortcut_.backward(in, s, derivative_of(shortcut_.out(), s, dy), dx);
    }
    void add_part(step const& s, value const& dx) {
        auto const to = seen(dx).template as<4>();
        auto const more = view<ChannelsLast, Space>(shared_memory(), to.extents());
        in_mode<Space>(s.how, [&](auto how) { run(how, assign(to, to + more)); });
    }
    T* shared_memory() const { return const_cast<T*>(between_->data()); }

    void add(value const& in, step const& s) {
        auto const y = this->out_.template as<4>();
        auto const a = way_.out().template as<4>();
        in_mode<Space>(s.how, [&](auto how) { run(how, assign(y, f_(a + round(in)))); });
    }
    // By what the last block of a network gave: where it was normalised here, that is written
    // already.
    static value derivative_of(value const& y, step const& s, value const& dy) {
        if (y.norm != nullptr) return y;
        if (y.act.of == curve::linear) return dy;
        slope<T> const by{y.act.of, static_cast<T>(y.act.scale)};
        auto const at = y.template as<4>();
        in_mode<Space>(s.how,
                       [&](auto how) { run(how, assign(at, map(by, dy.template as<4>(), at))); });
        return y;
    }

    // f(gradient program, destinations..): what is still to be done to a and b, and their sum.
    template <class G>
    void with_sum(value const& in, value const& dy, G const& f) {
        value const& a = way_.out();
        if constexpr (is_layer) {
            if (a.norm != nullptr) derive_one(a, round(in), dy, f);
        } else if (value const& b = second(in); a.norm != nullptr && b.norm != nullptr) {
            derive_sum(read<"x", "gamma", "beta">(a), read<"z", "delta", "epsilon">(b), dy,
                       wrt<"gamma", "beta", "x", "delta", "epsilon", "z">(), f, a.norm->dgamma,
                       a.norm->dbeta, a.template as<4>(), b.norm->dgamma, b.norm->dbeta,
                       b.template as<4>());
        } else if (a.norm != nullptr) {
            derive_one(a, as_node(b.template as<4>()), dy, f);
        } else if (b.norm != nullptr) {
            derive_one(b, as_node(a.template as<4>()), dy, f);
        }
    }
    template <class B, class G>
    void derive_one(value const& a, B const& b, value const& dy, G const& f) {
        derive_sum(read<"x", "gamma", "beta">(a), b, dy, wrt<"gamma", "beta", "x">(), f,
                   a.norm->dgamma, a.norm->dbeta, a.template as<4>());
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
    index_t stride_;  // of the pixels that go into the shortcut
    S layer_;
    F f_;
    std::optional<workspace<Space>> memory_;
    Tensor<T, 1, Space> const* between_ = nullptr;
};

// plus(a), plus(a, b), plus(a, b, stride), as they are or with an activation behind them.
template <class T, class Space, class S, class F = function<detail::identity_of>>
struct plus_of {
    basic_net<T, Space> way, shortcut;
    index_t stride = 1;
    S layer{};
    F f{};

    operator basic_net<T, Space>() && {
        basic_net<T, Space> one;
        one.append(std::make_unique<plus_stage<T, Space, F, S>>(std::move(way), std::move(shortcut),
                                                                stride, layer, f));
        return one;
    }
};
template <class T, class Space>
plus_of<T, Space, as_is> plus(basic_net<T, Space>&& way, basic_net<T, Space>&& shortcut = {},
                              index_t stride = 1) {
    return {std::move(way), std::move(shortcut), stride};
}
template <class T, class Space>
plus_of<T, Space, thinned> plus(basic_net<T, Space>&& way, thinned shortcut) {
    return {std::move(way), {}, shortcut.stride, shortcut};
}
template <class T, class Space, class S, class F, curve C>
plus_of<T, Space, S, function<F, C>> operator|(plus_of<T, Space, S>&& p, function<F, C> f) {
    return {std::move(p.way), std::move(p.shortcut), p.stride, p.layer, f};
}
template <class T, class Space, class S, class F>
inline constexpr bool detail::is_network<plus_of<T, Space, S, F>> = true;

}  // namespace felt::inline FELT_ABI::nn
