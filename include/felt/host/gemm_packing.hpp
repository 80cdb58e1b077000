// SPDX-License-Identifier: BSD-3-Clause
//
// The operands of a product where its tiles read them: packed in strips, or computed row by row.
// What is there stays until another box is asked for.
#pragma once
#include <felt/host/gemm_operands.hpp>
#include <felt/host/pack.hpp>
#include <felt/host/in_place_operand.hpp>
#include <felt/host/macro_kernel.hpp>
#include <felt/plan/3_tiling/scratch_layout.hpp>

namespace felt::inline FELT_ABI::host {

inline index_t count(box const& b, label_list const& of) {
    return detail::extent_of(b, of.label, of.count);
}

// Chunks of a group of labels: whole inner labels, part of the outermost.
inline loop_view chunks(loop_view const& in, box const& of, label_list const& group, index_t limit,
                        index_t* block) {
    for (int l = 0; l < of.rank; ++l) block[l] = std::max<index_t>(of.extent(l), 1);
    index_t n = count(of, group);
    for (int i = 0; i < group.count && n > limit; ++i) {
        index_t& b = block[group[i]];
        index_t const rest = n / b;
        b = std::max<index_t>(1, limit / rest);
        n = rest * b;
    }
    return in.by_blocks(block);
}

// Operands do not follow the other's labels: their box is the same for all of them.
inline box without(box b, label_list const& of) {
    for (int l : of) {
        b.lo[l] = 0;
        b.hi[l] = 1;
    }
    return b;
}

// Where the rows of a block go, of a product of so many labels.
template <class T>
cells<T> cells_of(box const& block, label_list const& rows, int rank, product_target<T> const& t) {
    T* c = t.to.data;
    for (int l = 0; l < rank; ++l) c += t.to.stride[l] * block.lo[l];
    return {c, evenly_spaced(block, rows, t.to.stride).step, t.padded, t.add};
}

template <class T>
class gemm_packing {
    using geometry = tile<T>;

public:
    gemm_packing(environment& env, node_id id)
        : env_(&env), id_(id), how_(&env.p.s[env.p.g[id].product]) {}

    // Columns of the right operand over a box of labels.
    right_strips<T> right(row_source<T> const& b, box const& part) {
        index_t const pitch = geometry::nr * count(part, axes().k) + geometry::width;
        pack(b, 1 - side(), without(part, axes().m), axes().n, {geometry::nr, pitch, false},
             right_);
        return {right_.data, pitch, geometry::nr};
    }

    // Rows of the left operand.
    T const* left(row_source<T> const& a, box const& part, strips const& layout) {
        pack(a, side(), without(part, axes().n), axes().m, layout, left_);
        return left_.data;
    }

    // The same in strips of at most `highest` rows, which go where they are `apart`.
    left_strips<T> left_rows(row_source<T> const& a, box const& part, index_t highest,
                             index_t apart, row_walk& rows) {
        index_t const m = count(part, axes().m);
        int const height = row_walk::height_of(m, highest);
        index_t const pitch = height * count(part, axes().k) + geometry::width;
        T const* const packed = left(a, part, {height, pitch, true});
        rows.packed(m, highest, pitch, apart);
        return rows.packed_strips(packed);
    }

    // The left operand over a box of labels, rows one behind the other, with some room between them
    // where they would fall into the same sets of a cache. Sets their strides. The terms of the
    // innermost label fill groups of `together`, the last with zeros.
    T* compute_left(row_source<T> const& a, box const& part, index_t* stride,
                    index_t together = 1) {
        box const b = without(part, axes().n);
        index_t const size = lay_out(b, stride, together);
        if (left_.holds(b)) return left_.data;
        a.prepare(b);
        left_.take(env_->scratch, size);
        if (together > 1) std::fill(left_.data, left_.data + size, T(0));
        strided<T> origin{left_.data, {}};
        for (int l = 0; l < b.rank; ++l) {
            origin.stride[l] = stride[l];
            origin.data -= stride[l] * b.lo[l];
        }
        store_block(a, loops_of(side()), b, origin);
        left_.hold(b);
        return left_.data;
    }

    // How such rows of terms lie; returns how many elements that takes.
    index_t lay_out(box const& b, index_t* stride, index_t together = 1) const {
        index_t size = 1, run = together;
        std::fill(stride, stride + max_axes, 0);
        auto const lay = [&](label_list const& of) {
            for (int i = of.count - 1; i >= 0; --i) {
                stride[of[i]] = size;
                if (b.extent(of[i]) == 1) continue;
                size = (size * b.extent(of[i]) + run - 1) / run * run;
                run = 1;
            }
        };
        lay(axes().k);
        size = std::max(size, run);
        // Words and scores are looked for with room between their rows.
        bool const looked_for = together > 1 || how_->carries_softmax;
        auto const bytes = size * static_cast<index_t>(sizeof(T));
        if (looked_for || bytes % (planning::page / 2) == 0) size += planning::row_padding;
        run = 1;
        lay(axes().m);
        return size;
    }

    void forget_left() { left_.valid = false; }

private:
    planning::contraction_axes const& axes() const { return how_->axes; }
    int side() const { return how_->rows_from; }
    loop_view loops_of(int operand) const {
        return env_->loops(env_->described(id_).inner + operand);
    }

    void pack(row_source<T> const& x, int operand, box const& b, label_list const& neighbours,
              strips const& layout, packed_box<T>& to) {
        if (to.holds(b)) return;
        x.prepare(b);
        index_t const n = count(b, neighbours);
        index_t const size =
            ((n + layout.width - 1) / layout.width) * layout.pitch + 2 * geometry::nr;
        to.take(env_->scratch, size);
        pack_axes const along{neighbours.label, neighbours.count, axes().k.label, axes().k.count};
        packer<T>(x, loops_of(operand), along, b, layout).pack(to.data, env_->scratch);
        to.hold(b);
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    packed_box<T> left_, right_;
};

}  // namespace felt::inline FELT_ABI::host
