// SPDX-License-Identifier: BSD-3-Clause
//
// Sums in parts: what they yield, and who computes them. tests/host/parallel.cpp compares bits.
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

using felt::index_t;

namespace {

// Who was here.
struct visitors {
    std::mutex guard;
    std::set<std::thread::id> ids;

    void note() {
        std::lock_guard<std::mutex> const lock(guard);
        ids.insert(std::this_thread::get_id());
    }
};

visitors seen;

struct noted {
    float operator()(float x) const {
        seen.note();
        return x;
    }
};

std::size_t who(int threads, std::function<void()> const& f) {
    seen.ids.clear();
    felt::threads(threads);
    f();
    felt::threads(1);
    return seen.ids.size();
}

}  // namespace

TEST_CASE("as many threads compute a sum as there are") {
    felt::Tensor<float, 1> x({1 << 20});
    felt::Tensor<float, 2> a({64, 20000}), b({64, 20000});
    felt::Tensor<float, 1> s({64});
    x = 1.f;
    a = 2.f;
    for (int n : {1, 3}) {
        auto const there = who(n, [&] { felt::host::parallel(3, [](long) { seen.note(); }); });
        CHECK((there == static_cast<std::size_t>(n) || there == 1));  // 1 without OpenMP
        float total = 0;
        CHECK(who(n, [&] { total = felt::sum(felt::map(noted{}, x)); }) == there);
        CHECK(total == 1 << 20);
        auto const fuse = [&] {
            felt::fuse(assign(b, felt::map(noted{}, a)), assign(s, felt::sum<1>(b)));
        };
        CHECK(who(n, fuse) == there);
        CHECK(s(63) == 40000);
    }
}

TEST_CASE("long sums are right, whatever their length") {
    felt::Tensor<double, 1> x({4200000});
    x = felt::cast<double>(felt::iota(4200000)) / 4;
    for (index_t n : {524287, 524288, 600011, 1048576, 1048577, 4194304, 4200000}) {
        auto const part = slice(x, felt::range(0, n));
        INFO("n = " << n);
        double const expected = static_cast<double>(n) * static_cast<double>(n - 1) / 8;
        CHECK(double(felt::sum(part)) == doctest::Approx(expected).epsilon(1e-14));
        CHECK(double(felt::max(part)) == static_cast<double>(n - 1) / 4);
        CHECK(index_t(felt::argmax(part)) == n - 1);
        CHECK(double(felt::mean(square(part - felt::mean(part)))) ==
              doctest::Approx((static_cast<double>(n) * static_cast<double>(n) - 1) / 192)
                  .epsilon(1e-13));
    }
}

TEST_CASE("a sum that the destination is part of is complete before anything is stored") {
    felt::Tensor<float, 2> y({1000, 1200}), expected({1000, 1200});
    y = felt::uniform<float>({1000, 1200}, 3);
    float const mean = felt::mean(y);
    expected = y - mean;
    for (int n : {1, 3}) {
        felt::Tensor<float, 2> z({1000, 1200});
        z = felt::uniform<float>({1000, 1200}, 3);
        felt::threads(n);
        z = z - felt::mean(z);
        CHECK(float(felt::max(abs(z - expected))) == 0);
    }
    felt::threads(1);
}

TEST_CASE("scratch for parts is given back and allocates no tensor") {
    felt::Tensor<float, 2> x({400000, 8});
    felt::Tensor<float, 1> y({8});
    x = 1.f;
    y = felt::sum<0>(x);
    auto const before = felt::allocations();
    for (int i = 0; i < 50; ++i) y = felt::sum<0>(x);
    CHECK(felt::allocations().tensors == before.tensors);
    CHECK(felt::allocations().scratch_peak == before.scratch_peak);
    CHECK(y(7) == 400000);
}
