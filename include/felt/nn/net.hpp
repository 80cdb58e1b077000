// SPDX-License-Identifier: BSD-3-Clause
//
// A network: blocks one behind another. | within a block fuses, << cuts: what a block gives is in
// memory, where the next one reads it, behind a virtual function. A block's type is compiled once,
// however often it occurs and in however many networks.
//
//   nn::net net = nn::net{} << (nn::conv{32, 3} | nn::relu) << nn::max_pool{} << nn::dense{10};
//   net.prepare({128, 1, 28, 28});
//   felt::adam<float> optimiser(net.initial(seed));
//   optimiser.step([&](auto const& theta, auto& g) {
//       return net.cost(fused, x, nn::cross_entropy(labels), theta, g);
//   });
#pragma once
#include <felt/nn/block.hpp>
#include <felt/nn/loss.hpp>

namespace felt::inline FELT_ABI::nn {

template <class T, class Space>
class basic_net;
template <class T, class Space>
inline constexpr bool detail::is_network<basic_net<T, Space>> = true;

template <class T = float, class Space = Host>
class basic_net {
public:
    using value_type = T;
    using space = Space;
    using vector = Tensor<T, 1, Space>;
    using value = boundary<T, Space>;
    using step = step_of<T, Space>;

    template <class L>
        requires(!detail::is_network<L>)
    basic_net& operator<<(L const& layer) & {
        stages_.push_back(std::make_unique<typename stage_for<T, Space, L>::type>(layer));
        return *this;
    }
    template <class... L>
    basic_net& operator<<(block<L...> const& b) & {
        append(std::make_unique<block_stage<T, Space, L...>>(b));
        return *this;
    }
    template <class N>
        requires(detail::is_network<N>)
    basic_net& operator<<(N&& network) & {
        basic_net more = std::move(network);
        for (auto& s : more.stages_) stages_.push_back(std::move(s));
        return *this;
    }
    template <class B>
    basic_net&& operator<<(B&& b) && {
        return std::move(*this << std::forward<B>(b));
    }

    // For batches of these extents: (samples, ..). Throws shape_error.
    template <std::size_t R>
    void prepare(extent_arg const (&batch)[R]) {
        prepare(make_extents(batch));
    }
    template <std::size_t R>
    void prepare(extents<R> const& batch) {
        if (stages_.empty()) throw error("nn: a network without blocks");
        in_ = {};
        in_.rank = R;
        for (std::size_t r = 0; r < R; ++r) in_.e[r] = batch[r];
        in_.lie_whole();
        parts_ = std::make_unique<parts>();
        preparation<T, Space> p{parts_->trained, parts_->running, parts_->begin, parts_->kept,
                                parts_->scratch};
        prepare(in_, p, last_block::settled);
        parts_->kept.allocate_shared();
        running_ = vector(extents<1>{{parts_->running.size()}});
        begin_statistics();
    }

    parameter_list const& parameters() const { return parts_->trained; }
    std::vector<init> const& beginnings() const { return parts_->begin; }  // how each one begins
    parameter_list const& statistics() const { return parts_->running; }
    vector& running() { return running_; }
    vector const& running() const { return running_; }
    // The same in every space.
    template <class Where = Space>
    Tensor<T, 1, Where> initial(std::uint64_t seed) const;
    // Elements between blocks and within them, without the network's own input.
    index_t kept() const { return parts_->kept.taken(); }
    value const& out() const { return stages_.back()->out(); }

    // f("forward", k) is called when block k has run, f("backward", k) on the way back.
    void watch(std::function<void(char const*, std::size_t)> f) { passed_ = std::move(f); }

