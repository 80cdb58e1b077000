// SPDX-License-Identifier: BSD-3-Clause
//
// oneDNN 2 as a peer for convolutions: forward with bias and activation as post-op, followed by
// pooling or not, and both derivatives. Images lie as the contest has them, or as oneDNN likes
// best ("any"); filters always as it likes best. Reordering is not timed. The algorithm is the
// direct one: Winograd's does other arithmetic. Without oneDNN the tasks are empty.
#pragma once
#include "../convolutions.hpp"
#include "onednn.hpp"

namespace bench::onednn {

enum class order { nchw, nhwc, any };
enum class after { relu, logistic };
enum class pool { none, mean, max };

struct conv_answer {
    task run;
    task finish;  // puts the results where the contest looks for them
    std::string layout;
};

// What one convolution reads and writes; all images, filters and results in one order of memory.
struct conv_problem {
    convolution of;
    order lies;
    float *x, *w, *b, *y;
};

#if defined(FELT_PEER_DNNL)
inline tag images_as(order o) {
    return o == order::nchw ? tag::nchw : o == order::nhwc ? tag::nhwc : tag::any;
}
inline memory::desc described(felt::extents<4> const& e, tag how) {
    return {{e[0], e[1], e[2], e[3]}, memory::data_type::f32, how};
}
inline memory given(felt::extents<4> const& e, order lies, float* data) {
    return memory(described(e, images_as(lies)), cpu(), data);
}
inline memory column(index_t n, float* data) {
    return memory({{n}, memory::data_type::f32, tag::x}, cpu(), data);
}

// The array as wanted: itself, or a copy, with its values if it is read.
inline memory as(memory::desc const& wanted, memory const& from, bool read = true) {
    if (wanted == from.get_desc()) return from;
    memory const to(wanted, cpu());
    if (read) reorder_into(from, to);
    return to;
}
inline task back(memory const& from, memory const& to) {
    if (from.get_desc() == to.get_desc()) return [] {};
    return [=] { reorder_into(from, to); };
}

struct geometry {
    memory::dims stride, padding;
    explicit geometry(convolution const& s)
        : stride{s.stride, s.stride}, padding{s.padding, s.padding} {}
};
using arguments = std::unordered_map<int, memory>;
template <class P>
task execution(P const& primitive, arguments const& with) {
    return [=] {
        primitive.execute(queue(), with);
        queue().wait();
    };
}

// A reference kernel takes minutes for what others do in a blink: it does not take part.
inline bool is_reference(std::string const& name) { return name.rfind("ref", 0) == 0; }

inline convolution_forward::primitive_desc forward_kernel(convolution const& s, tag images,
                                                          after act) {
    geometry const g(s);
    post_ops ops;
    ops.append_eltwise(
        1.f, act == after::relu ? algorithm::eltwise_relu : algorithm::eltwise_logistic, 0.f, 0.f);
    primitive_attr attributes;
    attributes.set_post_ops(ops);
    return {
        convolution_forward::desc(prop_kind::forward_inference, algorithm::convolution_direct,
                                  described(s.images(), images), described(s.filters(), tag::any),
                                  {{s.o}, memory::data_type::f32, tag::x},
                                  described(s.results(), images), g.stride, g.padding, g.padding),
        attributes, cpu()};
}

// y = act(conv(x, w) + b), images in the order `inside`.
inline conv_answer forward(conv_problem const& p, order inside, after act) {
    convolution const& s = p.of;
    auto const made = forward_kernel(s, images_as(inside), act);
    if (is_reference(made.impl_info_str())) return {};
    memory const out = given(s.results(), p.lies, p.y), y = as(made.dst_desc(), out, false);
    arguments const with = {
        {DNNL_ARG_SRC, as(made.src_desc(), given(s.images(), p.lies, p.x))},
        {DNNL_ARG_WEIGHTS, as(made.weights_desc(), given(s.filters(), p.lies, p.w))},
        {DNNL_ARG_BIAS, column(s.o, p.b)},
        {DNNL_ARG_DST, y}};
    return {execution(convolution_forward(made), with), back(y, out), made.impl_info_str()};
}

// y = pool(act(conv(x, w) + b)): two primitives with act(conv(..)) between them.
inline conv_answer forward_pooled(conv_problem const& p, order inside, after act, pool kind,
                                  pooling const& by) {
    convolution const& s = p.of;
    auto const made = forward_kernel(s, images_as(inside), act);
    felt::extents<4> const e{{s.n, s.o, by.of(s.p()), by.of(s.p())}};
    pooling_forward::primitive_desc const pools(
        {prop_kind::forward_inference,
         kind == pool::max ? algorithm::pooling_max : algorithm::pooling_avg_include_padding,
         made.dst_desc(),
         described(e, images_as(inside)),
         {by.stride, by.stride},
         {by.window, by.window},
         {0, 0},
         {0, 0}},
        cpu());
    if (is_reference(made.impl_info_str())) return {};
    memory const between(made.dst_desc(), cpu()), out = given(e, p.lies, p.y);
    memory const y = as(pools.dst_desc(), out, false);
    task const first =
        execution(convolution_forward(made),
                  {{DNNL_ARG_SRC, as(made.src_desc(), given(s.images(), p.lies, p.x))},
                   {DNNL_ARG_WEIGHTS, as(made.weights_desc(), given(s.filters(), p.lies, p.w))},
                   {DNNL_ARG_BIAS, column(s.o, p.b)},
                   {DNNL_ARG_DST, between}});
    task const second =
        execution(pooling_forward(pools), {{DNNL_ARG_SRC, between}, {DNNL_ARG_DST, y}});
    return {[=] { first(), second(); }, back(y, out),
            std::string(made.impl_info_str()) + ", " + pools.impl_info_str()};
}

inline conv_answer best_pooled(conv_problem const& p, after act, pool kind, pooling const& by) {
    conv_answer best;
    double time = 1e30;
    for (order inside : {order::nchw, order::nhwc, order::any}) {
        conv_answer const one = forward_pooled(p, inside, act, kind, by);
        double const t = one.run ? quick_time(one.run) : 1e30;
        if (t < time) {
            time = t;
            best = one;
        }
    }
    return best;
}

// x := the derivative by x, for y the derivative by the results; w is read.
inline conv_answer input_grad(conv_problem const& p, order inside) {
    convolution const& s = p.of;
    geometry const g(s);
    tag const images = images_as(inside);
    convolution_backward_data::primitive_desc const made(
        {algorithm::convolution_direct, described(s.images(), images),
         described(s.filters(), tag::any), described(s.results(), images), g.stride, g.padding,
         g.padding},
        cpu(), forward_kernel(s, images, after::relu));
    if (is_reference(made.impl_info_str())) return {};
    memory const out = given(s.images(), p.lies, p.x), x = as(made.diff_src_desc(), out, false);
    return {
        execution(convolution_backward_data(made),
                  {{DNNL_ARG_DIFF_DST, as(made.diff_dst_desc(), given(s.results(), p.lies, p.y))},
                   {DNNL_ARG_WEIGHTS, as(made.weights_desc(), given(s.filters(), p.lies, p.w))},
                   {DNNL_ARG_DIFF_SRC, x}}),
        back(x, out), made.impl_info_str()};
}

// w := the derivative by w; x is read.
inline conv_answer weight_grad(conv_problem const& p, order inside) {
    convolution const& s = p.of;
    geometry const g(s);
    tag const images = images_as(inside);
    convolution_backward_weights::primitive_desc const made(
        {algorithm::convolution_direct, described(s.images(), images),
         described(s.filters(), tag::any), described(s.results(), images), g.stride, g.padding,
         g.padding},
        cpu(), forward_kernel(s, images, after::relu));
    if (is_reference(made.impl_info_str())) return {};
    memory const out = given(s.filters(), p.lies, p.w);
    memory const w = as(made.diff_weights_desc(), out, false);
    return {
        execution(convolution_backward_weights(made),
                  {{DNNL_ARG_DIFF_DST, as(made.diff_dst_desc(), given(s.results(), p.lies, p.y))},
                   {DNNL_ARG_SRC, as(made.src_desc(), given(s.images(), p.lies, p.x))},
                   {DNNL_ARG_DIFF_WEIGHTS, w}}),
        back(w, out), made.impl_info_str()};
}
#else
inline conv_answer forward(conv_problem const&, order, after) { return {}; }
inline conv_answer best_pooled(conv_problem const&, after, pool, pooling const&) { return {}; }
inline conv_answer input_grad(conv_problem const&, order) { return {}; }
inline conv_answer weight_grad(conv_problem const&, order) { return {}; }
#endif

}  // namespace bench::onednn
