// SPDX-License-Identifier: BSD-3-Clause
//
// A block in a network: a program of its layers, and what is derived from that.
#pragma once
#include <felt/nn/block_facts.hpp>
#include <felt/nn/fold.hpp>
#include <felt/nn/stage.hpp>
#include <optional>

namespace felt::inline FELT_ABI::nn {

template <class T, class Space, class... L>
class block_stage : public stage<T, Space> {
    using base = stage<T, Space>;
    using typename base::step;
    using typename base::value;
    using typename base::vector;
    static constexpr std::size_t rank_in = detail::rank_read<L...>;
    // Others are handed what is normalised.
    static constexpr bool reads_pending =
        ((detail::is_norm<L> || requires { L::reads_normalised; }) || ...);

public:
    explicit block_stage(block<L...> const& b) : layers_(b.layers) {}

    bool reads_pending_norm() const override { return reads_pending; }
    bool only_settles() const override { return layer_count() == 0; }
    std::size_t layer_count() const override {
        return (std::size_t{!std::is_same_v<L, as_is>} + ... + 0);
    }

    std::string text() const override {
        return apply([](auto const&... l) { return detail::texts_of(l...); }, layers_);
    }

    void prepare(value const& in, preparation<T, Space>& p) override {
        step_ = nullptr;
        site_.prepare(p.prefix, p.layers_before, images_in(in), p.trained, p.begin, p.running,
                      p.kept);
        memory_.emplace(workspace<Space>::with(p.scratch));
        zero_ = p.kept.take(1);
        View<T, 1, Space>(zero_, {{1}}, {{1}}) = T(0);
        with_parts<false>(in, [&](auto const&, auto const& e, auto const& end) {
            this->out_ = detail::shape_of<L...>(e, in);
            note(end, e);
        });
        read_by_columns(in.rank == 3 ? in.e[0] * in.e[1] : in.e[0],
                        std::index_sequence_for<L...>{});
    }

    void share(index_t images, sum_over_parts<T, Space> const& sum) override {
        site_.share(images, sum);
    }

    void forward(value const& in, step const& s) override {
        begin(s);
        auto const run = [&](auto const& g, auto const&) {
            in_mode<Space>(s.how, [&](auto how) { g.run_forward(how); });
        };
        with_gradient(in, this->out_, {in, {}}, run);
    }

    void backward(value const& in, step const& s, value const& dy,
                  read_derivative<T, Space> const& dx) override {
        begin(s);
        with_gradient(in, dy, dx, [&](auto const& g, auto const& to) {
            auto const all = to();
            in_mode<Space>(s.how, [&](auto how) {
                apply([&](auto const&... each) { g.run_backward(how, each...); }, all);
            });
        });
        if (has_parameters && s.ready) s.ready(site_.first_offset());
    }

    void infer(value const& in, step const& s) override {
        infer_into(in, s, this->out_, [](auto const& y) { return y; });
    }
    bool infers_sums() const override { return ends_in_norm; }
    void infer_sum(value const& in, step const& s, residual<T, Space> const& sum) override {
        if constexpr (ends_in_norm)
            infer_into(in, s, sum.to, [&](auto const& y) {
                return maximum(y + sum.more.template as<rank_of<decltype(y)>>(), sum.floor);
            });
    }

    void fold(vector& parameters, vector& running) override {
        site_.begin_step(parameters, running, {});
        site_.begin_expression(pass::folded);
        fold_layers(parameters, std::index_sequence_for<L...>{});
        detail::put_columns(site_, parameters);
    }

private:
    static constexpr bool has_parameters = !(detail::has_no_parameters<L> && ...);
    static constexpr bool has_norm = (detail::is_norm<L> || ...);
    static constexpr bool ends_in_norm = detail::is_norm<detail::layer_at<sizeof...(L) - 1, L...>>;

    template <std::size_t... I>
    void read_by_columns(index_t rows, std::index_sequence<I...>) {
        constexpr bool is_linear[] = {detail::folds_norm<L>..., false};
        ((is_linear[I] ? site_.read_by_columns(I, rows) : void()), ...);
    }
    template <std::size_t... I>
    void fold_layers(vector& parameters, std::index_sequence<I...>) {
        auto const fold_layer = [&]<std::size_t K>(derive::by<K>) {
            if constexpr (detail::is_norm<detail::layer_at<K, L...>>)
                detail::fold_norm(site_, K, get<K>(layers_).o.epsilon, detail::is_folded<K, L...>,
                                  parameters);
        };
        (fold_layer(derive::by<I>{}), ...);
    }

