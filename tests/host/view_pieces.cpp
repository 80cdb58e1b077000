// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::axis_rule;
using felt::index_t;
using felt::pad_mode;

namespace {

// An axis of n with lo before it and hi after it, from index `from` on: how many pieces there are,
// or -1 if one of them leads elsewhere than the axis does.
int pieces_of(pad_mode mode, index_t n, index_t lo, index_t hi, index_t from) {
    axis_rule r{0, -1, 1, 0, -lo};
    r.mode = mode;
    index_t const end = lo + n + hi;
    int pieces = 0;
    for (index_t j = from, next = j; j < end; j = next, ++pieces) {
        axis_rule here;
        next = felt::host::detail::piece_at(r, n, j, end, here);
        if (next <= j || next > end || here.out1 != 0) return -1;
        for (index_t k = j; k < next; ++k) {
            if (here.stride * k + here.offset != felt::folded(mode, k - lo, n)) return -1;
        }
    }
    return pieces;
}

}  // namespace

TEST_CASE("the pieces of an axis lead where it is folded to, from any index on") {
    for (pad_mode mode : {pad_mode::wrap, pad_mode::reflect, pad_mode::edge})
        for (index_t n : {1, 2, 5, 8}) {
            index_t const most = mode == pad_mode::reflect ? n - 1 : 2 * n + 1;
            for (index_t lo = 0; lo <= most; ++lo)
                for (index_t hi = 0; hi <= most; ++hi)
                    for (index_t from = 0; from < lo + n + hi; ++from) {
                        CHECK(pieces_of(mode, n, lo, hi, from) > 0);
                    }
        }
}

TEST_CASE("a piece goes on for as long as its direction does") {
    CHECK(pieces_of(pad_mode::reflect, 8, 3, 5, 0) == 3);
    CHECK(pieces_of(pad_mode::reflect, 8, 0, 0, 0) == 1);
    CHECK(pieces_of(pad_mode::edge, 8, 30, 5, 0) == 3);
    CHECK(pieces_of(pad_mode::wrap, 8, 3, 5, 0) == 3);
    CHECK(pieces_of(pad_mode::wrap, 8, 24, 16, 0) == 6);
}
