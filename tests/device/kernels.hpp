// SPDX-License-Identifier: BSD-3-Clause
//
// What goes into kernels of typical statements: functors whose place in the tuple is their number
// on both sides, kernels.cu and sizes.cpp.
#pragma once
#include <felt/device.hpp>
#include <tuple>

namespace test {

using matrix_there = felt::Tensor<float, 2, felt::Device>;
using vector_there = felt::Tensor<float, 1, felt::Device>;
using image_there = felt::Tensor<float, 4, felt::Device>;

// What writes the elements of a statement over its own axes.
template <class T, std::size_t R, class E>
auto writer_of(felt::statement<T, R, felt::Device, E> const& s) {
    auto const e = lower(s.expression);
    using target = felt::device::target<T, R, std::remove_const_t<decltype(e)>>;
    auto w = writer(target{s.data, s.stride, e}, felt::device::own_loops<R>());
    return felt::device::elements_writer<R, decltype(w)>{felt::device::loops<R>(s.e), {w}};
}

// A chain of six functions with broadcasts.
inline auto chain(matrix_there const& x, vector_there const& v) {
    return sigmoid((x + v) * 2.F - abs(v)) * x;
}

inline auto functors(matrix_there& y, matrix_there const& x, vector_there const& v, image_there& q,
                     image_there const& p, felt::Tensor<int, 1, felt::Device> const& at) {
    using namespace felt;
    using leaf = device::leaf_reader<float, 2>;
    using sums = device::folding<monoid::sum, float, float>;
    using firsts = device::folding<monoid::argmax, index_t, float>;
    using rows = device::counted_terms<device::terms<sums, device::count_t, 1, 2, leaf>>;
    using places = device::terms<firsts, index_t, 1, 2, leaf>;
    auto const m = device::own_loops<2>();
    auto arguments = device::numbered<0>::of(reader(lower(square(x) * 2.F - y), m));
    return std::tuple(
        writer_of(assign(y, chain(x, v))), writer_of(assign(y, flip<0>(x) + transpose(y))),
        writer_of(assign(y, gather<0>(concat<0>(x, y), at))),
        writer_of(assign(y, reshape(x, {-1, 4}) + uniform<float>({4, 4}, 1))),
        writer_of(assign(q, max_pool2d(pad(p, {{0, 0}, {0, 0}, {1, 1}, {1, 1}})))), rows{},
        places{}, device::part_folder<sums, float, device::stored_items<float>>{},
        device::part_folder<firsts, index_t, places>{},
        device::element_function<float, decltype(arguments)>{arguments});
}

using functor_list = decltype(functors(
    std::declval<matrix_there&>(), std::declval<matrix_there const&>(),
    std::declval<vector_there const&>(), std::declval<image_there&>(),
    std::declval<image_there const&>(), std::declval<felt::Tensor<int, 1, felt::Device> const&>()));
template <std::size_t I>
using functor_at = std::tuple_element_t<I, functor_list>;
inline constexpr std::size_t functor_count = std::tuple_size_v<functor_list>;

}  // namespace test
