// SPDX-License-Identifier: BSD-3-Clause
//
// When a derived program needs what it has in memory of its own, in runs: statements of one run are
// planned together, so what one of them reads is not written again by another. What the forward
// pass writes lives on; what derivatives are made of does until the end of the backward pass.
#pragma once
#include <felt/grad/asked.hpp>

namespace felt::inline FELT_ABI::derive {

class memory_use {
public:
    explicit memory_use(std::size_t takes) : lives_(takes, {for_ever, 0}) {}

    template <class L>
    void forward(L const& list) {
        note_all(list, for_ever);
    }
    template <class L>
    void backward(L const& list) {
        note_all(list, 0);
    }
    template <class... E>
    void end(tuple<E...> const& derivatives) {
        apply([&](auto const&... e) { (note(e, until_the_end), ...); }, derivatives);
    }
    lifetimes const& result() const { return lives_; }

private:
    template <class... I>
    void note_all(tuple<I...> const& list, int until) {
        apply([&](auto const&... item) { (note_item(item, until), ...); }, list);
    }
    template <class I>
    void note_item(I const& item, int until) {
        if constexpr (runs_by_itself<I>) ++run_;
        if constexpr (has_statements<I>) note_all(item.statements(), until);
        else if constexpr (!runs_by_itself<I>) note_statement(item, until);
        if constexpr (runs_by_itself<I>) ++run_;
    }
    template <class S>
    void note_statement(S const& s, int until) {
        note_memory(s.data, until);
        note(s.expression, until);
    }
    template <std::size_t I, class E>
    void note_statement(asked_here<I, E> const& s, int until) {
        note(s.e, until);
    }
    template <class N>
    void note(N const& n, int until) {
        if constexpr (requires { n.data; }) note_memory(n.data, until);
        else apply([&](auto const&... x) { (note(x, until), ...); }, n.operands());
    }
    void note_memory(void const* p, int until) {
        auto const k = take_of_address(p);
        if (k < 0) return;
        lifetime& life = lives_[static_cast<std::size_t>(k)];
        life.first = std::min(life.first, run_);
        life.last = std::max({life.last, run_, until});
    }

    lifetimes lives_;
    int run_ = 0;
};

template <class... I>
inline constexpr bool has_several_runs(tuple<I...> const*) {
    return (runs_by_itself<I> || ...);
}

}  // namespace felt::inline FELT_ABI::derive
