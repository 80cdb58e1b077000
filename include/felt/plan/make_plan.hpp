// SPDX-License-Identifier: BSD-3-Clause
//
// make_plan(s...): statements of any types, planned by code that does not know them (pipeline.hpp,
// cse_plan.hpp).
#pragma once
#include <felt/expr/carried_softmax.hpp>
#include <felt/expr/share.hpp>
#include <felt/plan/plan.hpp>
#include <optional>

namespace felt::inline FELT_ABI::planning {

namespace detail {

FELT_ONCE plan plan_all(any_statement const* s, std::size_t count);
// Statements in which shared() has marked something; nothing if that does not pay.
FELT_ONCE std::optional<plan> plan_shared(any_statement const* s, std::size_t count);

}  // namespace detail

// Plans a group of statements. The plan refers to them: it lives no longer than they do.
template <class... S>
plan make_plan(S const&... s) {
    detail::any_statement const all[] = {detail::any(s)...};
    return detail::plan_all(all, sizeof...(S));
}

// The plan of statements in which shared() has marked something; nothing if that does not pay.
template <class... S>
std::optional<plan> make_shared_plan(S const&... s) {
    detail::any_statement const all[] = {detail::any(s)...};
    return detail::plan_shared(all, sizeof...(S));
}

// Whether a plan of carried() statements can carry every softmax: rows of scores for all columns at
// once, all terms one after the other.
FELT_PLANNING inline bool carries_all(plan const& p) {
    for (node_id id : p.g.nodes.ids()) {
        node const& f = p.g[id];
        if (f.what != kind::contract || !f.carries_softmax) continue;
        product_schedule const& how = p.s[f.product];
        bool const columns = how.axes.n.points(p.g[f.inner].extent) <= most_nc;
        bool const whole = p.s[id].strip < 0 && p.s[id].part == 0 && how.axes.k.count == 1;
        if (!columns || !whole || how.rows_from != 0) return false;
    }
    return true;
}

// Whether f(s...) is true, for statements as they are or as with_best_plan() may mark them.
template <class F, class... S>
bool any_form(F&& f, S const&... s) {
    if constexpr (felt::detail::have_carried<S...>) {
        if ((felt::detail::carries_along_terms(s.expression) && ...) &&
            f(felt::detail::carried_in(s)...))
            return true;
    }
    if constexpr (felt::detail::have_shared<S...>) {
        auto const marked = felt::detail::shared(s...);
        if (apply([&](auto const&... m) { return f(m...); }, marked)) return true;
    }
    return f(s...);
}

// f(p, s...): the plan p of statements s, marked or not, whichever is better. What shares must not
// take more passes than what does not.
template <class F, class... S>
auto with_best_plan(F&& f, S const&... s) {
    if constexpr (felt::detail::have_carried<S...>) {
        if ((felt::detail::carries_along_terms(s.expression) && ...)) {
            auto const all = felt::make_tuple(felt::detail::carried_in(s)...);
            auto const marked = std::make_shared<decltype(all)>(all);
            plan p = apply([](auto const&... m) { return make_plan(m...); }, *marked);
            if (carries_all(p)) {
                p.keep = marked;
                return apply([&](auto const&... m) { return f(std::move(p), m...); }, *marked);
            }
        }
    }
    if constexpr (felt::detail::have_shared<S...>) {
        using tuple_of = decltype(felt::detail::shared(s...));
        auto const marked = std::make_shared<tuple_of const>(felt::detail::shared(s...));
        auto const plan_of = [](auto const&... m) { return make_shared_plan(m...); };
        std::optional<plan> p = apply(plan_of, *marked);
        bool const better =
            p && (p->s.passes.size() == 1 || p->s.passes.size() <= make_plan(s...).s.passes.size());
        if (better) {
            p->keep = marked;
            return apply([&](auto const&... m) { return f(std::move(*p), m...); }, *marked);
        }
    }
    return f(make_plan(s...), s...);
}

}  // namespace felt::inline FELT_ABI::planning
