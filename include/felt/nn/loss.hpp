// SPDX-License-Identifier: BSD-3-Clause
//
// Costs: functions of what a network gives, z, as samples in rows. One that has its probabilities
// in memory, to be looked at after a step:
//
//   net.cost(fused, x, [&](auto const& z) {
//       auto const p = keep<"p">(P, log_softmax<1>(z));
//       return nn::keeping(p, -mean(sum<1>(p * one_hot<float>(labels, 10))));
//   }, theta, g);
#pragma once
#include <felt/felt.hpp>

namespace felt::inline FELT_ABI::nn {

// The mean of -log softmax(z)[label].
template <class Labels>
auto cross_entropy(Labels const& labels) {
    return [labels](auto const& z) { return felt::cross_entropy(z, labels); };
}
// The mean of (z - y)^2.
template <class Y>
auto mean_square(Y const& y) {
    return [y](auto const& z) { return mean(square(z - y)); };
}

template <class P, class J>
struct cost_of_kept {
    P kept;
    J cost;
};
// The cost j, made of p, a part by keep.
template <class P, class J>
cost_of_kept<P, J> keeping(P const& p, J const& j) {
    return {p, j};
}

namespace detail {
// The derived program of a cost of v, a value of a named "z".
template <class V, class J, class Space>
auto derived_cost(V const& v, J const& j, workspace<Space>& scratch) {
    return gradient(program(v), j, wrt<"z">(), scratch);
}
template <class V, class P, class J, class Space>
auto derived_cost(V const& v, cost_of_kept<P, J> const& j, workspace<Space>& scratch) {
    return gradient(program(v, j.kept), j.cost, wrt<"z">(), scratch);
}
}  // namespace detail

}  // namespace felt::inline FELT_ABI::nn
