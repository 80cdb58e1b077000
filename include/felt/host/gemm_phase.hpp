// SPDX-License-Identifier: BSD-3-Clause
//
// The phases of a product whose left operand is 0 in places (plan/2_orientation/zero_terms.hpp):
// the rows of a box that have the same terms, as longer steps through what lies in memory.
#pragma once
#include <felt/host/in_place_operand.hpp>
#include <felt/host/macro_kernel.hpp>
#include <felt/plan/2_orientation/zero_terms.hpp>
#include <vector>

namespace felt::inline FELT_ABI::host {

// Rows of one phase along each of some axes.
struct phase_along {
    planning::zero_axis axis;
    planning::row_phase rows;
    planning::index_span of = {0, 0};  // the terms that it is for
};
using product_phase = planning::short_list<phase_along, planning::zero_axes::most>;

template <class T>
struct gemm_phase {
    box rows;  // as many as the phase has, along their labels, and the terms between which it has
               // some
    T const* data;                  // the left operand's first row,
    index_t stride[max_axes] = {};  // and its steps by label
    strided<T> to;                  // the same of the product

    // `all` begins at `lies` and at `product`.
    gemm_phase(product_phase const& phase, box const& all, in_memory<T> const& lies,
               strided<T> const& product)
        : rows(all), data(lies.data), to(product), phase_(&phase) {
        planning::copy_axes(stride, lies.stride, all.rank);
        for (phase_along const& p : phase) {
            int const l = p.axis.row;
            index_t const begin = p.rows.begin - all.lo[l];
            rows.hi[l] = all.lo[l] + p.rows.count;
            data += stride[l] * begin, stride[l] *= p.rows.step;
            to.data += to.stride[l] * begin, to.stride[l] *= p.rows.step;
            rows.lo[p.axis.term] = p.rows.terms.first, rows.hi[p.axis.term] = p.rows.terms.end;
        }
    }

    // Terms of which some are left out, a bit for each label,
    unsigned terms_apart() const {
        unsigned mask = 0;
        for (phase_along const& p : *phase_) mask |= (p.axis.apart > 1 ? 1U : 0U) << p.axis.term;
        return mask;
    }
    // and whether the rows have those at `at`, by label.
    bool meets(index_t const* at) const {
        for (phase_along const& p : *phase_) {
            if (!p.axis.meets(p.rows.begin, at[p.axis.term])) return false;
        }
        return true;
    }

    // The terms of axes with zeros, a bit for each label, and whether the one at `at` is a zero
    // beyond the border.
    unsigned terms_with_zeros() const {
        unsigned mask = 0;
        for (phase_along const& p : *phase_) mask |= 1U << p.axis.term;
        return mask;
    }
    bool is_beyond(index_t const* at) const {
        bool beyond = false;
        for (phase_along const& p : *phase_) {
            index_t const t = at[p.axis.term];
            if (t < p.of.first || t >= p.of.end || !p.axis.is_whole(p.rows.begin, t)) return false;
            beyond = beyond || !p.axis.meets(p.rows.begin, t);
        }
        return beyond;
    }

private:
    product_phase const* phase_;
};

// The sum of x - x over `rows` rows of columns, `row` apart: 0 if all are finite, else NaN.
template <class T>
T not_finite(T const* p, index_t rows, index_t row, int columns) {
    using V = xsimd::batch<T>;
    constexpr int W = tile<T>::width;
    V whole[2] = {V(T(0)), V(T(0))};
    T rest(0);
    for (index_t k = 0; k < rows; ++k, p += row) {
        int j = 0;
        for (int v = 0; j + W <= columns; j += W, v = 1 - v) {
            V const x = V::load_unaligned(p + j);
            whole[v] = whole[v] + (x - x);
        }
        for (; j < columns; ++j) rest = static_cast<T>(rest + (p[j] - p[j]));
    }
    return static_cast<T>(rest + fold<W / 2, monoid::sum>(whole[0] + whole[1]));
}

// Whether columns of the right operand are finite for all terms of a box. Else zeros that they meet
// make a NaN of a result, and are not left out.
template <class T>
bool all_finite(box const& part, label_list const& terms, index_t n, right_strips<T> const& b,
                index_t const* stride) {
    even_run const run = evenly_spaced(part, terms, stride);
    bool finite = true;
    for (index_t j = 0; finite && j < n; j += tile<T>::nr) {
        T const* const strip = b.data + j / tile<T>::nr * b.pitch;
        auto const width = static_cast<int>(std::min<index_t>(tile<T>::nr, n - j));
        for_each_point(part, terms.label, run.first, -1, [&](index_t const* at) {
            T const* const p = strip + offset_in(part, terms, run.first, stride, at);
            finite = finite && not_finite(p, run.length, run.step, width) == T(0);
        });
    }
    return finite;
}

// All phases of a box.
class phase_walk {
public:
    // f(phase, whether its rows have had terms before). Axes of padding are left out whose rows, a
    // bit each in `skipped`, strips go along: shorter strips would take longer than their zeros.
    template <class F>
    void over(planning::zero_axes const& zeros, box const& b, unsigned skipped, F&& f) {
        product_phase at;
        int alone = -1;
        for (planning::zero_axis const& a : zeros) {
            bool const skips = a.apart == 1 && (skipped >> a.row & 1U) != 0;
            if (skips && !a.by_term_alone) continue;
            if (a.by_term_alone) alone = at.count;
            find(at.count, a, b, {b.lo[a.term], b.hi[a.term]});
            at.add({a, {}, {b.lo[a.term], b.hi[a.term]}});
        }
        if (alone < 0) return go(at, 0, [&] { f(std::as_const(at), false); });
        planning::zero_axis const& by = at[alone].axis;
        for (index_t t = b.lo[by.term]; t < b.hi[by.term]; ++t) {
            find(alone, by, b, at.value[alone].of = {t, t + 1});
            go(at, 0, [&] { f(std::as_const(at), t > b.lo[by.term]); });
        }
    }

private:
    void find(int axis, planning::zero_axis const& a, box const& b, planning::index_span terms) {
        planning::find_phases(a, {b.lo[a.row], b.hi[a.row]}, terms, rows_[axis]);
    }
    template <class F>
    void go(product_phase& at, int axis, F const& f) const {
        if (axis == planning::zero_axes::most || axis == at.count) return f();  // g++ 12: bounds
        for (planning::row_phase const& p : rows_[axis]) {
            at.value[axis].rows = p;
            go(at, axis + 1, f);
        }
    }

    std::vector<planning::row_phase> rows_[planning::zero_axes::most];
};

}  // namespace felt::inline FELT_ABI::host
