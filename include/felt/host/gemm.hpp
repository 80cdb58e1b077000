// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of a product, blocked for the caches (Goto and van de Geijn, "Anatomy of
// High-Performance Matrix Multiplication", 2008), with BLIS's numbers. The terms are cut outside of
// the columns, as the right operand is often read where it lies:
//
//           over batches and blocks of a diagonal
//   loop 4  over the shared axes by kc terms
//   loop 5  over the columns by nc, of the right operand, in place or packed in strips
//   loop 3  over the rows by mc, of the left operand, in place or packed in strips
//   loop 1  over strips of mr rows, and
//   loop 2  of nr columns: the micro-kernel, see macro_kernel.hpp
#pragma once
#include <felt/host/gemm_few_rows.hpp>
#include <felt/host/gemm_groups.hpp>
#include <felt/host/gemm_packing.hpp>
#include <felt/host/gemm_phases.hpp>
#include <felt/host/gemm_softmax.hpp>
#include <felt/host/gemm_words.hpp>
#include <felt/host/macro_kernel.hpp>
#include <felt/host/fast_convolution.hpp>
#include <felt/plan/3_tiling/cache_blocking.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class gemm {
    using geometry = tile<T>;
    using operands = factors<T>;
    using target = product_target<T>;

public:
    gemm(environment& env, node_id id)
        : env_(&env),
          id_(id),
          how_(&env.p.s[env.p.g[id].product]),
          diagonal_(&env.p.g[env.p.g[id].product].diagonal),
          packing_(env, id),
          phases_(env, id),
          softmax_(env, id),
          convolution_(env, id),
          words_(env, id),
          few_rows_(env, id) {}

    planning::contraction_axes const& axes() const { return how_->axes; }

    // The range of every label that is shared.
    box shared() const {
        loop_view const in = inner();
        return planning::whole_box(in.extent, in.rank);
    }

    // `all`: the range of every label, of which the shared ones count.
    void product(box const& own, box all, target t, operands const& x) {
        loop_view const in = inner();
        for (int l = 0; l < own.rank; ++l) {
            all.lo[l] = own.lo[l];
            all.hi[l] = own.hi[l];
        }
        index_t one[max_axes] = {}, most[max_axes] = {};
        for (int l = 0; l < in.rank; ++l) one[l] = most[l] = in.extent[l];
        for (int l : axes().batch) one[l] = 1;
        for (int l : axes().k) most[l] = how_->k_step[l];
        loop_view const batches = in.by_blocks(one), pieces = in.by_blocks(most);
        if (own.size() == 0) return;
        if (how_->carries_softmax) {
            softmax_.begin(own);
        }
        bool const none = count(all, axes().k) == 0;
        if (!t.add && (none || !groups_cover(*diagonal_, all))) clear(own, t.to);
        if (none) return;
        for_each_block(batches, all, [&](box const& batch) {
            if (is_done_fast(batch, t, x)) return;
            for_each_group(*diagonal_, batch, [&](box const& group) {
                target now = t;
                now.padded = t.padded && count(group, axes().n) == count(own, axes().n);
                for_each_block(pieces, group, [&](box const& piece) {  // loop 4
                    if (how_->left_boxed) prepare_left(piece, group, x);
                    columns(piece, now, x);
                    now.add = true;
                });
            });
        });
    }

    // What is done once, before the loops; false if there is nothing left to do.
    bool transforms_filters() const { return has_fast_convolution<T> && how_->fast.by != nullptr; }
    bool make_ready(operands const& x) {
        if constexpr (has_fast_convolution<T>) return convolution_.make_ready(x.side[1 - left()]);
        else return false;
    }

