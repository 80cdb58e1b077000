// SPDX-License-Identifier: BSD-3-Clause
//
// Residency: an operand of a product that lies in memory as one matrix is read in place, if the
// micro-kernel can walk through it; anything else is packed. Packing pays nothing there: what is
// packed is read as often as what it was packed from, and is written once more.
#pragma once
#include <felt/host/rows.hpp>
#include <felt/plan/lanes.hpp>

namespace felt::host {

// A matrix in memory: the first element, and the steps to the next neighbour (row of the left
// operand, column of the right one) and to the next shared term.
template <class T>
struct in_memory {
    T const* data = nullptr;
    index_t neighbour = 0, term = 0;
};

// Where box `at` of an operand lies, if it lies in memory. At most one label of neighbours and
// one of shared terms: several need not be evenly spaced.
template <class T>
in_memory<T> find_in_memory(row_source<T> const& x, box const& at, int const* label, int labels,
                            planning::contract_roles const& roles) {
    index_t const* by_loop = nullptr;
    T const* p = x.memory(&by_loop);
    if (p == nullptr || labels > 1 || roles.shareds != 1) return {};
    for (int l = 0; l < at.rank; ++l) p += by_loop[l] * at.lo[l];
    return {p, labels == 1 ? by_loop[label[0]] : 0, by_loop[roles.shared[0]]};
}

}  // namespace felt::host
