// SPDX-License-Identifier: BSD-3-Clause
//
// Views that are not just other strides: pad, upsample, roll, windows past an edge. A view that
// turns out to stay inside of a source in memory is only other strides, and one of which each row
// is a row of memory or none needs no copy: then the plan has streamed it.
#pragma once
#include <felt/host/rows_in_place.hpp>
#include <felt/host/view_rows.hpp>
#include <optional>

namespace felt::inline FELT_ABI::host {

template <view_kind K, class X, std::size_t R>
    requires(K != view_kind::affine)
class bound<view_node<K, X, R>> : public viewed<typename X::value_type> {
    using T = typename X::value_type;
    using base = viewed<T>;

public:
    bound(view_node<K, X, R> const& n, environment& env, node_id id)
        : base(env, id, n.fill),
          direct_(env.placed(id).by == way::streamed && !env.described(id).inner),
          x_(n.x.head, env, id + 1) {
        if (planning::detail::finds_rows(env.p.g, env.p.s, id)) rows_.emplace(env, id, n.fill);
        this->offer(*this);
    }

    void prepare(box const& b) {
        if (direct_) x_.values().prepare(b);
        else if (!rows_) this->prepare_values(b, x_, rows_of(x_.values()));
    }
    void accumulate(strip_range const& strip) { x_.values().accumulate(strip); }
    FELT_INLINE cursor<T> row(index_t const* at) const {
        if constexpr (detail::is_memory<bound<X>>) {
            if (direct_) return x_.values().row(at);
        }
        if (rows_) return rows_->at(at);
        return base::row(at);
    }
    rows_in_place<T> const* rows_apart() const { return rows_ ? &*rows_ : nullptr; }
    bool continues_row(int l, index_t n) const {
        if (rows_) return false;
        return direct_ ? x_.values().continues_row(l, n) : base::continues_row(l, n);
    }
    T const* direct(index_t const** by_loop) const {
        if constexpr (requires { x_.values().direct(by_loop); }) {
            if (direct_) return x_.values().direct(by_loop);
        }
        if (rows_) return nullptr;
        return direct_ ? nullptr : base::direct(by_loop);
    }

private:
    bool direct_;
    std::optional<rows_in_place<T>> rows_;
    source<X> x_;
};

}  // namespace felt::inline FELT_ABI::host
