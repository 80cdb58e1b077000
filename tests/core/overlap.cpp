// SPDX-License-Identifier: BSD-3-Clause
//
// Beside the sets of bytes themselves.
#include <doctest/doctest.h>
#include <felt/core/overlap.hpp>
#include <set>
#include <vector>

using felt::index_t;
using felt::detail::share_memory;
using felt::detail::strided_memory;

namespace {

struct array {
    index_t first;  // in bytes
    std::vector<index_t> extent, stride;
    index_t value_bytes = 4;

    strided_memory memory() const {
        switch (extent.size()) {
            case 0:
                return of_rank<0>();
            case 1:
                return of_rank<1>();
            case 2:
                return of_rank<2>();
            default:
                return of_rank<3>();
        }
    }
    std::set<index_t> all() const {
        std::set<index_t> starts{first}, found;
        for (std::size_t r = 0; r != extent.size(); ++r) {
            std::set<index_t> next;
            for (index_t at : starts) {
                for (index_t i = 0; i < extent[r]; ++i)
                    next.insert(at + i * stride[r] * value_bytes);
            }
            starts = next;
        }
        for (index_t at : starts) {
            for (index_t k = 0; k < value_bytes; ++k) found.insert(at + k);
        }
        return found;
    }

private:
    template <std::size_t R>
    strided_memory of_rank() const {
        felt::extents<R> e, s;
        for (std::size_t r = 0; r != R; ++r) e[r] = extent[r], s[r] = stride[r];
        // Nothing is read there.
        auto const at = (std::uintptr_t(1) << 40) + static_cast<std::uintptr_t>(first);
        return {reinterpret_cast<void const*>(at), e, s, value_bytes};
    }
};

bool share(array const& a, array const& b) {
    bool const shared = share_memory(a.memory(), b.memory());
    CHECK(share_memory(b.memory(), a.memory()) == shared);
    auto const of_b = b.all();
    bool known = false;
    for (index_t at : a.all()) known = known || of_b.count(at) == 1;
    CHECK(shared == known);
    return shared;
}

}  // namespace

TEST_CASE("parts of a vector") {
    CHECK(share({0, {10}, {1}}, {36, {10}, {1}}));
    CHECK_FALSE(share({0, {10}, {1}}, {40, {10}, {1}}));
    CHECK(share({0, {10}, {1}}, {-4, {2}, {1}}));
    CHECK(share({36, {10}, {-1}}, {0, {1}, {1}}));
    CHECK_FALSE(share({36, {10}, {-1}}, {40, {1}, {1}}));
    CHECK_FALSE(share({0, {10}, {2}}, {4, {10}, {2}}));
    CHECK(share({0, {10}, {2}}, {12, {10}, {3}}));
    CHECK_FALSE(share({0, {0}, {1}}, {0, {10}, {1}}));
    CHECK(share({0, {}, {}}, {0, {}, {}}));
}

TEST_CASE("parts of matrices and of images") {
    CHECK_FALSE(share({0, {7}, {5}}, {4, {7}, {5}}));  // columns of (7, 5)
    CHECK(share({0, {7}, {5}}, {60, {5}, {1}}));       // a column and a row
    CHECK_FALSE(share({4, {7, 2}, {5, 1}}, {12, {7, 3}, {5, 1}}));
    CHECK(share({4, {7, 3}, {5, 1}}, {12, {7, 3}, {5, 1}}));
    CHECK(share({0, {7, 5}, {5, 1}}, {0, {5, 7}, {1, 5}}));  // transposed
    for (index_t gate = 1; gate < 4; ++gate) {
        CHECK_FALSE(share({0, {6, 8}, {32, 1}}, {gate * 32, {6, 8}, {32, 1}}));
        CHECK(share({0, {6, 9}, {32, 1}}, {gate * 32, {6, 33}, {32, 1}}));
    }
    array const channel{0, {3, 4, 5}, {40, 5, 1}}, other{80, {3, 4, 5}, {40, 5, 1}};
    CHECK_FALSE(share(channel, other));
    CHECK(share(channel, {76, {3, 4, 5}, {40, 5, 1}}));
}

TEST_CASE("elements of several sizes, between the elements of others") {
    CHECK(share({0, {4}, {1}, 4}, {3, {1}, {1}, 1}));
    CHECK(share({0, {4}, {1}, 8}, {31, {2}, {1}, 1}));
    CHECK_FALSE(share({0, {4}, {1}, 8}, {32, {2}, {1}, 1}));
    CHECK_FALSE(share({0, {4}, {2}, 4}, {4, {4}, {1}, 1}));
    CHECK(share({0, {4}, {2}, 4}, {4, {5}, {1}, 1}));
    CHECK_FALSE(share({-1, {1}, {1}, 1}, {0, {3}, {1}, 8}));
}

TEST_CASE("all strides and places up to a few") {
    for (index_t s = -3; s <= 3; ++s) {
        for (index_t t : {1, 2, 7}) {
            for (index_t first = -9; first < 30; ++first)
                (void)share({first, {3, 2}, {s, 4}, 1}, {0, {4, 2}, {t, 3}, 2});
        }
    }
}

TEST_CASE("it takes few steps, however large they are") {
    index_t const n = 1'000'000'000;
    CHECK_FALSE(
        share_memory(array{0, {n, 4}, {16, 1}}.memory(), array{16, {n, 4}, {16, 1}}.memory()));
    CHECK(share_memory(array{0, {n, 5}, {16, 1}}.memory(), array{16, {n, 4}, {16, 1}}.memory()));
}
