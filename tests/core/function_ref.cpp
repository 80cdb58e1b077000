// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/function_ref.hpp>
#include <string>
#include <utility>

using felt::function_ref;

namespace {

int twice(function_ref<int(int)> f) { return f(f(1)); }

struct counter {
    int calls = 0;
    void operator()() { ++calls; }
};

}  // namespace

TEST_CASE("a function_ref calls what it refers to") {
    int const step = 3;
    CHECK(twice([&](int x) { return x + step; }) == 7);
}

TEST_CASE("it refers, and does not copy") {
    counter c;
    function_ref<void()> const f = c;
    f();
    f();
    CHECK(c.calls == 2);
    function_ref<void()> const same = f;
    same();
    CHECK(c.calls == 3);
}

TEST_CASE("references go through, and what can be moved is moved") {
    int total = 0;
    auto const add = [](int& to, std::string text) { to += static_cast<int>(text.size()); };
    function_ref<void(int&, std::string)> const f = add;
    f(total, std::string("four"));
    CHECK(total == 4);
    auto const length = [](std::string&& text) { return std::string(std::move(text)).size(); };
    CHECK(function_ref<std::size_t(std::string&&)>(length)(std::string("five5")) == 5);
}

TEST_CASE("a function_ref is two pointers") {
    static_assert(sizeof(function_ref<void(int)>) == 2 * sizeof(void*));
    static_assert(std::is_trivially_copyable_v<function_ref<void(int)>>);
}