    // of(y), of what the block makes of `in`.
    template <class F>
    void infer_into(value const& in, step const& s, value const& to, F const& of) {
        begin(s);
        if constexpr (has_norm) {
            if (s.is_folded) return infer_by<pass::folded>(in, s.how, to, of);
        }
        infer_by<pass::inference>(in, s.how, to, of);
    }
    template <pass Pass, class F>
    void infer_by(value const& in, mode how, value const& to, F const& of) {
        auto const x = as_node(in.template as<rank_in>());
        chain<T, Space, Pass, L...>{site_, layers_}(
            tuple<>{}, x, [&](auto const& parts, auto const& e, ends_plain) {
                auto const y = to.template as<rank_of<decltype(e)>>();
                auto const last = felt::detail::make_statement(y, as_node(of(e)), false);
                auto const all = derive::join(statements_of(parts), felt::make_tuple(last));
                in_mode<Space>(how, [&](auto h) { derive::run_list(h, all); });
            });
    }

    void begin(step const& s) {
        step_ = &s;
        site_.begin_step(s.theta, s.running, s.draw, s.is_folded);
    }

    // f(parts, e, how it ends) of what the block makes of `in`.
    template <bool Normalised, class F>
    auto with_parts(value const& in, F const& f) {
        auto const x = named<"x">(in.template as<rank_in>());
        auto const v = let<"v">([&] {
            if constexpr (Normalised) {
                auto const& n = *in.norm;
                auto const floor = n.rectified ? T(0) : -std::numeric_limits<T>::infinity();
                return compose(from_floor<T>{floor},
                               batch_norm<"norm">(x, named<"gamma">(n.gamma), named<"beta">(n.beta),
                                                  n.statistics, n.o));
            } else {
                slope<T> const by{in.act.of, static_cast<T>(in.act.scale)};
                return compose(behind_activation<T>{by}, x);
            }
        }());
        return chain<T, Space, pass::training, L...>{site_, layers_}(felt::make_tuple(v), v, f);
    }

    // f(gradient program, its destinations, when it is called) of one that has no more than what
    // `dx` wants.
    template <class F>
    void with_gradient(value const& in, value const& dy, read_derivative<T, Space> const& dx,
                       F const& f) {
        if constexpr (reads_pending) {
            if (in.norm != nullptr) return derive_it<true, true>(in, dy, dx, f);
        }
        if (dx.to.data != nullptr) derive_it<false, true>(in, dy, dx, f);
        else if constexpr (has_parameters) derive_it<false, false>(in, dy, dx, f);
    }
    template <bool Normalised, bool Dx, class F>
    void derive_it(value const& in, value const& dy, read_derivative<T, Space> const& dx,
                   F const& f) {
        with_parts<Normalised>(in, [&](auto const& parts, auto const& e, auto const& end) {
            auto const p = derive::program_with(derive::join(parts, last_parts(e, end)));
            auto const by_y = cotangent<"y">(as_constant(dy.template as<rank_of<decltype(e)>>()));
            auto const names = detail::parameters_of(p);
            auto const run = [&](auto const& j) {
                auto const make = [&](auto... n) {
                    return gradient(p, j, wrt_of<Normalised, Dx>(n...), *memory_);
                };
                f(apply(make, names), [&] { return destinations<Normalised, Dx>(names, in, dx); });
            };
            if constexpr (Dx && !Normalised) run(by_y + cotangent<"v">(also(in, dx)));
            else run(by_y);
        });
    }
    template <bool Normalised, bool Dx, class... N>
    static auto wrt_of(N...) {
        using x = literal_name<"x">;
        if constexpr (Normalised)
            return wrt_names<typename N::name..., literal_name<"gamma">, literal_name<"beta">, x>{};
        else if constexpr (Dx) return wrt_names<typename N::name..., x>{};
        else return wrt_names<typename N::name...>{};
    }
    template <bool Normalised, bool Dx, class Names>
    auto destinations(Names const& names, value const& in,
                      read_derivative<T, Space> const& dx) const {
        auto const of_layers = apply(
            [&](auto... n) {
                return felt::make_tuple(site_.template derivative<decltype(n)::rank>(
                    decltype(n)::name::text, *step_->gradient)...);
            },
            names);
        auto const to = [&] { return felt::make_tuple(dx.to.template as<rank_in>()); };
        if constexpr (Normalised)
            return derive::join_all(of_layers, felt::make_tuple(in.norm->dgamma, in.norm->dbeta),
                                    to());
        else if constexpr (Dx) return derive::join(of_layers, to());
        else return of_layers;
    }
    View<T const, rank_in, Space> also(value const& in, read_derivative<T, Space> const& dx) const {
        if (dx.also.data != nullptr) return dx.also.template as<rank_in>();
        return {zero_, in.template as<rank_in>().extents(), {}};
    }
    template <class V>
    static auto as_constant(V const& v) {
        return View<T const, V::rank, Space>(v);
    }

