// SPDX-License-Identifier: BSD-3-Clause
//
// The graph of a group of statements: the nodes of their expressions in pre-order, the loops that
// each of them is read in, and what the statements write. A statement has loops over its
// destination's axes. Streaming nodes and views of them live in the loops of their reader; a node
// that is not streamed has loops of its own: a reduction over its operand's axes, a contraction
// over its labels (one space for each operand), a general view over its source.
//
// It is described (describe.hpp), given its loops (place.hpp), and from then on only read.
#pragma once
#include <felt/plan/algorithm_choice.hpp>
#include <felt/plan/node.hpp>

namespace felt::inline FELT_ABI::planning {

// The trip counts of loops inside of each other.
struct loop_space {
    node_id owner;        // whose operand is read in these loops; none: a statement's
    node_id first, last;  // the nodes that are read in these loops
    int rank = 0;
    index_t extent[max_axes] = {};

    id_range<loop_id> loops() const { return first_of<loop_id>(rank); }
};

// A product of a block-diagonal operand (block_diagonal.hpp): label `of` of the result meets index
// g of label `term` where each g <= i < each (g + 1).
struct block_diagonal {
    label_id of, term;
    index_t each = 1;

    bool any() const { return term >= 0; }
};

// What is known of a product, however it is computed.
struct contraction {
    unsigned labels[2] = {0, 0};  // of its operands, a bit each
    block_diagonal diagonal;
};

// What a statement writes, and the root of the expression whose values these are.
struct destination {
    node_id root;
    space_id space;
    void* data = nullptr;
    int rank = 0;
    index_t extent[max_axes] = {};
    index_t stride[max_axes] = {};
    index_t by_loop[max_axes] = {};
    int value_bytes = 0;
    bool no_alias = false;
    char const* aside = nullptr;  // why it must be evaluated aside first, if it must

    id_range<axis_id> axes() const { return first_of<axis_id>(rank); }
};

class graph {
public:
    table<node_id, node> nodes;
    table<space_id, loop_space> spaces;
    table<product_id, contraction> products;
    table<statement_id, destination> statements;
    algorithm_choice choice;

    node& operator[](node_id id) { return nodes[id]; }
    node const& operator[](node_id id) const { return nodes[id]; }
    loop_space& operator[](space_id sp) { return spaces[sp]; }
    loop_space const& operator[](space_id sp) const { return spaces[sp]; }
    contraction const& operator[](product_id p) const { return products[p]; }
    destination& operator[](statement_id k) { return statements[k]; }
    destination const& operator[](statement_id k) const { return statements[k]; }

    // A node with all that is below it, and what is below it alone; of a statement: all its nodes.
    id_range<node_id> subtree(node_id id) const { return {id, nodes[id].end}; }
    id_range<node_id> below(node_id id) const { return {id + 1, nodes[id].end}; }
    id_range<node_id> nodes_of(statement_id k) const { return subtree(statements[k].root); }

    // Nodes each of which says in a member where the next one is.
    template <node_id node::* Next>
    struct node_list {
        graph const* g;
        node_id first, last;
        struct iterator {
            graph const* g;
            node_id id;
            node_id operator*() const { return id; }
            iterator& operator++() {
                id = g->nodes[id].*Next;
                return *this;
            }
            bool operator!=(iterator const& o) const { return id != o.id; }
        };
        iterator begin() const { return {g, first}; }
        iterator end() const { return {g, last}; }
    };

    // The operands of a node, in their order.
    node_list<&node::end> operands(node_id id) const { return {this, id + 1, nodes[id].end}; }
    node_id operand(node_id id, int side) const { return side == 0 ? id + 1 : nodes[id + 1].end; }
    // The nodes that are read in one space, in pre-order.
    node_list<&node::next> read_in(space_id sp) const { return {this, spaces[sp].first, {}}; }

    void add_to(space_id sp, node_id id) {
        loop_space& in = spaces[sp];
        (!in.first ? in.first : nodes[in.last].next) = id;
        in.last = id;
        nodes[id].space = sp;
    }
    space_id add_space(index_t const* extent, int rank, node_id owner = {}) {
        loop_space in;
        in.owner = owner;
        in.rank = rank;
        copy_axes(in.extent, extent, rank);
        return spaces.add(in);
    }
};

// Whether nodes a and b compute the same: equal types, equal own data, equal operands.
inline bool same_value(graph const& g, node_id a, node_id b) {
    int const length = g[a].end - a;
    if (g[b].end - b != length) return false;
    for (int i = 0; i < length; ++i) {
        node const &x = g[a + i], &y = g[b + i];
        if (x.mark != y.mark || !x.same(x.self, y.self)) return false;
    }
    return true;
}

}  // namespace felt::inline FELT_ABI::planning
