// SPDX-License-Identifier: BSD-3-Clause
//
// run(how, s...) on the device: the launches of its plan. Where the host can reach the memory,
// statements with products are carried out by its loops, which felt/device.hpp brings.
#pragma once
#include <felt/device/arrange.hpp>
#include <felt/device/copy.hpp>
#include <felt/device/stages.hpp>
#include <felt/expr/lifetimes.hpp>
#include <felt/expr/reduce.hpp>

namespace felt::inline FELT_ABI {

namespace device {

template <class... E>
inline constexpr bool run_by_host = !has_tiles && ((all_products<E>() > 0) || ...);

// 0 for an index inside, else the index, of those that are not negative the next one.
struct outside {
    index_t limit;

    template <class I>
    FELT_FN index_t operator()(I i) const {
        auto const n = static_cast<index_t>(i);
        return n < 0 ? n : n >= limit ? n + 1 : 0;
    }
};
struct any_marked {
    static constexpr char const* name = "index";
    template <class T>
    using result = T;
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    // The smallest of those that are not 0, in whatever order they meet.
    FELT_FN auto operator()(auto x, auto y) const { return y == 0 || (x != 0 && x < y) ? x : y; }
};

// Throws shape_error if an index of a gather or scatter_add in n is outside; waits for the device.
template <class N>
void check_gathered(N const& n) {
    spread([](auto const&... x) { (check_gathered(x), ...); }, n.operands());
    if constexpr (requires { n.limit(); }) {
        auto const marked = make_map(outside{n.limit()}, n.x.tail.head);
        index_t const found = run_to_value(
            reduce_node<any_marked, 1U, std::remove_const_t<decltype(marked)>>{{marked}});
        if (found == 0) return;
        throw shape_error(std::string(N::name) + ": index " +
                          std::to_string(found > 0 ? found - 1 : found) + " is outside axis " +
                          std::to_string(n.axis) + " of extent " + std::to_string(n.limit()));
    }
}

template <class N>
consteval bool computes_complex();
template <class... X>
consteval bool any_computes_complex(tuple<X...> const*) {
    return (false || ... || computes_complex<X>());
}
template <class N>
consteval bool computes_complex() {
    return is_complex<typename N::value_type> ||
           any_computes_complex(static_cast<operands_of<N> const*>(nullptr));
}

template <class How>
inline constexpr bool is_fused = !std::is_same_v<How, unfused_t>;

// Carries out a plan over its statements, with their types.
template <class How, class... S>
class execution {
public:
    execution(plan const& p, S const&... s)
        : p_(p), statements_(felt::make_tuple(s...)), stages_(p) {}

    void run() { run_from<0>(p_.pass.begin()); }

private:
    using pass_iterator = std::vector<pass_facts>::const_iterator;

    template <std::size_t First>
    void run_from(pass_iterator pass) {
        if constexpr (First < sizeof...(S)) {
            bool const begins = pass != p_.pass.end() && pass->first == statement_id(First);
            if (begins) run_pass<First, First + 1>(*pass++);
            run_from<First + 1>(pass);
        }
    }

    // Statements First .. Last-1, if these are the pass.
    template <std::size_t First, std::size_t Last>
    void run_pass(pass_facts const& pass) {
        if (pass.last == statement_id(Last)) {
            std::make_index_sequence<Last - First> const in_it;
            check_all<First>(in_it);
            if constexpr (Last == First + 1) run_alone<First>(pass);
            else run_together<First>(pass, in_it);
        } else if constexpr (may_join<First, Last>()) {
            run_pass<First, Last + 1>(pass);
        }
    }

    // What plan.hpp asks of the types of statements that share a launch.
    template <std::size_t First, std::size_t Last>
    static consteval bool may_join() {
        if constexpr (Last == sizeof...(S) || Last - First == most_together) {
            return false;
        } else {
            using first = statement_at<First>;
            using next = statement_at<Last>;
            return is_fused<How> &&
                   (may_stream_together<first, next>() || may_share_sums<first, next>());
        }
    }
    template <class First, class Next>
    static consteval bool may_stream_together() {
        return First::rank == Next::rank && !never_streams<expression_of<First>> &&
               !never_streams<expression_of<Next>>;
    }

    template <std::size_t First, std::size_t... I>
    void check_all(std::index_sequence<I...>) {
        (check_gathered(get<First + I>(statements_).expression), ...);
    }

    // In braces they are made in order: what is computed once is computed for the first.
    template <std::size_t First, std::size_t... I>
    void run_together(pass_facts const& pass, std::index_sequence<0, I...>) {
        using first = statement_at<First>;
        if constexpr ((may_share_sums<first, statement_at<First + I>>() && ...)) {
            if (p_[statement_id(First)].keeps == kept::all) {
                return std::apply(
                    [](auto const&... to) { multiply_for<How>(felt::make_tuple(to...)); },
                    std::tuple{over_sums<First>(), over_sums<First + I>()...});
            }
        }
        if constexpr ((may_stream_together<first, statement_at<First + I>>() && ...)) {
            std::apply([&](auto const&... to) { write(launch_of(pass), to...); },
                       std::tuple{streaming<First>(), streaming<First + I>()...});
        }
    }
    template <std::size_t K>
    auto over_sums() {
        auto const& s = get<K>(statements_);
        auto const n = stages_.template over_sums<kept::all>(s.expression, root_of<K>());
        return tile_target_of(s, n);
    }
    template <std::size_t K>
    auto streaming() {
        auto const& s = get<K>(statements_);
        return target_of(s, stages_.over_streams(s.expression, root_of<K>()));
    }

