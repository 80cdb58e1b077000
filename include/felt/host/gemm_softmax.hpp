// SPDX-License-Identifier: BSD-3-Clause
//
// A product whose left operand is scores, block by block of rows and terms: they become weights of
// a softmax that is carried along the terms, and blocks that a mask removes are left out.
#pragma once
#include <felt/host/carried_softmax.hpp>
#include <felt/host/gemm_packing.hpp>
#include <felt/host/gemm_phase.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class gemm_softmax {
public:
    gemm_softmax(environment& env, node_id id)
        : env_(&env), id_(id), how_(&env.p.s[env.p.g[id].product]) {}

    // Another box of results.
    void begin(box const& own) {
        own_ = own;
        carried_.make_room(count(own, axes().m), env_->scratch);
    }

    // Whether all scores of a block are masked, and what they meet is finite, so that 0 times it is
    // nothing: then they need not be computed.
    bool leaves_out(row_source<T> const& scores, box const& block, right_strips<T> const& right,
                    index_t const* strides, cells<T> const& to) {
        if constexpr (std::is_floating_point_v<T>) {
            loop_view const loops = env_->loops(env_->described(id_).inner + how_->rows_from);
            box const asked = without(block, axes().n);
            if (scores.leaves_any == nullptr ||
                scores.leaves_any(scores.self, loops, asked, env_->scratch))
                return false;
            index_t packed[max_axes];
            if (strides == nullptr) strides = strides_of_packed(block, axes().k, right.row, packed);
            if (!all_finite(block, axes().k, columns(block), right, strides)) return false;
            carried_.leave_out(first_row(block), rows(block), columns(block), to);
            normalize(block, to);
            return true;
        } else {
            return false;
        }
    }

    // The scores of a block become weights,
    void weigh(T* values, box const& block, cells<T> const& to) {
        if constexpr (std::is_floating_point_v<T>) {
            carried_.weigh(first_row(block), {values, rows(block), count(block, axes().k)},
                           columns(block), to);
        }
    }
    // and after the last terms results are divided by their sum.
    void normalize(box const& block, cells<T> const& to) {
        if constexpr (std::is_floating_point_v<T>) {
            int const term = axes().k[0];
            if (block.hi[term] < env_->loops(env_->described(id_).inner).extent[term]) return;
            carried_.normalize(first_row(block), rows(block), columns(block), to);
        }
    }

private:
    planning::contraction_axes const& axes() const { return how_->axes; }
    index_t rows(box const& block) const { return count(block, axes().m); }
    index_t columns(box const& block) const { return count(block, axes().n); }
    // Among those of a batch.
    index_t first_row(box const& block) const {
        index_t row = 0;
        for (int l : axes().m) row = row * own_.extent(l) + block.lo[l] - own_.lo[l];
        return row;
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    box own_;
    carried_softmax<T> carried_;
};

}  // namespace felt::inline FELT_ABI::host
