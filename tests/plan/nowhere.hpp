// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors of any size without memory: a plan reads addresses, extents and strides, no element.
#pragma once
#include <cstdint>
#include <felt/plan/7_lowering/traffic.hpp>
#include <felt/tensor/view.hpp>
#include <string_view>

namespace test {

// Array number k = 1, 2, ...: a tebibyte of address space lies between two of them.
template <class T = float, class Layout = felt::RowMajor, std::size_t R>
felt::View<T, R> nowhere(std::uintptr_t k, felt::extent_arg const (&e)[R]) {
    return felt::view<Layout>(reinterpret_cast<T*>(k << 40), e);
}

// The first node of that name.
inline felt::planning::node_id named(felt::planning::plan const& p, std::string_view name) {
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        if (p.g[id].name == name) return id;
    }
    throw felt::error("no node is named " + std::string(name));
}

}  // namespace test
