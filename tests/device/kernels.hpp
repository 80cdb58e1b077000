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

// The same by packets.
template <class T, std::size_t R, class E>
auto packets_of(felt::statement<T, R, felt::Device, E> const& s) {
    using namespace felt::device;
    auto const w = writer_of(s).each.head;
    auto const p = make_packet_writer(w.data, w.by, w.x);
    return packets_writer<R, std::remove_const_t<decltype(p)>>{loops<R>(s.e), {p}};
}

// What the tile program is given for y = e, which has a product; of its own by Group.
template <class Way, class Group = felt::device::one_by_one, class T, std::size_t R, class E>
auto tile_work_of(felt::statement<T, R, felt::Device, E> const& s) {
    using namespace felt::device;
    auto const e = lower(s.expression);
    using N = std::remove_const_t<decltype(e)>;
    using P = first_product_of<N>;
    using loops = product_loops<P, R>;
    constexpr int places = R, summed = P::summed;
    forms<loops::L> of{};
    forms<R> of_results{};
    auto const operand_of = [&]<int Run>(auto const& x, std::integral_constant<int, Run>) {
        constexpr std::size_t V = std::remove_cvref_t<decltype(x)>::rank;
        auto const t = term(x, axes<V, loops::L>{}, of);
        return make_operand<places, summed, Run>(t, of, {}, {}, {});
    };
    auto const a = operand_of(P{}.x.head, std::integral_constant<int, Group::row_run>{});
    auto const b = operand_of(P{}.x.tail.head, std::integral_constant<int, Group::column_run>{});
    felt::tuple<tile_target<T, R, N>> const to{{s.data, s.e, s.stride, e}};
    auto const results = stored(to, of_results);
    return make_work<Way>({}, a, b, make_operand<places, places>(results, of_results, {}, {}, {}));
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
    using four_by_four = device::simt<float, 64, 64, 16, 4, 4>;
    using in_tf32 = device::mma<device::tf32, false, 128, 128, 16, 64, 32, 4>;
    auto const halves = matmul(x, y);
    auto arguments = device::numbered<0>::of(reader(lower(square(x) * 2.F - y), m));
    return std::tuple(
        writer_of(assign(y, chain(x, v))), packets_of(assign(y, chain(x, v))),
        writer_of(assign(y, flip<0>(x) + transpose(y))),
        writer_of(assign(y, gather<0>(concat<0>(x, y), at))),
        writer_of(assign(y, reshape(x, {-1, 4}) + uniform<float>({4, 4}, 1))),
        writer_of(assign(q, max_pool2d(pad(p, {{0, 0}, {0, 0}, {1, 1}, {1, 1}})))), rows{},
        places{}, device::part_folder<sums, float, device::stored_items<float>>{},
        device::part_folder<firsts, index_t, places>{},
        device::element_function<float, decltype(arguments)>{arguments},
        tile_work_of<four_by_four>(assign(y, sigmoid(matmul(x * 2.F, y) + v))),
        tile_work_of<in_tf32>(assign(q, relu(conv2d(p, q, {{1, 1}, {1, 1}})) + 1.F)),
        tile_work_of<in_tf32, device::columns_in_fours<in_tf32::column_run>>(
            assign(y, slice(halves, all(), range(0, 1)) + slice(halves, all(), range(1, 2)))));
}

using functor_list = decltype(functors(
    std::declval<matrix_there&>(), std::declval<matrix_there const&>(),
    std::declval<vector_there const&>(), std::declval<image_there&>(),
    std::declval<image_there const&>(), std::declval<felt::Tensor<int, 1, felt::Device> const&>()));
template <std::size_t I>
using functor_at = std::tuple_element_t<I, functor_list>;
inline constexpr std::size_t functor_count = std::tuple_size_v<functor_list>;

}  // namespace test
