// SPDX-License-Identifier: BSD-3-Clause
//
// What is minimised: compositions of rank 0 with derivatives of their own.
#pragma once
#include <felt/expr/compose.hpp>
#include <felt/expr/views/gather.hpp>
#include <cstdint>
#include <limits>

namespace felt::inline FELT_ABI {

namespace detail {

// labels with a last axis of truth values, n classes: gather refuses one that is no class. They are
// compared in 32 bits, as many in a register as there are floats.
template <array_operand L>
auto hits(L const& labels, index_t n) {
    if (n > std::numeric_limits<std::int32_t>::max())
        throw shape_error("cross_entropy: " + std::to_string(n) + " classes");
    auto const classes = iota<std::int32_t>({n});
    if constexpr (rank_of<L> == 1) {
        return expand_dims<1>(gather<0>(classes, labels)) == classes;
    } else {
        auto const all = gather<0>(classes, flatten(labels));
        return expand_dims<-1>(reshape(all, shape_of(labels))) == classes;
    }
}

// log sum exp(z) is max(z) and the logarithm of a sum. Both are kept, where a program can keep
// them: then the derivative needs no sums, and is as exact as softmax's where scores are large.
// Else it is written as softmax<-1>(z) has it, so that a plan may share it between value and
// derivative.
struct cross_entropy_rule {
    template <class Z, class L>
    auto beside(Z const& z, L const&) const {
        return max<-1>(z);
    }
    template <class Z, class L, class M>
    auto beside(Z const& z, L const&, M const& most) const {
        return log(sum<-1>(exp(z - expand_dims<-1>(most))));
    }
    template <class Z, class L>
    auto make(Z const& z, L const& labels) const {
        return make(z, labels, max<-1>(z), log(sum<-1>(exp(z - max<-1>(z, keepdims)))));
    }
    template <class Z, class L>
    auto make(Z const& z, L const& labels, auto const& most, auto const& total) const {
        return mean(most + total - sum<-1>(where(hits(labels, z.extents()[rank_of<L>]), z, 0)));
    }
    template <std::size_t, class Z, class L>
    auto pull(auto const& dy, auto const&, Z const& z, L const& labels) const {
        return (softmax<-1>(z) - hit(z, labels)) * (dy / samples(z, labels));
    }
    template <std::size_t, class Z, class L>
    auto pull(auto const& dy, auto const&, Z const& z, L const& labels, auto const& most,
              auto const& total) const {
        auto const p = exp(z - expand_dims<-1>(most) - expand_dims<-1>(total));
        return (p - hit(z, labels)) * (dy / samples(z, labels));
    }

private:
    template <class Z, class L>
    static auto hit(Z const& z, L const& labels) {
        return cast<value_of<Z>>(hits(labels, z.extents()[rank_of<L>]));
    }
    template <class Z, class L>
    static auto samples(Z const&, L const& labels) {
        return static_cast<value_of<Z>>(shape_of(labels).size());
    }
};

struct kl_rule {
    template <class P, class Q>
    auto make(P const& p, Q const& q) const {
        return sum(p * log(p / q) + (1 - p) * log((1 - p) / (1 - q)));
    }
    template <std::size_t I, class P, class Q>
    auto pull(auto const& dy, auto const&, P const& p, Q const& q) const {
        if constexpr (I == 0) return dy * (log(p / q) - log((1 - p) / (1 - q)));
        else return dy * ((1 - p) / (1 - q) - p / q);
    }
};

}  // namespace detail

template <class Z, class L>
concept scores_and_labels = array_operand<Z> && array_operand<L> && (rank_of<L> > 0) &&
                            rank_of<Z> == rank_of<L> + 1 && std::is_integral_v<value_of<L>>;

// The mean over n of -log softmax<-1>(z)[n, labels[n]], for scores z (N, C) before any softmax and
// labels (N) of 0 .. C - 1, or (N, M, C) and (N, M); its derivative by z is
// (softmax<-1>(z) - one_hot(labels)) / number of labels. Throws shape_error if there is another
// number of labels and, when it runs, for one that is no class.
template <class Z, class L>
    requires scores_and_labels<Z, L> && operands_share_a_space<space_of<Z>, space_of<L>>
auto cross_entropy(Z&& z, L&& labels) {
    auto const e = shape_of(z);
    for (std::size_t r = 0; r != rank_of<L>; ++r) {
        if (shape_of(labels)[r] == e[r]) continue;
        throw shape_error("cross_entropy: " + to_string(shape_of(labels)) + " labels of scores " +
                          to_string(e));
    }
    return compose(detail::cross_entropy_rule{}, as_node(std::forward<Z>(z)),
                   as_node(std::forward<L>(labels)));
}

// The Kullback-Leibler divergence of q from p, both probabilities of an event, summed over all:
// p log(p / q) + (1 - p) log((1 - p) / (1 - q)). Sparse autoencoders have a number for p and mean
// activations for q. (Ng, "Sparse autoencoder", 2011.)
template <operand P, operand Q>
    requires(array_operand<P> || array_operand<Q>) && combines_with<P, Q>
auto kl(P&& p, Q&& q) {
    using T = floating_t<P, Q>;
    return compose(detail::kl_rule{}, detail::to_type<T>(as_node(std::forward<P>(p))),
                   detail::to_type<T>(as_node(std::forward<Q>(q))));
}

}  // namespace felt::inline FELT_ABI
