// SPDX-License-Identifier: BSD-3-Clause
//
// Residency: an operand of a product that lies in memory, or in a box of scratch, is read in place
// if the micro-kernel can walk through it; anything else is packed. Packing pays nothing there:
// what is packed is read as often as what it was packed from, and is written once more.
#pragma once
#include <felt/host/micro.hpp>
#include <felt/host/row_source.hpp>
#include <felt/host/macro_kernel.hpp>
#include <felt/plan/2_orientation/bordered_operand.hpp>
#include <string_view>
#include <vector>

namespace felt::inline FELT_ABI::host {

// Where a box of an operand begins, and its strides by label; null if it is to be computed.
template <class T>
struct in_memory {
    T const* data = nullptr;
    index_t const* stride = nullptr;
};

template <class T>
in_memory<T> find_in_memory(row_source<T> const& x, box const& at) {
    index_t const* by_loop = nullptr;
    T const* p = x.memory(&by_loop);
    if (p == nullptr) return {};
    for (int l = 0; l < at.rank; ++l) p += by_loop[l] * at.lo[l];
    return {p, by_loop};
}

// The same of what an operand converts, if that are elements of S in memory.
template <class S>
in_memory<S> find_below_conversion(planning::graph const& g, planning::node_id operand,
                                   box const& at) {
    planning::node_id const x = planning::detail::below_strides(g, operand);
    bool const converts = g[x].what == planning::kind::map && g[x].flops == 0;
    if (!converts || g[x + 1].what != planning::kind::leaf) return {};
    planning::node const& leaf = g[x + 1];
    std::string_view const type = planning::detail::type_name<S>();
    if (leaf.type != type || leaf.lie_along != nullptr) return {};
    S const* p = static_cast<S const*>(leaf.data) + leaf.offset;
    for (int l = 0; l < at.rank; ++l) p += leaf.by_loop[l] * at.lo[l];
    return {p, leaf.by_loop};
}

// The same of an operand of a product with zeros around it (2_orientation/bordered_operand.hpp).
template <class T>
class bordered_memory {
public:
    bordered_memory() = default;
    bordered_memory(planning::graph const& g, planning::node_id operand) {
        planning::node_id const x = planning::detail::memory_below(g, operand);
        planning::node const& leaf = g[planning::detail::leaf_of_source(g, x)];
        axis_map const m = planning::detail::axes_of_source(g, x);
        first_ = static_cast<T const*>(leaf.data) + leaf.offset;
        for (int a = 0; a < g[x + 1].rank; ++a) first_ += m.offset[a] * leaf.by_loop[a];
        for (int l = 0; l < m.loops; ++l)
            stride_[l] = planning::detail::step_in_leaf(m, leaf, g[x + 1].rank, l);
    }
    in_memory<T> at(box const& b) const {
        T const* p = first_;
        for (int l = 0; l < b.rank; ++l) p += stride_[l] * b.lo[l];
        return {p, stride_};
    }

private:
    T const* first_ = nullptr;
    index_t stride_[max_axes] = {};
};

using planning::label_list;

// The last labels of a list, from `first` on, walked with one step as if they were one.
struct even_run {
    int first;
    index_t length = 1, step = 0;
};
// Labels of `alone`, a bit each, are not among them.
inline even_run evenly_spaced(box const& b, label_list const& of, index_t const* stride,
                              unsigned alone = 0) {
    even_run r{of.count};
    for (int i = of.count - 1; i >= 0 && (alone >> of.label[i] & 1U) == 0; --i) {
        index_t const n = b.extent(of.label[i]), s = stride[of.label[i]];
        if (n > 1 && r.length > 1 && s != r.length * r.step) break;
        if (n > 1 && r.length == 1) r.step = s;
        r.length *= n;
        r.first = i;
    }
    return r;
}

inline index_t offset_in(box const& b, label_list const& of, int count, index_t const* stride,
                         index_t const* at) {
    index_t offset = 0;
    for (int i = 0; i < count; ++i) {
        int const l = of.label[i];
        offset += stride[l] * (at[l] - b.lo[l]);
    }
    return offset;
}

// Of a packed right operand by its terms, which are `row` apart.
inline index_t const* strides_of_packed(box const& b, label_list const& of, index_t row,
                                        index_t* stride) {
    for (int i = of.count - 1; i >= 0; --i) {
        stride[of[i]] = row;
        row *= b.extent(of[i]);
    }
    return stride;
}

// The shared terms of a box, in runs that both operands walk with one step. A null stride: packed.
class term_walk {
public:
    index_t a_step = 0, b_step = 0;

