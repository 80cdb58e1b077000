// SPDX-License-Identifier: BSD-3-Clause
//
// rows_in_place<T>: a view of which each row along the lanes is a row of memory, or lies outside of
// its source: a pad or windows of images whose channels are contiguous. Nothing is copied.
#pragma once
#include <bit>
#include <felt/host/environment.hpp>
#include <felt/host/leaf_loader.hpp>
#include <felt/plan/2_orientation/rows_in_place.hpp>

namespace felt::inline FELT_ABI::host {

// offset + sum_l by[l] * at[l], over the loops that count: mostly one or two.
class moving_index {
public:
    void add(index_t offset) { offset_ += offset; }
    void add(int loop, index_t by) {
        loop_[count_] = loop;
        by_[count_++] = by;
    }
    FELT_INLINE index_t at(index_t const* loops) const {
        index_t i = offset_;
        for (int k = 0; k < count_; ++k) i += by_[k] * loops[loop_[k]];
        return i;
    }
    // What a step of a loop adds.
    index_t step(int loop) const {
        index_t by = 0;
        for (int k = 0; k < count_; ++k) by += loop_[k] == loop ? by_[k] : 0;
        return by;
    }

private:
    index_t offset_ = 0;
    int count_ = 0, loop_[max_axes];
    index_t by_[max_axes];
};

template <class T>
class rows_in_place {
public:
    [[gnu::noinline]] rows_in_place(environment const& env, node_id id, T fill);

    // Where the loops are at `loops`: element j of the lanes is at p[j], or all are fill.
    [[gnu::noinline]] cursor<T> at(index_t const* loops) const {
        T const* p = data_ + inside_.at(loops);
        for (int k = 0; k < edges_; ++k) {
            if (!edge_[k].move(p, edge_[k].index.at(loops))) return {&fill_, false};
        }
        return {p, true};
    }

    // Element j of n rows, from `loops` on along a loop; of a row of fill `outside`.
    [[gnu::noinline]] void along(index_t const* loops, int loop, int n, index_t j, T const* outside,
                                 T const** rows) const {
        index_t i[max_axes], step[max_axes];
        for (int k = 0; k < edges_; ++k) {
            i[k] = edge_[k].index.at(loops);
            step[k] = edge_[k].index.step(loop);
        }
        T const* p = data_ + inside_.at(loops) + j;
        index_t const further = inside_.step(loop);
        for (int r = 0; r < n; ++r, p += further) {
            rows[r] = p;
            bool inside = true;
            for (int k = 0; k < edges_; ++k, i[k - 1] += step[k - 1])
                inside = edge_[k].move(rows[r], i[k]) && inside;
            if (!inside) rows[r] = outside;
        }
    }
    T fill() const { return fill_; }

private:
    // An axis of the source past whose ends the view goes, or between whose elements.
    struct edge {
        moving_index index;
        index_t extent, stride, divide;
        int shift;  // -1: `divide` is no power of 2, and takes longer
        bool exact;

        // Goes to index i, or there is no such element.
        FELT_INLINE bool move(T const*& p, index_t i) const {
            index_t const n = shift >= 0 ? i >> shift : i / divide;
            if (i < 0 || n >= extent || (exact && n * divide != i)) return false;
            p += stride * n;
            return true;
        }
    };

    void add(axis_map const& m, int axis, planning::loop_space const& in, int lane,
             axis_rule const& r, index_t extent, index_t stride);

    T fill_;
    T const* data_;
    moving_index inside_;  // of the axes of the source that are never left, in elements
    int edges_ = 0;
    edge edge_[max_axes];
};

template <class T>
rows_in_place<T>::rows_in_place(environment const& env, node_id id, T fill) : fill_(fill) {
    planning::graph const& g = env.p.g;
    planning::node const &f = g[id], &source = g[id + 1];
    planning::node const& leaf = g[planning::detail::leaf_of_source(g, id)];
    data_ = static_cast<T const*>(leaf.data) + leaf.offset;
    axis_map const m = planning::detail::axes_of_source(g, id);
    for (planning::axis_id a : source.axes())
        add(m, a, g[f.space], env.p.s[f.space].lane, f.rule[a], source.extent[a], leaf.by_loop[a]);
}

template <class T>
void rows_in_place<T>::add(axis_map const& m, int axis, planning::loop_space const& in, int lane,
                           axis_rule const& r, index_t extent, index_t stride) {
    index_t least = m.offset[axis], most = least;
    for (int l = 0; l < m.loops; ++l) {
        index_t const reach = m.coef[axis][l] * (in.extent[l] - 1);
        (reach < 0 ? least : most) += reach;
    }
    bool const stays = least >= 0 && most < extent && r.divide == 1;
    index_t const step = stays ? stride : 1;
    moving_index& to = stays ? inside_ : edge_[edges_].index;
    to.add(m.offset[axis] * step);
    for (int l = 0; l < m.loops; ++l) {  // rows begin where the lanes are 0
        if (l != lane && m.coef[axis][l] != 0) to.add(l, m.coef[axis][l] * step);
    }
    if (stays) return;
    edge& e = edge_[edges_++];
    auto const divide = static_cast<std::uint64_t>(r.divide);
    e.extent = extent, e.stride = stride, e.divide = r.divide, e.exact = r.exact;
    e.shift = std::has_single_bit(divide) ? std::countr_zero(divide) : -1;
}

}  // namespace felt::inline FELT_ABI::host
