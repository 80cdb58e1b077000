// SPDX-License-Identifier: BSD-3-Clause
//
// An expression of every kind of node, lowered as it goes to a kernel. Its place in the tuple is
// its number on both sides: take<I, N> in nodes.cu, and the table in sizes.cpp.
#pragma once
#include <felt/expr/compose.hpp>
#include <felt/expr/einsum.hpp>
#include <felt/expr/lower.hpp>
#include <felt/expr/pool.hpp>
#include <felt/expr/products.hpp>
#include <felt/expr/sample.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/flip.hpp>
#include <felt/expr/views/pad.hpp>
#include <felt/expr/views/permute.hpp>
#include <felt/expr/views/roll.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/expr/views/slice.hpp>
#include <felt/expr/views/upsample.hpp>
#include <felt/expr/views/windows.hpp>
#include <tuple>

namespace test {

// Functors of a user, with state and without.
struct shift {
    double by;
    char times;
    template <class T>
    FELT_FN T operator()(T x) const {
        return static_cast<T>(x + by * times);
    }
};
struct halve {
    template <class T>
    FELT_FN T operator()(T x) const {
        return x / 2;
    }
};

using vector = felt::Tensor<float, 1>;
using matrix = felt::Tensor<float, 2>;
using image = felt::Tensor<double, 4>;
using labels = felt::Tensor<short, 1>;

inline auto nodes(matrix& y, matrix const& x, vector const& v, image const& p, labels const& at) {
    using namespace felt;
    return std::tuple(
        // leaves
        lower(as_node(v)), lower(as_node(x)), lower(as_node(p)), lower(as_node(matrix(x))),
        lower(as_node(true)), lower(as_node(2.5)), lower(assign(y, x)),
        // maps
        lower(x + v), lower(clip(x * 0.5F, -1, v)), lower(where(x > 0, x, exp(-x))),
        lower(map(shift{1, 2}, x)), lower(map(halve{}, map(shift{1, 2}, v))),
        lower(cast<double>(at) * 2 + cast<bool>(v)),
        // views
        lower(transpose(x + 1)), lower(slice(x * 2, range(1, 3), 0)), lower(flip<0>(x + 1)),
        lower(pad(x, {{1, 1}, {0, 2}}, 3)), lower(windows(p, {3, 3})), lower(upsample(x, {2, 2})),
        lower(pad(x, {{1, 1}, {0, 2}}, pad_mode::reflect)), lower(roll<0>(x + 1, 2)),
        lower(reshape(x + 1, {-1})), lower(concat<1>(x, x + 1)), lower(gather<0>(x, at)),
        lower(scatter_add<0>({3, 4}, at, x)),
        // generators
        lower(zeros<float>({2, 3})), lower(full<bool>({2}, true)), lower(iota<short>({4, 5})),
        lower(uniform<float>({4}, 1)), lower(uniform<double>({4, 4}, 1)),
        lower(normal<float>({4, 4, 4}, 1)), lower(normal<double>({4}, 1)),
        lower(randint<short>({4}, 0, 9, 1)), lower(permutation(5, 1)),
        lower(one_hot<float>(at, 10)),
        // reductions
        lower(sum(x)), lower(mean<0>(x)), lower(max<1>(x, keepdims)), lower(argmax<1>(x)),
        lower(any<0>(x > 0)),
        // scans
        lower(cumsum<0>(x)), lower(cummax<1>(x + 1)),
        // contractions
        lower(matmul(x, x)), lower(outer(v, v)), lower(einsum<"bihw,bjhw->ij">(p, p)),
        lower(conv2d(p, p)), lower(conv2d_input_grad(p, p, {1, 2, 3, 4})),
        lower(conv2d_weight_grad(p, p, {1, 2, 3, 4})), lower(avg_pool2d(p)),
        lower(argmax_pool2d(p)), lower(avg_pool2d_grad(p, {1, 2, 3, 4})),
        // compositions
        lower(detail::once(exp(x))), lower(softmax<1>(x)), lower(kron(x, x)),
        lower(sigmoid(matmul(x, relu(matmul(x, x) + v)) + v)));
}

using node_list = decltype(nodes(std::declval<matrix&>(), std::declval<matrix const&>(),
                                 std::declval<vector const&>(), std::declval<image const&>(),
                                 std::declval<labels const&>()));
template <std::size_t I>
using node_at = std::tuple_element_t<I, node_list>;
inline constexpr std::size_t node_count = std::tuple_size_v<node_list>;

}  // namespace test