    // The last part: what is written to out(), and what a reader that normalises it needs.
    template <class E>
    auto last_parts(E const& e, ends_plain) {
        return felt::make_tuple(keep<"y">(this->out_.template as<rank_of<E>>(), e));
    }
    template <class E, class F>
    auto last_parts(E const& e, ends_activated<F> const& end) {
        return felt::make_tuple(
            keep<"y">(this->out_.template as<rank_of<E>>(), compose(activated<F>{end.f}, e)));
    }
    template <class E>
    auto last_parts(E const& e, ends_normalised const& end) {
        point_to_norm(end, e.extents());
        auto const y = keep<"y">(this->out_.template as<rank_of<E>>(), e);
        auto const& to = norm_->statistics;
        auto const apart = y - along<1>(to.mean);
        return felt::make_tuple(
            y, keep<"y: sum">(to.first(), derive::channel_sum(apart)),
            keep<"y: squares">(to.second(), derive::channel_sum(square(apart))));
    }

    template <class E>
    void note(ends_plain, E const&) {}
    template <class F, class E>
    void note(ends_activated<F> const& end, E const&) {
        this->out_.act = end.act;
    }
    template <class E>
    void note(ends_normalised const& end, E const& e) {
        point_to_norm(end, e.extents());
        this->out_.norm = &*norm_;
    }
    void point_to_norm(ends_normalised const& end, extents<4> const& y) {
        extents<1> const e{{y[1]}};
        auto const gamma = site_.next("norm.weight", end.layer, "weight", e, constant(1));
        auto const beta = site_.next("norm.bias", end.layer, "bias", e, zeros);
        auto const running = site_.statistics(end.layer, y);
        View<T, 1, Space> const sums(site_.slot(2 * y[1]), {{2 * y[1]}}, {{1}});
        auto const derivative = [&](char const* label) {
            bool const is_wanted = step_ != nullptr && step_->gradient != nullptr;
            return is_wanted ? site_.template derivative<1>(label, *step_->gradient)
                             : View<T, 1, Space>(nullptr, e, {{1}});
        };
        norm_.emplace(pending_norm<T, Space>{gamma,
                                             beta,
                                             derivative("norm.weight"),
                                             derivative("norm.bias"),
                                             {running, sums},
                                             end.o,
                                             end.rectified});
    }

    static extents<4> images_in(value const& in) { return in.rank == 4 ? in.e : extents<4>{}; }
    template <class... P>
    static auto statements_of(tuple<P...> const& parts) {
        return apply([](auto const&... p) { return derive::join_all(p.items()...); }, parts);
    }

    tuple<L...> layers_;
    site<T, Space> site_;
    std::optional<workspace<Space>> memory_;
    T* zero_ = nullptr;
    step const* step_ = nullptr;
    std::optional<pending_norm<T, Space>> norm_;
};

// What a layer by itself is in a network: a block of it, or what it says it is.
template <class T, class Space, class L>
struct stage_for {
    struct type final : block_stage<T, Space, L> {
        explicit type(L const& layer) : block_stage<T, Space, L>(block<L>{{layer}}) {}
    };
};

}  // namespace felt::inline FELT_ABI::nn
