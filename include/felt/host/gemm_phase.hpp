// SPDX-License-Identifier: BSD-3-Clause
//
// The phases of a product whose left operand is 0 in places (plan/2_orientation/zero_terms.hpp):
// the rows of a box that have the same terms, as longer steps through what lies in memory.
#pragma once
#include <felt/host/in_place_operand.hpp>
#include <felt/plan/2_orientation/zero_terms.hpp>
#include <vector>

namespace felt::host {

// Rows of one phase along each of some axes.
struct phase_along {
    planning::zero_axis axis;
    planning::row_phase rows;
};
using product_phase = planning::short_list<phase_along, planning::zero_axes::most>;

template <class T>
struct gemm_phase {
    box rows;                       // as many as the phase has, along their labels
    T const* data;                  // the left operand's first of them,
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
        }
    }

    // The terms that have a say in it, a bit for each label,
    unsigned terms() const {
        unsigned mask = 0;
        for (phase_along const& p : *phase_) mask |= 1U << p.axis.term;
        return mask;
    }
    // and whether its rows have those at `at`, by label.
    bool meets(index_t const* at) const {
        for (phase_along const& p : *phase_) {
            if (!p.axis.meets(p.rows.begin, at[p.axis.term])) return false;
        }
        return true;
    }

private:
    product_phase const* phase_;
};

// All phases of a box. Axes of padding are left out whose rows, a bit for each label, strips go
// along: shorter strips would take longer than their zeros.
class phase_walk {
public:
    template <class F>
    void over(planning::zero_axes const& zeros, box const& b, unsigned along_strips, F&& f) {
        product_phase at;
        int used = 0;
        for (planning::zero_axis const& a : zeros) {
            if (a.apart == 1 && (along_strips >> a.row & 1U) != 0) continue;
            planning::find_phases(a, {b.lo[a.row], b.hi[a.row]}, {b.lo[a.term], b.hi[a.term]},
                                  rows_[used++]);
            at.add({a, {}});
        }
        go(at, 0, f);
    }

private:
    template <class F>
    void go(product_phase& at, int axis, F&& f) const {
        if (axis == at.count) return f(std::as_const(at));
        for (planning::row_phase const& p : rows_[axis]) {
            at.value[axis].rows = p;
            go(at, axis + 1, f);
        }
    }

    std::vector<planning::row_phase> rows_[planning::zero_axes::most];
};

}  // namespace felt::host
