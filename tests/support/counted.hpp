// SPDX-License-Identifier: BSD-3-Clause
//
// What is counted: tensors that are allocated, and calls of the identity, by number and not by
// batch: how often the elements of its operand are evaluated.
#pragma once
#include <felt/felt.hpp>

namespace test {

// The tensors that f allocates.
template <class F>
felt::index_t tensors_of(F&& f) {
    felt::index_t const before = felt::allocations().tensors;
    f();
    return felt::allocations().tensors - before;
}

struct counted {
    static inline felt::index_t seen = 0;

    float operator()(float x) const {
        ++seen;
        return x;
    }
    bool operator==(counted const&) const = default;
};

// How often an element of counted's operand, which has so many, is evaluated when s runs.
template <class S>
double calls_for_each(S const& s, felt::index_t elements) {
    counted::seen = 0;
    run(felt::fused, s);
    return static_cast<double>(counted::seen) / static_cast<double>(elements);
}

}  // namespace test
