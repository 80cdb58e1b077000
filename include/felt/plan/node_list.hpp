// SPDX-License-Identifier: BSD-3-Clause
//
// The nodes that are read in one space of loops: a list through the facts of the nodes.
#pragma once
#include <felt/plan/graph.hpp>

namespace felt::planning {

// The ids of the nodes that are read in one space, in pre-order.
struct node_list {
    graph const& node;
    int first;

    struct iterator {
        graph const* node;
        int id;
        int operator*() const { return id; }
        iterator& operator++() {
            id = (*node)[static_cast<std::size_t>(id)].next;
            return *this;
        }
        bool operator!=(iterator const& other) const { return id != other.id; }
    };
    iterator begin() const { return {&node, first}; }
    iterator end() const { return {&node, -1}; }
};

}  // namespace felt::planning