    // What the network makes of x, for a backward pass or not. Throws shape_error for other extents
    // than prepare() was given, and for a theta of another size.
    template <strided_array X>
    void forward(mode how, X const& x, vector const& theta, draws draw = {}) {
        check(theta);
        forward(shown(x), {how, theta, running_, nullptr, draw, {}, passed_});
    }
    template <strided_array X>
    void infer(mode how, X const& x, vector const& theta) {
        check(theta);
        infer(shown(x), {how, theta, running_, nullptr, 0, {}, passed_});
    }
    // What it makes of x with the parameters and the statistics that were folded.
    template <strided_array X>
    void infer(mode how, X const& x, folded<T, Space> const& by) {
        check(by.parameters, "folded parameters");
        infer(shown(x), {how, by.parameters, running_, nullptr, 0, {}, passed_, true});
    }
    // A copy of these parameters with normalisations by running(), as it is now, in them.
    folded<T, Space> fold(vector const& theta) {
        check(theta);
        folded<T, Space> now{theta};
        fold(now.parameters, running_);
        return now;
    }

    // loss(z): a cost, of rank 0, of what the network gives, as samples in rows, or keeping(p, a
    // cost). Its gradient is written; ready(k): elements k and after of it are final.
    template <strided_array X, class Loss>
    double cost(mode how, X const& x, Loss const& loss, vector const& theta, vector& g,
                draws draw = {}, std::function<void(index_t)> ready = {}) {
        check(theta), check(g);
        step const s{how, theta, running_, &g, draw, std::move(ready), passed_};
        value const in = shown(x);
        forward(in, s);
        double const j = head(how, loss);
        backward(in, s, stages_.back()->derivative(), {});
        return j;
    }

    // Of its blocks, and of all: "conv 64, 3 x 3 | relu << dense 10".
    std::vector<std::string> texts() const {
        std::vector<std::string> all;
        for (auto const& s : stages_) all.push_back(s->text());
        return all;
    }
    std::string text() const {
        std::string all;
        for (auto const& s : stages_) all += (all.empty() ? "" : " << ") + s->text();
        return all;
    }

    // As a stage of another one does.
    enum class last_block { as_others, settled, lies_elsewhere };
    void prepare(value const& in, preparation<T, Space>& p, last_block last);
    void backward(value const& in, step const& s, value const& dy,
                  read_derivative<T, Space> const& dx);
    // Statistics of normalisations are those of so many images, of which a batch is a part; `sum`
    // outlives this.
    void share(index_t images, sum_over_parts<T, Space> const& sum) {
        for (auto& s : stages_) s->share(images, sum);
    }
    std::size_t layer_count() const {
        std::size_t n = 0;
        for (auto const& s : stages_) n += s->layer_count();
        return n;
    }
    bool is_empty() const { return stages_.empty(); }
    void append(std::unique_ptr<stage<T, Space>> s) { stages_.push_back(std::move(s)); }
    void put(value const& last) { stages_.back()->put(last); }
    void fold(vector& parameters, vector& running) {
        for (auto& s : stages_) s->fold(parameters, running);
    }
    void forward(value const& in, step const& s) {
        for_each(in, s, [&](auto& stage, value const& from) -> auto& {
            stage.forward(from, s);
            return stage.out();
        });
    }
    bool infers_sums() const { return stages_.back()->infers_sums(); }
    void infer(value const& in, step const& s, residual<T, Space> const* sum = nullptr) {
        for_each(in, s, [&](auto& stage, value const& from) -> auto& {
            bool const is_last = &stage == stages_.back().get();
            if (!is_last && stage.only_settles()) return from;
            if (is_last && sum != nullptr) stage.infer_sum(from, s, *sum);
            else stage.infer(from, s);
            return stage.out();
        });
    }

private:
    // f(stage, what it reads), from the first to the last, gives what the next one reads.
    template <class F>
    void for_each(value const& in, step const& s, F const& f) {
        value const* from = &in;
        for (std::size_t k = 0; k < stages_.size(); ++k) {
            from = &f(*stages_[k], *from);
            if (s.passed) s.passed("forward", k);
        }
    }
    struct parts {
        parameter_list trained, running;
        std::vector<init> begin;
        memory<T, Space> kept;
        workspace<Space> scratch;
    };

