// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/storage.hpp>
#include <cstdint>

using felt::allocations;
using memory = felt::storage<float, felt::Host>;

TEST_CASE("storage begins at a cache line and is zero if asked") {
    memory const x(1000, true);
    CHECK(x.size() == 1000);
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
    for (int i = 0; i < 1000; ++i) REQUIRE(x.data()[i] == 0.f);
}

TEST_CASE("storage is moved, not copied, unless copy() says so") {
    memory a(3, true);
    a.data()[1] = 5;
    float* const where = a.data();
    memory b(std::move(a));
    CHECK(b.data() == where);
    memory c = b.copy();
    CHECK(c.data() != where);
    CHECK(c.data()[1] == 5);
    c = std::move(b);
    CHECK(c.data() == where);
    CHECK(c.size() == 3);
}

TEST_CASE("no elements need no memory") {
    auto const before = allocations();
    memory const none(0, true), copy = none.copy();
    CHECK(none.data() == nullptr);
    CHECK(copy.size() == 0);
    CHECK(allocations().tensors == before.tensors);
}

TEST_CASE("allocations() counts tensors and their bytes, copies included") {
    auto const before = allocations();
    memory const a(100, false);
    auto const one = allocations();
    CHECK(one.tensors - before.tensors == 1);
    CHECK(one.bytes - before.bytes == 400);
    memory const b = a.copy();
    CHECK(allocations().tensors - before.tensors == 2);
    CHECK(allocations().bytes - before.bytes == 800);
}

TEST_CASE("the peak of scratch only grows") {
    auto const before = allocations().scratch_peak;
    felt::detail::counters().scratch(before + 64);
    CHECK(allocations().scratch_peak == before + 64);
    felt::detail::counters().scratch(1);
    CHECK(allocations().scratch_peak == before + 64);
}
