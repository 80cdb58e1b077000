// SPDX-License-Identifier: BSD-3-Clause
//
// What the peers of felt_bench_table compute, over the same arrays. Without a library there is no
// such peer.
#pragma once
#include "peers/eigen.hpp"
#include "peers/onednn.hpp"
#include "peers/onednn_convolution.hpp"
#include "peers/openblas.hpp"
#include "peers/xtensor.hpp"
#include "table_lines.hpp"

namespace bench {

using float_matrix = felt::Tensor<float, 2>;
using row_vector = felt::Tensor<float, 1>;

// A result, and a peer that writes it.
template <class Make>
peer writing(char const* name, index_t size, Make&& make) {
    index_t const e[1] = {size};
    auto const y = std::make_shared<row_vector>(e);
    return {name, make(y->data()), [=](index_t i) { return y->data()[i]; }};
}
inline peer of(xtensor::answer const& a) { return {"xtensor", a.run, a.at}; }

#if defined(FELT_PEER_EIGEN)
// y = f(x as an array), of m x n to as many elements as asked for.
template <class F>
peer by_eigen(float_matrix const& x, index_t m, index_t n, F f) {
    auto const* const in = &x;
    return writing("Eigen", m * n, [=](float* y) -> task {
        return [=] {
            eigen::array(y, m, n) =
                f(eigen::const_array(in->data(), in->extents()[0], in->extents()[1]));
        };
    });
}
#else
template <class F>
peer by_eigen(float_matrix const&, index_t, index_t, F) {
    return {};
}
#endif

inline peers clipping(float_matrix const& x, row_vector const& row, float_matrix const& column) {
    index_t const m = x.extents()[0], n = x.extents()[1];
    return {writing("Eigen", m * n,
                    [&](float* y) {
                        return eigen::clip(x.data(), row.data(), column.data(), y, m, n);
                    }),
            of(xtensor::clip(x.data(), row.data(), column.data(), m, n))};
}
inline peers adding_transpose(float_matrix const& x) {
    index_t const n = x.extents()[0];
    return {writing("Eigen", n * n, [&](float* y) { return eigen::add_transpose(x.data(), y, n); }),
            of(xtensor::add_transpose(x.data(), n))};
}
inline peers summing(float_matrix const& x, int axis) {
    index_t const m = x.extents()[0], n = x.extents()[1];
    return {writing("Eigen", axis == 0 ? n : m,
                    [&](float* y) { return eigen::sum(x.data(), y, m, n, axis); }),
            of(xtensor::sum(x.data(), m, n, axis))};
}
inline peers softmax_of_rows(float_matrix const& x) {
    index_t const m = x.extents()[0], n = x.extents()[1];
    return {writing("oneDNN", m * n, [&](float* y) { return onednn::softmax(x.data(), y, m, n); })};
}

// Elements of what oneDNN has written, which is put in order when the first one is asked for.
inline std::function<float(index_t, index_t)> in_order(onednn::answer const& a) {
    auto const plain = std::make_shared<std::function<float(index_t, index_t)>>();
    return [=, result = a.result](index_t i, index_t j) {
        if (i == 0 && j == 0) *plain = result();
        return (*plain)(i, j);
    };
}

// a b, or logistic(a b + bias): then turned, for the peer's bias runs along the rows.
inline peers multiplying(float_matrix const& a, float_matrix const& b) {
    index_t const m = a.extents()[0], n = b.extents()[1], k = b.extents()[0];
    onednn::answer const one = onednn::best_of({m, n, k, a.data(), b.data(), nullptr, false});
    auto const at = [=, of = in_order(one)](index_t i) { return of(i / n, i % n); };
    auto const eigen = [&](float* y) { return eigen::product(a.data(), b.data(), y, m, n, k); };
    auto const blas = [&](float* y) { return openblas::product(a.data(), b.data(), y, m, n, k); };
    return {
        writing("Eigen", m * n, eigen), writing("OpenBLAS", m * n, blas), {"oneDNN", one.run, at}};
}
inline peers logistic_layer(float_matrix const& a, float_matrix const& b, row_vector const& bias) {
    index_t const m = a.extents()[0], n = b.extents()[1], k = b.extents()[0];
    float_matrix at({k, m}), bt({n, k});
    at = transpose(a), bt = transpose(b);
    onednn::answer const one = onednn::best_of({n, m, k, bt.data(), at.data(), bias.data(), true});
    auto const element = [=, of = in_order(one)](index_t i) { return of(i % n, i / n); };
    return {{"oneDNN", one.run, element}};
}

// relu or logistic of a convolution, pooled; arrays in the order of memory given.
inline peers pooled_convolution(convolution const& s, onednn::order lies, float const* x,
                                float const* w, onednn::after act, onednn::pool kind,
                                pooling const& by) {
    index_t const o[1] = {s.o};
    auto const none = std::make_shared<row_vector>(o);
    *none = felt::zeros<float>({s.o});
    onednn::conv_answer made;
    peer p = writing("oneDNN", s.n * s.o * by.of(s.p()) * by.of(s.p()), [&](float* y) {
        made = onednn::best_pooled(
            {s, lies, const_cast<float*>(x), const_cast<float*>(w), none->data(), y}, act, kind,
            by);
        return task([none, run = made.run] { run(); });
    });
    if (!made.run) return {};
    p.at = [at = p.at, finish = made.finish](index_t i) {
        if (i == 0) finish();
        return at(i);
    };
    return {p};
}

}  // namespace bench
