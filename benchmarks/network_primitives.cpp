// SPDX-License-Identifier: BSD-3-Clause
//
// The layers of a network as primitives of oneDNN 2, forward, each in the faster of its own order
// of memory and channels last, with activation and residual sum as post-ops; filters lie as it
// likes best. Reads a line for each layer from the standard input, as peers/primitives.py writes
// them, and prints JSON: ms of all in turn, as a network runs them, each reading what the one
// before wrote; ms of each alone, repeated, summed; and whose kernels ran.
#include "peers/onednn.hpp"
#include "program.hpp"
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <random>
#include <sstream>

#if defined(FELT_PEER_DNNL)
namespace {

using namespace bench;
using namespace bench::onednn;
using dims = memory::dims;
using arguments = std::unordered_map<int, memory>;

memory::desc as(dims const& e, tag how) { return {e, memory::data_type::f32, how}; }

memory random(memory::desc const& e, double reach) {
    static std::mt19937 source(1);
    memory m(e, cpu());
    std::uniform_real_distribution<float> some(-static_cast<float>(reach),
                                               static_cast<float>(reach));
    auto* const to = static_cast<float*>(m.get_data_handle());
    for (std::size_t i = 0; i < e.get_size() / sizeof(float); ++i) to[i] = some(source);
    return m;
}

// A primitive with its parameters; what it reads and writes is set when all are known.
struct layer {
    primitive run;
    memory::desc src, dst;
    arguments with;
    std::string kernel;
    int input = DNNL_ARG_SRC, output = DNNL_ARG_DST;