    // A statement with the products that it keeps; aside first if it reads what it writes.
    template <std::size_t K, kept Which>
    void multiply_with(pass_facts const& pass) {
        using S_K = statement_at<K>;
        auto const& s = get<K>(statements_);
        node_id const root = root_of<K>();
        auto const n = stages_.template over_sums<Which>(s.expression, root);
        if (!p_[root].launch) {
            return multiply_for<How>(s.data, s.e, s.stride, n);
        }
        using T = typename S_K::value_type;
        storage<T, Device> const aside(s.e.size(), false);
        multiply_for<How>(aside.data(), s.e, RowMajor::strides(s.e), n);
        leaf<T, S_K::rank, Device> const all{aside.data(), s.e, RowMajor::strides(s.e)};
        write(launch_of(pass), target_of(s, all));
    }

    template <std::size_t K>
    void run_alone(pass_facts const& pass) {
        using S_K = statement_at<K>;
        using N = expression_of<S_K>;
        constexpr bool may_keep = is_fused<How> && may_keep_products<N, S_K::rank>;
        if constexpr (may_keep) {
            if (p_[statement_id(K)].keeps == kept::all) return multiply_with<K, kept::all>(pass);
            if constexpr (plain_products<N> > 1) {
                if (p_[statement_id(K)].keeps == kept::first)
                    return multiply_with<K, kept::first>(pass);
            }
        }
        if constexpr (!may_keep || !keeps_always<N>) stream_alone<K>(pass);
    }

    // A statement without products of its own.
    template <std::size_t K>
    void stream_alone(pass_facts const& pass) {
        auto const& s = get<K>(statements_);
        node_id const root = root_of<K>();
        launch_id const computed = p_[root].launch;
        if (computed == pass.launch) {
            if constexpr (statement_at<K>::rank == expression_of<statement_at<K>>::rank) {
                stages_.compute_to(s.data, s.expression, root);
            }
        } else if (computed) {
            write(launch_of(pass), target_of(s, stages_.computed(s.expression, root)));
        } else if constexpr (!never_streams<expression_of<statement_at<K>>>) {
            write(launch_of(pass), streaming<K>());
        }
    }

    launch_facts const& launch_of(pass_facts const& pass) const { return p_.launch[pass.launch]; }
    template <std::size_t K>
    node_id root_of() const {
        return p_.g[statement_id(K)].root;
    }
    template <std::size_t K>
    using statement_at = std::tuple_element_t<K, std::tuple<S...>>;
    template <class E>
    using expression_of = decltype(E::expression);
    template <class T, std::size_t R, class E, class N>
    static target<T, R, N> target_of(statement<T, R, Device, E> const& s, N const& n) {
        return {s.data, s.stride, n};
    }

    template <class T, std::size_t R, class E, class N>
    static tile_target<T, R, N> tile_target_of(statement<T, R, Device, E> const& s, N const& n) {
        return {s.data, s.e, s.stride, n};
    }

    plan const& p_;
    decltype(felt::make_tuple(std::declval<S>()...)) statements_;
    stages<How> stages_;
};

template <class How, class... S>
void carry_out(How how, S const&... s) {
    plan const p = make_plan(how, s...);
    execution<How, S...>(p, s...).run();
}

}  // namespace device

template <class... Space>
concept statements_are_on_the_device = (std::same_as<Space, Device> && ...);

template <class How, class... T, std::size_t... R, class... Sp, class... E>
    requires(sizeof...(E) > 0) && statements_are_on_the_device<Sp...> &&
            (std::derived_from<How, fused_t> || std::same_as<How, unfused_t>)
void run(How how, statement<T, R, Sp, E> const&... s) {
    static_assert(!(device::computes_complex<lowered<E>>() || ...),
                  "complex numbers are computed on the host: copy with to<Host>(x) first");
    detail::check_lifetimes(s...);
    if constexpr (device::run_by_host<lowered<E>...>) {
        run(how, in_space<Host>(s)...);  // over the same memory
    } else {
        device::carry_out(how, lower(s)...);
    }
}

// The value of a full reduction; waits for the device.
template <node N>
    requires std::same_as<typename N::space, Device>
typename N::value_type run_to_value(N const& n) {
    Tensor<typename N::value_type, 0, Device> value;
    run(fused, detail::make_statement(value, n, false));
    return to<Host>(value)();
}

}  // namespace felt::inline FELT_ABI