private:
    bool is_done_fast(box const& batch, target const& t, operands const& x) {
        if constexpr (!has_fast_convolution<T>) return false;
        else
            return how_->fast.by != nullptr && !t.add &&
                   convolution_.product(batch, t.to, x.side[left()]);
    }

    planning::node const& described() const { return env_->described(id_); }
    loop_view inner() const { return env_->loops(described().inner); }

    // The left operand's box, for all pieces of a batch that overlap in it.
    void prepare_left(box const& piece, box const& batch, operands const& x) const {
        box wanted = without(piece, axes().n);
        for (int l : axes().k) {
            if ((how_->boxed_whole >> l & 1U) == 0) continue;
            wanted.lo[l] = batch.lo[l];
            wanted.hi[l] = batch.hi[l];
        }
        x.side[left()].prepare(wanted);
    }

    void columns(box const& piece, target const& t, operands const& x) {
        // Chunks of whole tiles, so that only the last tile of a row runs over into its padding.
        index_t const w = geometry::nr, all = count(piece, axes().n);
        index_t const most = how_->nc, limit = all <= most ? all : std::max(w, most / w * w);
        target const to{t.to, t.padded && (axes().n.count == 1 || all <= limit), t.add};
        index_t sizes[max_axes];
        auto const cut = chunks(inner(), piece, axes().n, limit, sizes);
        for_each_block(cut, piece, [&](box const& part) {  // loop 5
            row_source<T> const &a = x.side[left()], &b = x.side[1 - left()];
            if constexpr (word_terms<T>::available) {
                if (how_->multiplies_words()) return words_.over(part, to, a, b);
            }
            in_memory<T> lies;
            if (how_->streams_right || how_->right_in_place) {
                b.prepare(without(part, axes().m));
                lies = find_in_memory(b, part);
            }
            if (how_->streams_right && few_rows_.over(part, to, a, b, lies)) return;
            index_t const n = count(part, axes().n);
            index_t const whole = n % geometry::width == 0 ? n : n / w * w;
            if (lies.data == nullptr || !how_->right_in_place || whole == 0) {
                packed(part, to, a, b);
                return;
            }
            auto const [main, rest] = split(part, axes().n[0], whole);
            rows(main, to, a, {lies.data, w, 0}, lies.stride);
            if (whole < n) packed(rest, to, a, b);
        });
    }

    // The first n of a box along an axis, and the others.
    static std::pair<box, box> split(box const& b, int axis, index_t n) {
        std::pair<box, box> both{b, b};
        both.first.hi[axis] = both.second.lo[axis] = b.lo[axis] + n;
        return both;
    }

    // The operand that gives the rows.
    int left() const { return how_->rows_from; }
    void packed(box const& part, target const& t, row_source<T> const& a, row_source<T> const& b) {
        rows(part, t, a, packing_.right(b, part), nullptr);
    }

    // `strides` of the right operand, if it is not packed.
    void rows(box const& part, target const& t, row_source<T> const& left, right_strips<T> b,
              index_t const* strides) {
        // The right operand may have needed the slot of an equal node.
        if (how_->left_boxed) left.prepare(without(part, axes().n));
        index_t sizes[max_axes];
        if (how_->left_bordered || in_place(left, part).data != nullptr) {
            for_each_block(chunks(inner(), part, axes().m, rows_listed, sizes), part,
                           [&](box const& block) { rows_in_place(block, t, left, b, strides); });
            return;
        }
        index_t const n = count(part, axes().n);
        term_runs const& terms = terms_.over(part, axes().k, nullptr, strides);
        if (strides != nullptr) b.row = terms_.b_step;
        // Packed rows go where they are evenly spaced.
        index_t const together = evenly_spaced(part, axes().m, t.to.stride).length;
        index_t const limit = std::min(std::max<index_t>(how_->mc, geometry::mr), together);
        auto const cut = chunks(inner(), part, axes().m, limit, sizes);
        for_each_block(cut, part, [&](box const& block) {  // loop 3
            auto const to = cells_of(block, t);
            if (how_->carries_softmax && softmax_.leaves_out(left, block, b, strides, to)) return;
            if (how_->computes_left) {
                index_t stride[max_axes];
                T* const values = packing_.compute_left(left, block, stride);
                if (how_->carries_softmax) {
                    packing_.forget_left();
                    softmax_.weigh(values, block, to);
                }
                rows_.over(block, axes().m, stride, t.to.stride, geometry::mr);
                term_runs const& own = terms_.over(block, axes().k, stride, strides);
                multiply_tiles(n, own, rows_.strips(values, terms_.a_step), b, to);
                if (how_->carries_softmax) softmax_.normalize(block, to);
                return;
            }
            auto const a = packing_.left_rows(left, block, geometry::mr, to.row, rows_);
            multiply_tiles(n, terms, a, b, to);
        });
    }

    in_memory<T> in_place(row_source<T> const& left, box const& part) const {
        bool const lies = how_->left_in_place && !how_->left_bordered;
        return lies ? find_in_memory(left, part) : in_memory<T>{};
    }
    // So many rows at most that a list of their strips stays in the second-level cache.
    static constexpr index_t rows_listed = 2048 * geometry::mr;
    void rows_in_place(box const& part, target const& t, row_source<T> const& left,
                       right_strips<T> b, index_t const* strides) {
        in_memory<T> const lies = in_place(left, part);
        if (how_->left_bordered || !how_->zeros.empty()) {
            phases_.over(part, t, lies, b, strides);
            return;
        }
        term_runs const& terms = terms_.over(part, axes().k, lies.stride, strides);
        if (strides != nullptr) b.row = terms_.b_step;
        rows_.over(part, axes().m, lies.stride, t.to.stride, geometry::mr);
        multiply_tiles(count(part, axes().n), terms, rows_.strips(lies.data, terms_.a_step), b,
                       cells_of(part, t));
    }

    cells<T> cells_of(box const& block, target const& t) const {
        return host::cells_of(block, axes().m, described().rank, t);
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    planning::block_diagonal const* diagonal_;
    gemm_packing<T> packing_;
    row_walk rows_;
    term_walk terms_;
    gemm_phases<T> phases_;
    gemm_softmax<T> softmax_;
    fast_convolution<T> convolution_;
    gemm_words<T> words_;
    gemm_few_rows<T> few_rows_;
};

}  // namespace felt::inline FELT_ABI::host
