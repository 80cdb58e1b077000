// SPDX-License-Identifier: BSD-3-Clause
//
// embed{words, features}: row w of a table for every word w. Reads (steps, batch) and gives
// (steps, batch, features).
#pragma once
#include <felt/nn/net.hpp>

namespace felt::inline FELT_ABI::nn {

// Words are numbers 0, 1, .. of the network's type, which float has up to 2^24.
struct embed {
    index_t words, features;
    init weights = gaussian(1);
};

template <class T, class Space>
class embed_stage final : public stage<T, Space> {
    using base = stage<T, Space>;
    using typename base::step;
    using typename base::value;
    using typename base::vector;

public:
    explicit embed_stage(embed const& l) : layer_(l) {}

    std::size_t layer_count() const override { return 1; }
    std::string text() const override { return "embed " + std::to_string(layer_.features); }

    void prepare(value const& in, preparation<T, Space>& p) override {
        if (in.rank != 2)
            throw shape_error("nn::embed: reads words (steps, batch), not " + in.text());
        site_.prepare(p.prefix, p.layers_before, {}, p.trained, p.begin, p.running, p.kept);
        site_.begin_expression();
        table();
        memory_.emplace(workspace<Space>::with(p.scratch));
        words_ = Tensor<index_t, 1, Space>(extents<1>{{in.size()}});
        this->out_ = {};
        this->out_.rank = 3;
        this->out_.e = {{in.e[0], in.e[1], layer_.features, 0}};
        this->out_.lie_whole();
    }
    void share(index_t, sum_over_parts<T, Space> const&) override {}

    void forward(value const& in, step const& s) override {
        site_.begin_step(s.theta, s.running, s.draw);
        auto const x = in.template as<2>();
        View<index_t, 2, Space> const words(words_.data(), x.extents(), {{x.extents()[1], 1}});
        in_mode<Space>(s.how, [&](auto how) {
            run(how, assign(words, cast<index_t>(x)));
            derived(this->out_, [&](auto const& g) { g.run_forward(how); });
        });
    }
    void infer(value const& in, step const& s) override { forward(in, s); }
    void fold(vector&, vector&) override {}
    void backward(value const&, step const& s, value const& dy,
                  read_derivative<T, Space> const&) override {
        auto const to = site_.template derivative<2>("0.weight", *s.gradient);
        in_mode<Space>(
            s.how, [&](auto how) { derived(dy, [&](auto const& g) { g.run_backward(how, to); }); });
        if (s.ready) s.ready(site_.first_offset());
    }

private:
    auto table() {
        return site_.next("0.weight", 0, "weight", extents<2>{{layer_.words, layer_.features}},
                          layer_.weights);
    }
    template <class F>
    void derived(value const& dy, F const& f) {
        site_.begin_expression();
        auto const y = keep<"y">(this->out_.template as<2>(),
                                 gather<0>(named<"weight">(table()), felt::view(words_)));
        View<T const, 2, Space> const by = dy.template as<2>();
        f(gradient(program(y), cotangent<"y">(by), wrt<"weight">(), *memory_));
    }

    embed layer_;
    site<T, Space> site_;
    std::optional<workspace<Space>> memory_;
    Tensor<index_t, 1, Space> words_;
};

template <class T, class Space>
struct stage_for<T, Space, embed> {
    using type = embed_stage<T, Space>;
};

}  // namespace felt::inline FELT_ABI::nn
