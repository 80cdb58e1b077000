// SPDX-License-Identifier: BSD-3-Clause
//
// beside(a, b, ..): networks that read the same; what they give is one tensor, channels behind one
// another. Each writes its own channels of it, and reads those of the derivative: nothing is
// copied.
#pragma once
#include <felt/nn/net.hpp>

namespace felt::inline FELT_ABI::nn {

template <class T, class Space>
class beside_stage final : public stage<T, Space> {
    using base = stage<T, Space>;
    using typename base::step;
    using typename base::value;
    using typename base::vector;
    using branch = basic_net<T, Space>;

public:
    explicit beside_stage(std::vector<branch> all) : all_(std::move(all)) {}

    std::size_t layer_count() const override { return 1; }
    std::string text() const override { return "beside of " + std::to_string(all_.size()); }

    void prepare(value const& in, preparation<T, Space>& p) override {
        for (std::size_t k = 0; k < all_.size(); ++k) {
            branch& b = all_[k];
            auto own = p.inner(k);
            b.prepare(in, own, branch::last_block::lies_elsewhere);
            if (k == 0) this->out_ = b.out();
            else join(b.out());
        }
        this->out_.data = nullptr;
        this->out_.lie_whole();
        if (all_.size() > 1) between_ = &p.kept.share(p.depth, in.size());
    }
    void put(value const& out) override {
        this->out_ = out;
        index_t channel = 0;
        for (branch& b : all_) {
            b.put(channels(out, channel, b.out().e[1]));
            channel += b.out().e[1];
        }
    }
    void share(index_t images, sum_over_parts<T, Space> const& sum) override {
        for (branch& b : all_) b.share(images, sum);
    }

    void forward(value const& in, step const& all) override {
        step const s = all.within();
        for (branch& b : all_) b.forward(in, s);
    }
    // Each adds its derivative by `in` to that of the one before it.
    void backward(value const& in, step const& all, value const& dy,
                  read_derivative<T, Space> const& dx) override {
        step const s = all.within();
        value as_read = in, between = in;
        as_read.act = {}, between.act = {};
        between.lie_whole();
        if (between_ != nullptr) between.data = const_cast<T*>(between_->data());
        value also = dx.also;
        index_t channel = this->out_.e[1];
        for (std::size_t k = all_.size(); k-- > 0;) {
            branch& b = all_[k];
            channel -= b.out().e[1];
            value const by = channels(dy, channel, b.out().e[1]);
            if (dx.to.data == nullptr) b.backward(in, s, by, {});
            else if (k == 0) b.backward(in, s, by, {dx.to, also});
            else b.backward(as_read, s, by, {between, std::exchange(also, between)});
        }
    }
    void infer(value const& in, step const& all) override {
        step const s = all.within();
        for (branch& b : all_) b.infer(in, s);
    }
    void fold(vector& parameters, vector& running) override {
        for (branch& b : all_) b.fold(parameters, running);
    }

private:
    static value channels(value const& whole, index_t first, index_t count) {
        value part = whole;
        part.data = whole.data + first * whole.stride[1];
        part.e[1] = count;
        return part;
    }
    void join(value const& y) {
        value& all = this->out_;
        bool fits = y.rank == 4 && all.rank == 4;
        for (std::size_t r = 0; fits && r < 4; ++r) fits = r == 1 || y.e[r] == all.e[r];
        if (!fits) throw shape_error("nn::beside: " + all.text() + " beside " + y.text());
        if (y.act.of != all.act.of || y.act.scale != all.act.scale)
            throw error("nn::beside: networks that end in different activations");
        all.e[1] += y.e[1];
    }

    std::vector<branch> all_;
    Tensor<T, 1, Space> const* between_ = nullptr;
};

template <class T, class Space, std::same_as<basic_net<T, Space>>... More>
basic_net<T, Space> beside(basic_net<T, Space>&& first, More&&... more) {
    std::vector<basic_net<T, Space>> all;
    all.push_back(std::move(first));
    (all.push_back(std::move(more)), ...);
    basic_net<T, Space> one;
    one.append(std::make_unique<beside_stage<T, Space>>(std::move(all)));
    return one;
}

}  // namespace felt::inline FELT_ABI::nn
