// SPDX-License-Identifier: BSD-3-Clause
//
// The statistics that a program keeps for a batch_norm, as statements that are run next to what its
// y is kept by. Where others have parts of the batch, sums are taken over all parts before they are
// used.
#pragma once
#include <felt/grad/after.hpp>
#include <felt/grad/batch_norm.hpp>
#include <felt/grad/workspace.hpp>

namespace felt::inline FELT_ABI::derive {

struct not_shared {};
template <class R>
auto sum_over_parts(R const& statistics) {
    if constexpr (requires { statistics.sum; }) return statistics.sum;
    else return not_shared{};
}
template <class R, std::size_t Rank>
index_t values_by_channel(R const& statistics, extents<Rank> const& y) {
    if constexpr (requires { statistics.sum; }) return statistics.count;
    else return count_by_channel(y);
}
template <class R>
inline constexpr bool is_summed = requires(R const& r) { r.first(), r.second(); };
// Among statements: v becomes the sum over all parts.
template <class Name, class F, class V>
auto over_parts(F const& sum, V const& v) {
    if constexpr (std::is_same_v<F, not_shared>) return tuple<>{};
    else return felt::make_tuple(run_boundary{}, after<Name, F, V>{sum, v});
}

// K vectors of C that lie together.
template <std::size_t K, class T, class Space>
struct vectors_of_channels {
    View<T, 1, Space> all;
    index_t c;

    View<T, 1, Space> operator[](index_t k) const {
        return {all.data() + k * c, extents<1>{{c}}, extents<1>{{1}}};
    }
};
template <std::size_t K, class T, class Space>
auto take_vectors(program_memory<Space>& memory, program_value::role_t role, char const* label,
                  index_t c) {
    auto const like = leaf<T, 1, Space>{nullptr, {{static_cast<index_t>(K) * c}}, {}};
    return vectors_of_channels<K, T, Space>{memory.take(role, label, like), c};
}

// Vectors of C, of `count` values of each channel. inverse: 1 / sqrt(variance + epsilon).
template <class T, class Space, class F>
struct norm_statistics {
    using vector = leaf<T, 1, Space>;
    vector mean, inverse, shift, scale;
    index_t count;
    F sum;  // over parts

    T share() const { return static_cast<T>(1 / static_cast<double>(count)); }
};

template <class At, class S>
struct statistics_made {
    At at;
    S statements;
};

template <class Space>
struct statistics_maker {
    program_memory<Space>& memory;

    template <class Name, class Y, class G, class B, class R>
    auto make(batch_norm_node<Name, Y, G, B, R> const& n) {
        using T = typename Y::value_type;
        using F = decltype(sum_over_parts(n.running));
        auto const to =
            take_vectors<4, T>(memory, program_value::beside, Name::text, n.extents()[1]);
        norm_statistics<T, Space, F> const at{own_leaf(to[0]),
                                              own_leaf(to[1]),
                                              own_leaf(to[2]),
                                              own_leaf(to[3]),
                                              values_by_channel(n.running, n.extents()),
                                              sum_over_parts(n.running)};
        auto const finish = felt::make_tuple(
            own_statement(to[1], 1 / sqrt(at.scale + static_cast<T>(n.o.epsilon))),
            own_statement(to[3], detail::plain(get<1>(n.x)) * at.inverse),
            own_statement(to[2], detail::plain(get<2>(n.x)) - at.mean * at.scale), run_boundary{});
        auto const all = join(join(moments(n, at, to), followed(n, at)), finish);
        return statistics_made<norm_statistics<T, Space, F>, std::remove_const_t<decltype(all)>>{
            at, all};
    }

private:
    // The mean, and the variance in the place of `scale`.
    template <class N, class At, class V>
    static auto moments(N const& n, At const& at, V const& to) {
        using Name = typename N::name_of_part;
        using T = typename N::value_type;
        auto const y = detail::plain(get<0>(n.x));
        auto const m = at.share();
        if constexpr (!statistics_by_channel<std::remove_cvref_t<decltype(n.running)>>) {
            auto const apart = y - along<1>(at.mean);
            return felt::make_tuple(own_statement(to[0], channel_sum(y) * m), run_boundary{},
                                    own_statement(to[3], channel_sum(square(apart)) * m),
                                    run_boundary{});
        } else {
            auto const sums = near_sums<Name>(n, to);
            auto const of_all = felt::make_tuple(
                run_boundary{}, own_statement(to[0], sums.first * m + n.running.mean),
                own_statement(to[3], maximum(sums.second * m - square(sums.first * m), T(0))));
            return join(sums.statements, of_all);
        }
    }
    // Sums by channel of y - running mean and of its square, over all parts.
    template <class L, class S>
    struct sums_made {
        L first, second;
        S statements;
    };
    template <class Name, class N, class V>
    static auto near_sums(N const& n, V const& to) {
        auto const made = [](auto first, auto second, auto statements) {
            return sums_made<decltype(first), decltype(statements)>{first, second, statements};
        };
        auto const sum = sum_over_parts(n.running);
        if constexpr (is_summed<std::remove_cvref_t<decltype(n.running)>>) {
            return made(as_node(n.running.first()), as_node(n.running.second()),
                        over_parts<Name>(sum, n.running.sums));
        } else {
            // In the place of `shift` and `scale`.
            auto const near = detail::plain(get<0>(n.x)) - along<1>(as_node(n.running.mean));
            View<typename N::value_type, 1, typename N::space> const sums(to[2].data(),
                                                                          {{2 * to.c}}, {{1}});
            auto const of_part = felt::make_tuple(own_statement(to[2], channel_sum(near)),
                                                  own_statement(to[3], channel_sum(square(near))));
            return made(own_leaf(to[2]), own_leaf(to[3]),
                        join(of_part, over_parts<Name>(sum, sums)));
        }
    }
    // Running statistics; that variance is the unbiased one.
    template <class N, class At>
    static auto followed(N const& n, At const& at) {
        if constexpr (!statistics_by_channel<std::remove_cvref_t<decltype(n.running)>>) {
            return tuple<>{};
        } else {
            using T = typename N::value_type;
            auto const count = static_cast<double>(at.count);
            auto const take = static_cast<T>(n.o.momentum), keep = 1 - take;
            auto const of_all = static_cast<T>(count > 1 ? count / (count - 1) : 1);
            auto const &to = n.running.mean, &v = n.running.variance;
            return felt::make_tuple(
                detail::make_statement(to, as_node(keep * to + take * at.mean), false),
                detail::make_statement(v, as_node(keep * v + take * of_all * at.scale), false));
        }
    }
};

}  // namespace felt::inline FELT_ABI::derive
