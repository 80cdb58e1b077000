// SPDX-License-Identifier: BSD-3-Clause
//
// batch_norm<"n">(y, gamma, beta): y (N, C, ..) normalised by channel over the batch:
//
//   z = gamma (y - mean) / sqrt(variance + epsilon) + beta  =  y scale + shift
//
// with the mean and the variance of all m values of a channel. (Ioffe and Szegedy, "Batch
// normalization", 2015.) In a program statistics are computed once, next to what y is kept by, and
// z is an expression of y wherever it is read. What comes back to z, dz, is written with its sums:
//
//   dbeta = sum dz,   dgamma = sum dz (y - mean) / sqrt(variance + epsilon)
//   dy = dz p + y q + r,   p = gamma / sqrt(..),  q = -p dgamma / (m sqrt(..)),
//                          r = -p dbeta / m - q mean
//
// With running statistics sums are of y less the running mean, which is near: then the variance is
// a difference of squares, and one pass over y gives both. They follow, as PyTorch's do.
#pragma once
#include <felt/expr/functions.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/statistics.hpp>
#include <felt/expr/views/along.hpp>
#include <felt/grad/named.hpp>

namespace felt::inline FELT_ABI {

// The momentum is PyTorch's: running <- (1 - momentum) running + momentum of this batch.
struct batch_norm_options {
    double epsilon = 1e-5, momentum = 0.1;
};

// The caller's, of C channels. They are read and written where a program runs.
template <class T, class Space = Host>
struct running_statistics {
    View<T, 1, Space> mean, variance;
};
struct no_running_statistics {};

// The same of a batch of which others have parts. sum(how, v), of a vector, makes it the sum over
// all parts; `count`: values of a channel in all of them. dgamma and dbeta stay those of this part.
template <class T, class Space, class F>
struct shared_statistics : running_statistics<T, Space> {
    index_t count;
    F sum;
};
template <class T, class Space, class F>
shared_statistics(running_statistics<T, Space>, index_t, F) -> shared_statistics<T, Space, F>;

// The same where whoever writes y sums it in that pass: first and second are the sums of
// y - running mean and of its square by channel, of this part.
template <class T, class Space, class F>
struct summed_statistics : shared_statistics<T, Space, F> {
    View<T, 1, Space> sums;  // of 2 C: first, second

    View<T, 1, Space> first() const { return half(0); }
    View<T, 1, Space> second() const { return half(1); }

private:
    View<T, 1, Space> half(index_t k) const {
        index_t const c = sums.extents()[0] / 2;
        return {sums.data() + k * c, extents<1>{{c}}, extents<1>{{1}}};
    }
};

namespace derive {

// All axes but that of channels, as a reduction's.
template <std::size_t R>
inline constexpr unsigned beside_channels = ((1U << R) - 1) & ~2U;
template <class M, class X>
auto by_channel(X const& x) {
    return reduce_node<M, beside_channels<X::rank>, X>{{x}};
}
template <class X>
auto channel_sum(X&& x) {
    return by_channel<monoid::sum>(as_node(std::forward<X>(x)));
}
// Values of a channel.
template <std::size_t R>
index_t count_by_channel(extents<R> const& e) {
    return e[1] > 0 ? e.size() / e[1] : 0;
}

}  // namespace derive

template <class Name, class Y, class G, class B, class Running>
struct FELT_LAZY batch_norm_node {
    using name_of_part = Name;
    using value_type = typename Y::value_type;
    using space = typename Y::space;
    static constexpr node_kind what = node_kind::affine;
    static constexpr std::size_t rank = Y::rank;
    static constexpr char const* name = "batch_norm";
    static constexpr char const* label = Name::text;

    tuple<Y, G, B> x;
    batch_norm_options o;
    Running running;

    FELT_HOST_DEVICE felt::extents<rank> extents() const { return x.head.extents(); }
    FELT_HOST_DEVICE tuple<Y, G, B> const& operands() const { return x; }
    template <class V, class W, class U>
    auto over(tuple<V, W, U> of) const {
        return batch_norm_node<Name, V, W, U, Running>{std::move(of), o, running};
    }
    // Of the batch by itself.
    auto plain() const {
        auto const y = detail::plain(get<0>(x));
        auto const m =
            static_cast<value_type>(1 / static_cast<double>(derive::count_by_channel(y.extents())));
        auto const mean = derive::channel_sum(y) * m;
        auto const apart = y - along<1>(mean);
        auto const variance = derive::channel_sum(square(apart)) * m;
        auto const inverse = 1 / sqrt(variance + static_cast<value_type>(o.epsilon));
        return as_node(apart * along<1>(detail::plain(get<1>(x)) * inverse) +
                       along<1>(detail::plain(get<2>(x))));
    }
};

template <class Y, class G, class B>
concept normalised_by_channel =
    array_operand<Y> && array_operand<G> && array_operand<B> && (rank_of<Y> > 1) &&
    rank_of<G> == 1 && rank_of<B> == 1 && std::is_floating_point_v<value_of<Y>>;

template <class R>
concept statistics_by_channel = requires(R const& r) { r.mean.extents(), r.variance.extents(); };

namespace detail {
[[noreturn]] FELT_PLANNING inline void channels_fail(shape_ref y, shape_ref v, char const* what) {
    throw shape_error("batch_norm: " + y.text() + " and " + what + " " + v.text());
}
template <class Name, class Y, class G, class B, class Running>
auto make_batch_norm(Y y, G g, B b, batch_norm_options const& o, Running const& running) {
    index_t const c = y.extents()[1];
    if (g.extents()[0] != c) apart<&channels_fail>::call(y.extents(), g.extents(), "gamma");
    if (b.extents()[0] != c) apart<&channels_fail>::call(y.extents(), b.extents(), "beta");
    if constexpr (!std::is_same_v<Running, no_running_statistics>) {
        auto const& either = running.mean.extents()[0] != c ? running.mean : running.variance;
        if (either.extents()[0] != c)
            apart<&channels_fail>::call(y.extents(), either.extents(), "running statistics");
    }
    return batch_norm_node<Name, Y, G, B, Running>{
        {std::move(y), {std::move(g), {std::move(b)}}}, o, running};
}
}  // namespace detail

// gamma and beta are vectors of C. Throws shape_error for other extents.
template <fixed_string Name, class Y, class G, class B>
    requires normalised_by_channel<Y, G, B>
auto batch_norm(Y&& y, G&& gamma, B&& beta, batch_norm_options const& o = {}) {
    return detail::make_batch_norm<literal_name<Name>>(
        as_node(std::forward<Y>(y)), as_node(std::forward<G>(gamma)),
        as_node(std::forward<B>(beta)), o, no_running_statistics{});
}
// The same, which moves running statistics on: (1 - momentum) of what they were, and of this batch.
// Running: running_statistics or shared_statistics.
template <fixed_string Name, class Y, class G, class B, statistics_by_channel Running>
    requires normalised_by_channel<Y, G, B>
auto batch_norm(Y&& y, G&& gamma, B&& beta, Running const& running,
                batch_norm_options const& o = {}) {
    return detail::make_batch_norm<literal_name<Name>>(as_node(std::forward<Y>(y)),
                                                       as_node(std::forward<G>(gamma)),
                                                       as_node(std::forward<B>(beta)), o, running);
}

}  // namespace felt::inline FELT_ABI