    void place(std::vector<float>& from, std::vector<float>& to) {
        with[input] = memory(src, cpu(), from.data());
        with[output] = memory(dst, cpu(), to.data());
    }
    void execute() { run.execute(queue(), with), queue().wait(); }
};

primitive_attr followed_by(std::string const& act, bool sum) {
    post_ops ops;
    if (sum) ops.append_sum(1.f);
    if (act == "relu") ops.append_eltwise(1.f, algorithm::eltwise_relu, 0.f, 0.f);
    if (act == "sigmoid") ops.append_eltwise(1.f, algorithm::eltwise_logistic, 0.f, 0.f);
    if (act == "tanh") ops.append_eltwise(1.f, algorithm::eltwise_tanh, 0.f, 0.f);
    primitive_attr attributes;
    attributes.set_post_ops(ops);
    return attributes;
}
template <class Primitive, class Made>
layer weighted(Made const& made, double fan_in) {
    double const reach = 1 / std::sqrt(fan_in);
    return {Primitive(made),
            made.src_desc(),
            made.dst_desc(),
            {{DNNL_ARG_WEIGHTS, random(made.weights_desc(), reach)},
             {DNNL_ARG_BIAS, random(made.bias_desc(), reach)}},
            made.impl_info_str()};
}

// conv n c h w filters window stride padding activation sum
layer convolution(std::istream& in, tag images) {
    memory::dim n, c, h, w, o, k, stride, pad;
    std::string act;
    bool sum;
    in >> n >> c >> h >> w >> o >> k >> stride >> pad >> act >> sum;
    dims const to = {n, o, (h + 2 * pad - k) / stride + 1, (w + 2 * pad - k) / stride + 1};
    convolution_forward::primitive_desc const made({prop_kind::forward_inference,
                                                    algorithm::convolution_direct,
                                                    as({n, c, h, w}, images),
                                                    as({o, c, k, k}, tag::any),
                                                    as({o}, tag::x),
                                                    as(to, images),
                                                    {stride, stride},
                                                    {pad, pad},
                                                    {pad, pad}},
                                                   followed_by(act, sum), cpu());
    return weighted<convolution_forward>(made, static_cast<double>(c * k * k));
}
// dense n inputs outputs activation
layer dense(std::istream& in) {
    memory::dim n, from, to;
    std::string act;
    in >> n >> from >> to >> act;
    inner_product_forward::primitive_desc const made(
        {prop_kind::forward_inference, as({n, from}, tag::any), as({to, from}, tag::any),
         as({to}, tag::x), as({n, to}, tag::any)},
        followed_by(act, false), cpu());
    return weighted<inner_product_forward>(made, static_cast<double>(from));
}
// pool max|mean n c h w rows columns window stride before after
layer pool(std::istream& in, tag images) {
    std::string kind;
    memory::dim n, c, h, w, p, q, k, stride, before, after;
    in >> kind >> n >> c >> h >> w >> p >> q >> k >> stride >> before >> after;
    pooling_forward::primitive_desc const made(
        {prop_kind::forward_inference,
         kind == "max" ? algorithm::pooling_max : algorithm::pooling_avg_include_padding,
         as({n, c, h, w}, images == tag::any ? tag::nChw16c : images),
         as({n, c, p, q}, tag::any),
         {stride, stride},
         {k, k},
         {before, before},
         {after, after}},
        cpu());
    return {pooling_forward(made), made.src_desc(), made.dst_desc(), {}, made.impl_info_str()};
}
// lstm|rnn steps n inputs hidden
template <class Recurrent, class... Activation>
layer recurrent(std::istream& in, memory::dim gates, Activation... act) {
    memory::dim t, n, from, hidden;
    in >> t >> n >> from >> hidden;
    auto const weights = [&](memory::dim rows) {
        return as({1, 1, rows, gates, hidden}, tag::any);
    };
    memory::desc const none, bias = as({1, 1, gates, hidden}, tag::ldgo);
    auto const described = [&](auto... states) {
        return typename Recurrent::desc(
            prop_kind::forward_inference, act..., rnn_direction::unidirectional_left2right,
            as({t, n, from}, tag::tnc), states..., weights(from), weights(hidden), bias,
            as({t, n, hidden}, tag::tnc), states...);
    };
    auto const by = [&] {
        if constexpr (sizeof...(act) == 0) return described(none, none);
        else return described(none);
    }();
    typename Recurrent::primitive_desc const made(by, cpu());
    double const reach = 1 / std::sqrt(static_cast<double>(hidden));
    return {Recurrent(made),
            made.src_layer_desc(),
            made.dst_layer_desc(),
            {{DNNL_ARG_WEIGHTS_LAYER, random(made.weights_layer_desc(), reach)},
             {DNNL_ARG_WEIGHTS_ITER, random(made.weights_iter_desc(), reach)},
             {DNNL_ARG_BIAS, random(made.bias_desc(), reach)}},
            made.impl_info_str(),
            DNNL_ARG_SRC_LAYER,
            DNNL_ARG_DST_LAYER};
}

layer layer_of(std::string const& line, tag images) {
    std::istringstream in(line);
    std::string what;
    in >> what;
    layer const made = what == "conv"    ? convolution(in, images)
                       : what == "dense" ? dense(in)
                       : what == "pool"  ? pool(in, images)
                       : what == "lstm"
                           ? recurrent<lstm_forward>(in, 4)
                           : recurrent<vanilla_rnn_forward>(in, 1, algorithm::eltwise_tanh);
    if (!in) throw std::runtime_error("not a layer: " + line);
    return made;
}

double seconds_of(task const& run) {
    auto const start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double best_of(int times, task const& run) {
    double best = seconds_of(run);
    for (int i = 1; i < times; ++i) best = std::min(best, seconds_of(run));
    return best;
}

// The faster order of memory.
layer quickest(std::string const& line, std::vector<float>& from, std::vector<float>& to) {
    std::vector<layer> both;
    for (tag images : {tag::any, tag::nhwc}) both.push_back(layer_of(line, images));
    std::vector<double> times;
    for (layer& l : both) {
        std::size_t const n = std::max(l.src.get_size(), l.dst.get_size()) / sizeof(float);
        if (from.size() < n) from.resize(n, .1f), to.resize(n, .1f);
        l.place(from, to);
        times.push_back(quick_time([&] { l.execute(); }));
    }
    return times[0] <= times[1] ? both[0] : both[1];
}

int measure() {
    std::vector<float> one, other;
    std::vector<layer> all;
    for (std::string line; std::getline(std::cin, line);) all.push_back(quickest(line, one, other));
    for (std::size_t k = 0; k < all.size(); ++k)
        k % 2 == 0 ? all[k].place(one, other) : all[k].place(other, one);
    double alone = 0;
    std::string each;
    for (layer& l : all) {
        double const t = quick_time([&] { l.execute(); });
        alone += t;
        each += (each.empty() ? "[" : ", [") + std::to_string(1e3 * t) + ", \"" + l.kernel + "\"]";
    }
    double const in_turn = best_of(9, [&] {
        for (layer& l : all) l.execute();
    });
    std::printf("{\"in turn\": %.4f, \"alone\": %.4f, \"layers\": [%s]}\n", 1e3 * in_turn,
                1e3 * alone, each.c_str());
    return 0;
}

}  // namespace

int main(int, char** argv) {
    start_alone(argv);
    return measure();
}
#else
int main() {
    std::puts("oneDNN was not found");
    return 1;
}
#endif
