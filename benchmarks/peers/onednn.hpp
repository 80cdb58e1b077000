// SPDX-License-Identifier: BSD-3-Clause
//
// oneDNN 2 as a peer: c = f(a b + bias), in the fastest of its layouts, and softmax over rows.
// Without oneDNN the tasks are empty.
#pragma once
#include "../arrays.hpp"
#include "../contest.hpp"
#include <functional>
#if defined(FELT_PEER_DNNL)
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace bench::onednn {

// What is to be computed: a is m x k, b is k x n, both row by row; bias has m elements or is null.
struct product {
    index_t m, n, k;
    float const *a, *b, *bias;
    bool logistic;
};

struct answer {
    task run;
    std::function<std::function<float(index_t, index_t)>()> result;  // elements after a run
    std::string layout;
};

#if defined(FELT_PEER_DNNL)
using namespace dnnl;
using tag = memory::format_tag;

inline engine const& cpu() {
    static engine const instance(engine::kind::cpu, 0);
    return instance;
}
inline stream& queue() {
    static stream instance(cpu());
    return instance;
}
inline memory::desc matrix(index_t rows, index_t columns, tag how) {
    return {{rows, columns}, memory::data_type::f32, how};
}

inline void reorder_into(memory const& from, memory const& to) {
    reorder(from, to).execute(queue(), const_cast<memory&>(from), const_cast<memory&>(to));
    queue().wait();
}
// Row-major elements in memory as the primitive wants it.
inline memory laid_out(float const* data, index_t rows, index_t columns, tag how,
                       memory::desc const& wanted) {
    memory const plain(matrix(rows, columns, how), cpu(), const_cast<float*>(data));
    memory to(wanted, cpu());
    reorder_into(plain, to);
    return to;
}

// The problem, or its transpose c' = b' a' + bias', whose bias runs along the columns: for the
// other one oneDNN 2.6 has only its reference kernel.
inline answer candidate(product const& p, tag src, tag weights, tag dst) {
    bool const turned = p.bias != nullptr;
    index_t const m = turned ? p.n : p.m, n = turned ? p.m : p.n;
    primitive_attr attributes;
    post_ops after;
    if (p.logistic) after.append_eltwise(1.f, algorithm::eltwise_logistic, 0.f, 0.f);
    attributes.set_post_ops(after);
    auto const description =
        turned ? matmul::desc(matrix(m, p.k, src), matrix(p.k, n, weights), matrix(1, n, tag::ab),
                              matrix(m, n, dst))
               : matmul::desc(matrix(m, p.k, src), matrix(p.k, n, weights), matrix(m, n, dst));
    matmul::primitive_desc const made(description, attributes, cpu());

    tag const stored = turned ? tag::ba : tag::ab;
    memory const c(made.dst_desc(), cpu());
    std::unordered_map<int, memory> arguments = {
        {DNNL_ARG_SRC, laid_out(turned ? p.b : p.a, m, p.k, stored, made.src_desc())},
        {DNNL_ARG_WEIGHTS, laid_out(turned ? p.a : p.b, p.k, n, stored, made.weights_desc())},
        {DNNL_ARG_DST, c}};
    if (turned) arguments[DNNL_ARG_BIAS] = laid_out(p.bias, 1, n, tag::ab, made.bias_desc());

    answer one;
    one.run = [=, primitive = matmul(made)] {
        primitive.execute(queue(), arguments);
        queue().wait();
    };
    one.result = [=] {
        auto const plain = std::make_shared<std::vector<float>>(static_cast<std::size_t>(m * n));
        reorder_into(c, memory(matrix(m, n, stored), cpu(), plain->data()));
        return [=, columns = p.n](index_t i, index_t j) {
            return (*plain)[static_cast<std::size_t>(i * columns + j)];
        };
    };
    auto const name = [](tag t) { return t == tag::ab ? "ab" : t == tag::ba ? "ba" : "any"; };
    one.layout =
        std::string(name(src)) + " " + name(weights) + " " + name(dst) + " " + made.impl_info_str();
    return one;
}

inline answer best_of(product const& p) {
    answer best;
    double time = 1e30;
    auto const compare = [&](tag src, tag weights, tag dst) {
        answer const one = candidate(p, src, weights, dst);
        bool const reference = one.layout.find(" ref") != std::string::npos;
        if (reference && best.run) return;  // minutes for what the others do in a blink
        double const t = quick_time(one.run);
        if (t < time) {
            time = t;
            best = one;
        }
    };
    compare(tag::any, tag::any, tag::any);
    for (tag src : {tag::ab, tag::ba})
        for (tag weights : {tag::ab, tag::ba})
            for (tag dst : {tag::ab, tag::ba}) compare(src, weights, dst);
    return best;
}

inline task softmax(float const* x, float* y, index_t rows, index_t columns) {
    auto const shape = matrix(rows, columns, tag::ab);
    softmax_forward::desc const description(prop_kind::forward_inference, shape, 1);
    softmax_forward const primitive(softmax_forward::primitive_desc(description, cpu()));
    memory const in(shape, cpu(), const_cast<float*>(x)), out(shape, cpu(), y);
    return [=] {
        primitive.execute(queue(), {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, out}});
        queue().wait();
    };
}
#else
inline answer best_of(product const&) { return {}; }
inline task softmax(float const*, float*, index_t, index_t) { return {}; }
#endif

}  // namespace bench::onednn
