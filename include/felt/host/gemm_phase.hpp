// SPDX-License-Identifier: BSD-3-Clause
//
// Phase k of a product whose left operand has elements set apart
// (plan/2_orientation/polyphase.hpp): the rows of a box that have the same terms, as longer steps
// through what lies in memory.
#pragma once
#include <felt/host/in_place_operand.hpp>
#include <felt/plan/2_orientation/polyphase.hpp>

namespace felt::host {

template <class T>
struct gemm_phase {
    box rows;                       // as many as the phase has, along their labels
    T const* data;                  // the left operand's first of them,
    index_t stride[max_axes] = {};  // and its steps by label
    strided<T> to;                  // the same of the product

    // `all` begins at `lies` and at `product`.
    gemm_phase(index_t k, planning::apart_axes const& apart, box const& all,
               in_memory<T> const& lies, strided<T> const& product)
        : rows(all), data(lies.data), to(product), apart_(&apart) {
        planning::copy_axes(stride, lies.stride, all.rank);
        index_t* first = first_;
        for (planning::apart_axis const& axis : apart) {
            int const l = axis.row;
            index_t const n = axis.apart, begin = k % n;
            k /= n;
            *first++ = all.lo[l] + begin;
            rows.hi[l] = all.lo[l] + (all.extent(l) - begin + n - 1) / n;
            data += stride[l] * begin, stride[l] *= n;
            to.data += to.stride[l] * begin, to.stride[l] *= n;
        }
    }

    // Whether its rows have the terms at `at`, by label.
    bool meets(index_t const* at) const {
        index_t const* first = first_;
        for (planning::apart_axis const& axis : *apart_) {
            if (!axis.meets(*first++, at[axis.term])) return false;
        }
        return true;
    }

private:
    planning::apart_axes const* apart_;
    index_t first_[max_axes] = {};  // of each axis: the label of the first row
};

}  // namespace felt::host
