// SPDX-License-Identifier: BSD-3-Clause
//
// The pool that hoisted values and those of unfused runs share.
#include <cstring>
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::host::pooled_values;
using felt::host::value_pool;

TEST_CASE("what is given back is taken again, the smallest that has room") {
    value_pool pool;
    auto const large = pool.take(4000), small = pool.take(1000);
    pool.give(large);
    pool.give(small);
    CHECK(pool.take(900).data == small.data);
    CHECK(pool.take(900).data == large.data);
    pool.give(small);
    pool.give(large);
}

TEST_CASE("a block that is too small gives way to a larger one") {
    value_pool pool;
    for (felt::index_t bytes = 1000; bytes <= 64000; bytes *= 2) pool.give(pool.take(bytes));
    auto const only = pool.take(64000), other = pool.take(1000);
    CHECK(other.bytes == 1000);  // none of those before is left
    pool.give(other);
    pool.give(only);
}

TEST_CASE("pooled values come back when their owner ends") {
    void* first = nullptr;
    {
        pooled_values values;
        first = values.take(123457);
        std::memset(first, 1, 123457);
    }
    pooled_values again;
    CHECK(again.take(123457) == first);
}