    // Of parameters or of derivatives by them.
    void check(vector const& v, char const* what = "a vector") const {
        if (!parts_) throw error("nn: prepare() a network before it is run");
        index_t const n = parts_->trained.size();
        if (v.size() != n)
            throw shape_error(std::string("nn: ") + what + " of " + std::to_string(v.size()) +
                              " elements for parameters of " + std::to_string(n));
    }
    // What stage k - 1 gives is normalised and written.
    void settle(std::size_t k) {
        auto const at = stages_.begin() + static_cast<std::ptrdiff_t>(k);
        stages_.insert(at, std::make_unique<block_stage<T, Space, as_is>>(block<as_is>{}));
    }
    template <class X>
    value shown(X const& x) const {
        constexpr std::size_t R = rank_of<X>;
        value v = in_;
        bool fits = v.rank == R;
        for (std::size_t r = 0; fits && r < R; ++r) fits = v.e[r] == x.extents()[r];
        if (!fits)
            throw shape_error("nn: a batch of " + felt::to_string(x.extents().value, R) +
                              " for a network that was prepared for " + v.text());
        v.data = const_cast<T*>(x.data());
        for (std::size_t r = 0; r < R; ++r) v.stride[r] = x.strides()[r];
        return v;
    }
    template <class Loss>
    double head(mode how, Loss const& loss) {
        auto const y = out().template as<2>();
        auto const dy = stages_.back()->derivative().template as<2>();
        auto const z = named<"z">(y);
        auto const v = let<"v">(
            compose(behind_activation<T>{{out().act.of, static_cast<T>(out().act.scale)}}, z));
        auto j = detail::derived_cost(v, loss(v), parts_->scratch);
        double cost = 0;
        in_mode<Space>(how, [&](auto h) { cost = static_cast<double>(j(h, dy)); });
        return cost;
    }
    void begin_statistics() {
        running_ = T(0);
        for (auto const& of : parts_->running.entries()) {
            if (!of.name.ends_with("running_var")) continue;
            View<T, 1, Space>(running_.data() + of.offset, {{of.size}}, {{1}}) = T(1);
        }
    }

    std::vector<std::unique_ptr<stage<T, Space>>> stages_;
    value in_;
    std::unique_ptr<parts> parts_;
    vector running_;
    std::function<void(char const*, std::size_t)> passed_;
};

template <class T, class Space>
void basic_net<T, Space>::prepare(value const& in, preparation<T, Space>& p, last_block last) {
    std::size_t const before = std::exchange(p.layers_before, 0);
    value const* from = &in;
    for (std::size_t k = 0; k < stages_.size(); ++k) {
        if (from->norm != nullptr && !stages_[k]->reads_pending_norm()) settle(k);
        auto& s = *stages_[k];
        s.prepare(*from, p);
        p.layers_before += s.layer_count();
        bool const is_last = k + 1 == stages_.size();
        if (is_last && last != last_block::as_others && s.out().norm != nullptr) settle(k + 1);
        else if (is_last && last == last_block::lies_elsewhere) break;
        if (s.out().data == nullptr) {
            value out = s.out();
            out.data = p.kept.take(out.size());
            s.put(out);
        }
        from = &s.out();
    }
    p.layers_before = before;
}

template <class T, class Space>
void basic_net<T, Space>::backward(value const& in, step const& s, value const& dy,
                                   read_derivative<T, Space> const& dx) {
    for (std::size_t k = stages_.size(); k-- > 0;) {
        value const& by = k + 1 < stages_.size() ? stages_[k]->derivative() : dy;
        stage<T, Space>* const before = k > 0 ? stages_[k - 1].get() : nullptr;
        if (before == nullptr) stages_[k]->backward(in, s, by, dx);
        else stages_[k]->backward(before->out(), s, by, {before->derivative(), {}});
        if (s.passed) s.passed("backward", k);
    }
}

template <class T, class Space>
template <class Where>
Tensor<T, 1, Where> basic_net<T, Space>::initial(std::uint64_t seed) const {
    Tensor<T, 1, Where> theta(extents<1>{{parts_->trained.size()}});
    auto const& all = parts_->trained.entries();
    for (std::size_t k = 0; k < all.size(); ++k) {
        View<T, 1, Where> const to(theta.data() + all[k].offset, {{all[k].size}}, {{1}});
        write_initial(to, all[k].extents, parts_->begin[k], seed + k);
    }
    return theta;
}

using net = basic_net<>;

}  // namespace felt::inline FELT_ABI::nn
