// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of a product whose left operand lies in memory and is 0 in places: phase by phase, without
// the zeros (plan/2_orientation/zero_terms.hpp, bordered_operand.hpp).
#pragma once
#include <felt/host/gemm_packing.hpp>
#include <felt/host/gemm_phase.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class gemm_phases {
    using geometry = tile<T>;
    using target = product_target<T>;

public:
    gemm_phases(environment& env, node_id id)
        : how_(&env.p.s[env.p.g[id].product]),
          inner_(env.loops(env.described(id).inner)),
          rank_(env.described(id).rank) {
        if (how_->left_bordered) bordered_ = {env.p.g, env.p.g.operand(id, how_->rows_from)};
    }

    // `strides` of the right operand, if it is not packed.
    void over(box const& part, target const& t, in_memory<T> const& lies, right_strips<T> const& b,
              index_t const* strides) {
        index_t packed[max_axes];
        if (strides == nullptr) strides = strides_of_packed(part, axes().k, b.row, packed);
        operand const right{b, strides,
                            all_finite(part, axes().k, count(part, axes().n), b, strides)};
        if (how_->left_bordered) return bordered(part, t, right);
        unsigned const along = row_walk::along(part, axes().m, lies.stride, t.to.stride);
        walk_.over(how_->zeros, part, along,
                   [&](product_phase const& p, bool) { phase(p, part, t, lies, right); });
    }

private:
    struct operand {
        right_strips<T> strips;
        index_t const* stride;
        bool finite;
    };
    planning::contraction_axes const& axes() const { return how_->axes; }

    // Rows and their results stay in the second-level cache while the terms of one column of
    // windows after another are added to them.
    void bordered(box const& part, target const& t, operand const& right) {
        index_t sizes[max_axes];
        auto const cut = chunks(inner_, part, axes().m, rows_in_cache(part), sizes);
        for_each_block(cut, part, [&](box const& block) {
            auto const lies = bordered_.at(block);
            walk_.over(how_->zeros, block, 0, [&](product_phase const& p, bool again) {
                phase(p, block, {t.to, t.padded, t.add || again}, lies, right);
            });
        });
    }
    index_t rows_in_cache(box const& part) const {
        bool by_term = false;
        for (planning::zero_axis const& a : how_->zeros) by_term = by_term || a.by_term_alone;
        if (!by_term) return planning::all_terms;
        index_t const width = count(part, axes().n) + part.extent(axes().k.last());
        index_t const most = planning::pack_bytes / 2 / (width * static_cast<index_t>(sizeof(T)));
        return std::max<index_t>(geometry::mr, most);
    }

    void phase(product_phase const& p, box const& part, target const& t, in_memory<T> const& lies,
               operand const& right) {
        strided<T> to = t.to;
        for (int a = 0; a < rank_; ++a) to.data += to.stride[a] * part.lo[a];
        gemm_phase<T> const now(p, part, lies, to);
        auto const& terms = terms_.some(part, now.rows, axes().k, now.stride, right.stride,
                                        now.terms_apart(), [&](auto at) { return now.meets(at); });
        if (terms.count > 0 || !t.add) {
            rows_.over(now.rows, axes().m, now.stride, now.to.stride, geometry::mr);
            multiply(part, terms, rows_.strips(now.data, terms_.a_step), right,
                     {now.to.data, rows_.to_step, t.padded, t.add});
        }
        if (!right.finite) add_zeros(part, now, t.padded, right);
    }
    // Times what is not finite they are NaN.
    void add_zeros(box const& part, gemm_phase<T> const& now, bool padded, operand const& right) {
        static constexpr T zero[1] = {};
        static constexpr index_t none[max_axes] = {};
        auto const& terms =
            terms_.some(part, part, axes().k, none, right.stride, now.terms_with_zeros(),
                        [&](auto at) { return now.is_beyond(at); });
        if (terms.count == 0) return;
        rows_.over(now.rows, axes().m, none, now.to.stride, geometry::mr);
        multiply(part, terms, rows_.strips(zero, 0), right,
                 {now.to.data, rows_.to_step, padded, true});
    }
    void multiply(box const& part, term_runs const& terms, left_strips<T> const& left,
                  operand const& right, cells<T> const& to) {
        right_strips<T> const by{right.strips.data, right.strips.pitch, terms_.b_step};
        multiply_tiles(count(part, axes().n), terms, left, by, to);
    }

    planning::product_schedule const* how_;
    loop_view inner_;
    int rank_;
    bordered_memory<T> bordered_;
    row_walk rows_;
    term_walk terms_;
    phase_walk walk_;
};

}  // namespace felt::inline FELT_ABI::host
