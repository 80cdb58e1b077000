// SPDX-License-Identifier: BSD-3-Clause
//
// Scratch is bounded by a constant whatever the extents are.
#include <cstdio>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <fstream>
#include <unistd.h>

using felt::index_t;

namespace {

// Bytes of memory of this process that are in use; 0 where the system does not say.
index_t resident() {
    std::ifstream file("/proc/self/statm");
    index_t pages = 0, used = 0;
    file >> pages >> used;
    return used * static_cast<index_t>(sysconf(_SC_PAGESIZE));
}

// run() once, then watch: neither tensors nor memory may be added, and scratch stays small.
template <class F>
void check_bounded(std::string const& what, F&& run) {
    INFO(what);
    auto const before = felt::allocations();
    index_t const used = resident();
    run();
    auto const after = felt::allocations();
    CHECK(after.tensors == before.tensors);
    CHECK(after.scratch_peak <= index_t{2} << 20);
    CHECK(resident() - used <= index_t{4} << 20);
}

}  // namespace

TEST_CASE("memory is taken in pieces and given back as a whole") {
    felt::host::arena a;
    auto* const first = a.take<float>(100);
    {
        felt::host::scratch_scope const scope(a);
        auto* const second = a.take<double>(1000);
        CHECK(static_cast<void*>(second) != static_cast<void*>(first));
        CHECK(reinterpret_cast<std::uintptr_t>(second) % 64 == 0);
        a.take<char>(200000);
        first[99] = 1;
        second[999] = 2;
    }
    auto* const third = a.take<float>(10);
    CHECK(third > first);
    third[9] = 3;
    CHECK(first[99] == 1);
}

TEST_CASE("the same scratch serves again") {
    felt::host::arena a;
    void* first = nullptr;
    for (int i = 0; i < 5; ++i) {
        felt::host::scratch_scope const scope(a);
        void* const p = a.take<float>(5000);
        if (i == 0) first = p;
        CHECK(p == first);
    }
}

TEST_CASE("products keep to their scratch when one extent after the other grows tenfold") {
    index_t const sizes[][3] = {{64, 64, 64},   {640, 64, 64},   {6400, 64, 64},  {64, 640, 64},
                                {64, 6400, 64}, {64, 64, 10000}, {16, 16, 100000}};
    for (auto const& s : sizes) {
        index_t const m = s[0], n = s[1], k = s[2];
        felt::Tensor<float, 2> a({m, k}), b({k, n}), y({m, n}), w({n, 32}), z({m, 32});
        a = 1.f;
        b = 2.f;
        w = 0.5f;
        y = 0.f;
        z = 0.f;
        check_bounded("matmul", [&] { y = matmul(a, b); });
        CHECK(y(m - 1, n - 1) == 2 * static_cast<float>(k));
        check_bounded("relu(matmul + 1)", [&] { y = relu(matmul(a, b) + 1); });
        CHECK(y(m - 1, n - 1) == 2 * static_cast<float>(k) + 1);
        check_bounded("matmul of an expression", [&] { y = matmul(a * 2, exp(b * 0)); });
        CHECK(y(0, 0) == 2 * static_cast<float>(k));
    }
}

TEST_CASE("a product inside a product keeps to its scratch over many columns") {
    for (index_t n : {500, 5000, 50000}) {
        felt::Tensor<float, 2> v({16, 64}), w({64, 64}), x({64, n}), y({16, n});
        v = 1.f;
        w = 1.f;
        x = 1.f;
        y = 0.f;
        check_bounded("two layers", [&] { y = matmul(v, relu(matmul(w, x))); });
        CHECK(y(15, n - 1) == 64 * 64);
    }
}

TEST_CASE("reductions, softmax and views keep to their scratch") {
    index_t const sizes[][2] = {{300, 200}, {3000, 200}, {300, 2000}, {20, 100000}, {100000, 20}};
    for (auto const& s : sizes) {
        index_t const m = s[0], n = s[1];
        felt::Tensor<float, 2> x({m, n}), y({m, n}), z({n, m});
        felt::Tensor<float, 1> rows({m}), columns({n});
        x = 1.f;
        y = 0.f;
        z = 0.f;
        rows = 0.f;
        columns = 0.f;
        INFO(m << " by " << n);
        check_bounded("sum<0>", [&] { columns = felt::sum<0>(x * 2); });
        check_bounded("sum<1>", [&] { rows = felt::sum<1>(x * 2); });
        CHECK(columns(n - 1) == 2 * static_cast<float>(m));
        CHECK(rows(m - 1) == 2 * static_cast<float>(n));
        check_bounded("centred by columns", [&] { y = x - felt::mean<0>(x); });
        check_bounded("centred by rows", [&] { y = x - felt::mean<1>(x, felt::keepdims); });
        CHECK(y(m - 1, n - 1) == 0);
        check_bounded("transposed", [&] { z = transpose(x) + 1; });
        check_bounded("softmax<1>", [&] { y = felt::softmax<1>(x); });
        check_bounded("softmax<0>", [&] { y = felt::softmax<0>(x); });
        check_bounded("flipped and padded", [&] {
            y = slice(pad(felt::flip<0>(x + 1), {{1, 1}, {1, 1}}), felt::range(1, m + 1),
                      felt::range(1, n + 1));
        });
        CHECK(y(0, 0) == 2);
    }
}
