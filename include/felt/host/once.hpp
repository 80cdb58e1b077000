// SPDX-License-Identifier: BSD-3-Clause
//
// A value that several readers want: evaluated box by box into its slot.
#pragma once
#include <felt/host/materialized.hpp>
#include <felt/host/next_block.hpp>

namespace felt::inline FELT_ABI::host {

template <class X>
class bound<once_node<X>> : public materialized<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(once_node<X> const& n, environment& env, node_id id)
        : materialized<T>(env, id), x_(n.x.head, env, id + 1), next_(env, env.p.g[id].inner) {
        this->offer(*this);
    }

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) {
            T* to = this->in_destination(own);
            if (to == nullptr) to = this->room(own, this->inner().lane);
            evaluate(rows(), this->inner(), own, this->origin(own, to), this->scratch());
            this->overwrite();
        });
    }

    void accumulate(strip_range const& strip) {
        if (strip.only) x_.accumulate(strip);
    }

private:
    // Rows of x, and with each a part of what the next block will read.
    row_source<T> rows() {
        return {this, [](void* self, box const& b) { static_cast<bound*>(self)->x_.prepare(b); },
                [](void const* self, index_t const* at, index_t lo, index_t hi, T* room) {
                    auto const& own = *static_cast<bound const*>(self);
                    detail::compute_row(own.x_, at, lo, hi, room, own.later(at, lo, room));
                    return static_cast<T const*>(room);
                },
                nullptr,
                [](void const* self, int l, index_t n) {
                    return static_cast<bound const*>(self)->x_.continues_row(l, n);
                }};
    }

    detail::fetch later(index_t const* at, index_t lo, T const* row) const {
        constexpr index_t lanes_each = detail::step_lanes<bound<X>>;
        if (!next_) return {reinterpret_cast<char const*>(row), 0};
        return {next_.row(at, lo), lanes_each * next_.value_bytes()};
    }

    bound<X> x_;
    next_block next_;
};

template <class X>
class bound<shared_node<X>> : public bound<once_node<X>> {
public:
    using bound<once_node<X>>::bound;
};

}  // namespace felt::inline FELT_ABI::host