    term_runs const& over(box const& b, label_list const& of, index_t const* a,
                          index_t const* right) {
        even_run run{0};
        index_t terms = 1;
        for (int i = 0; i < of.count; ++i) terms *= b.extent(of.label[i]);
        run.length = terms;
        for (index_t const* stride : {a, right}) {
            if (stride == nullptr) continue;
            even_run const own = evenly_spaced(b, of, stride);
            (stride == a ? a_step : b_step) = own.step;
            if (own.first >= run.first) run = own;
        }
        runs_ = {run.length, terms / std::max<index_t>(run.length, 1)};
        runs_.a = runs_.count > 1 && a != nullptr ? starts(a_, b, of, run.first, a) : nullptr;
        runs_.b =
            runs_.count > 1 && right != nullptr ? starts(b_, b, of, run.first, right) : nullptr;
        return runs_;
    }

    // The same of some terms of `all`, those of b that are `wanted` by their labels in `alone`. The
    // operands begin where `all` does.
    template <class F>
    term_runs const& some(box const& all, box const& b, label_list const& of, index_t const* a,
                          index_t const* right, unsigned alone, F&& wanted) {
        even_run const left = evenly_spaced(b, of, a, alone),
                       other = evenly_spaced(b, of, right, alone);
        even_run const& run = left.first >= other.first ? left : other;
        a_step = left.step, b_step = other.step;
        a_.clear(), b_.clear();
        if (run.length == 0) return runs_ = {0, 0};
        index_t first_a = 0, first_b = 0;
        for (int i = run.first; i < of.count; ++i) {
            index_t const begin = b.lo[of[i]] - all.lo[of[i]];
            first_a += a[of[i]] * begin, first_b += right[of[i]] * begin;
        }
        for_each_point(b, of.label, run.first, -1, [&](index_t const* at) {
            if (!wanted(at)) return;
            a_.push_back(first_a + offset_in(all, of, run.first, a, at));
            b_.push_back(first_b + offset_in(all, of, run.first, right, at));
        });
        return runs_ = {run.length, static_cast<index_t>(a_.size()), a_.data(), b_.data()};
    }

private:
    index_t const* starts(std::vector<index_t>& to, box const& b, label_list const& of, int outer,
                          index_t const* stride) const {
        to.clear();
        for_each_point(b, of.label, outer, -1, [&](index_t const* at) {
            to.push_back(offset_in(b, of, outer, stride, at));
        });
        return to.data();
    }

    term_runs runs_{};
    std::vector<index_t> a_, b_;
};

// The rows of a box in strips of at most `highest`, of about equal height.
class row_walk {
public:
    index_t step = 0, to_step = 0;  // from row to row of a strip, and of the destination

    static int height_of(index_t rows, index_t highest) {
        index_t const strips = (rows + highest - 1) / highest;
        return static_cast<int>((rows + strips - 1) / std::max<index_t>(strips, 1));
    }

    // The labels that a strip in memory goes along, a bit each.
    static unsigned along(box const& b, label_list const& of, index_t const* stride,
                          index_t const* to) {
        unsigned mask = 0;
        for (int i = run_of(b, of, stride, to).first; i < of.count; ++i)
            mask |= (b.extent(of[i]) > 1 ? 1U : 0U) << of[i];
        return mask;
    }
    // In memory: a strip lies in one run of rows that are evenly spaced there, and where they go.
    void over(box const& b, label_list const& of, index_t const* stride, index_t const* to,
              index_t highest) {
        strip_.clear();
        even_run const run = run_of(b, of, stride, to);
        step = evenly_spaced(b, of, stride).step, to_step = evenly_spaced(b, of, to).step;
        for_each_point(b, of.label, run.first, -1, [&](index_t const* at) {
            cut(run.length, highest, step * height_of(run.length, highest),
                {offset_in(b, of, run.first, stride, at), offset_in(b, of, run.first, to, at)});
        });
    }
    // Packed: strips are `pitch` apart; rows go where they are `to` apart.
    void packed(index_t rows, index_t highest, index_t pitch, index_t to) {
        strip_.clear();
        step = 1, to_step = to;
        cut(rows, highest, pitch, {0, 0});
    }

    // The left operand in those strips; terms in memory are term_step apart.
    template <class T>
    left_strips<T> strips(T const* data, index_t term_step) const {
        return {data, strip_.data(), count(), step, false, term_step};
    }
    template <class T>
    left_strips<T> packed_strips(T const* data) const {
        return {data, strip_.data(), count(), step, true};
    }

private:
    struct strip_start {
        index_t offset, to;
    };
    index_t count() const { return static_cast<index_t>(strip_.size()); }
    static even_run run_of(box const& b, label_list const& of, index_t const* stride,
                           index_t const* to) {
        even_run const from = evenly_spaced(b, of, stride), into = evenly_spaced(b, of, to);
        return from.first >= into.first ? from : into;
    }
    void cut(index_t rows, index_t highest, index_t pitch, strip_start at) {
        int const height = height_of(rows, highest);
        for (index_t i = 0; i < rows; i += height, at.offset += pitch, at.to += height * to_step) {
            strip_.push_back(
                {at.offset, at.to, static_cast<int>(std::min<index_t>(height, rows - i))});
        }
    }

    std::vector<row_strip> strip_;
};

}  // namespace felt::inline FELT_ABI::host
