// SPDX-License-Identifier: BSD-3-Clause
//
// Every kind of node as the argument of a kernel, which asks it what a loop asks: extents,
// operands, and what it computes elements with.
#include <tests/device/nodes.hpp>
#include <tests/device/question.hpp>

namespace test {

template <std::size_t... I>
void name_kernels(std::index_sequence<I...>) {
    (static_cast<void>(&take<I, node_at<I>>), ...);
}
void name_all_kernels() { name_kernels(std::make_index_sequence<node_count>{}); }

}  // namespace test
