// SPDX-License-Identifier: BSD-3-Clause
//
// Walks in pieces.
#include "tests/device/same.hpp"

using namespace felt;
using device::walk;

namespace {
walk walk_of(std::initializer_list<index_t> e) {
    walk w;
    for (index_t n : e) {
        w.axis[w.rank] = w.rank;
        w.extent[w.rank++] = n;
    }
    return w;
}
}  // namespace

TEST_CASE("what cannot be counted goes in pieces that can, every element once") {
    walk w = walk_of({3, index_t{1} << 31, 5});
    w.reach[0] = 1;
    w.reach[1] = 7;
    index_t elements = 0, next = 0;
    device::in_pieces(w, [&](walk const& piece, index_t const(&offset)[device::max_axes]) {
        CHECK(piece.is_countable());
        if (offset[0] == 0) {
            CHECK(offset[1] == next);
            next += piece.extent[1];
        }
        elements += piece.size();
    });
    CHECK(elements == w.size());
    int pieces = 0;
    device::in_pieces(walk_of({1000, 1000}), [&](auto&, auto&) { ++pieces; });
    CHECK(pieces == 1);
}
