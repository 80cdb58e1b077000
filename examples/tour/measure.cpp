// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth: the same statements run(fused, ..) and run(unfused, ..), the best of
// several runs each, taken in turns. Arguments: how often (default 3), and a divisor of the
// extents (default 16, quick; 1 for figures worth keeping).
#include "check.hpp"
#include <felt/felt.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

using felt::Tensor;

//[seconds]
template <class F>
double seconds(F&& f) {
    auto const start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class S>
void compare(char const* what, int times, S const& statement) {
    double fused = 1e9, unfused = 1e9;
    for (int i = 0; i < times; ++i) {  // in turns, so that both meet the same machine
        fused = std::min(fused, seconds([&] { run(felt::fused, statement); }));
        unfused = std::min(unfused, seconds([&] { run(felt::unfused, statement); }));
    }
    auto const plan = explain(statement);
    std::printf("%-44s %8.2f %8.2f %6.2f %8.1f %8.1f\n", what, 1e3 * fused, 1e3 * unfused,
                unfused / fused, 1e-6 * double(plan.bytes()), 1e-6 * double(plan.bytes_unfused()));
}
//[seconds]

}  // namespace

int main(int argc, char** argv) {
    int const times = argc > 1 ? std::atoi(argv[1]) : 3;
    felt::index_t const by = argc > 2 ? std::atoi(argv[2]) : 16;
    std::printf("%-44s %8s %8s %6s %8s %8s\n", "milliseconds", "fused", "unfused", "ratio",
                "MB fused", "unfused");

    {
        felt::index_t const n = 4096 / by;
        Tensor<float, 2> x({n, 4096}), y({n, 4096}), row({1, 4096}), col({n, 1});
        x = felt::normal<float>(x.extents(), 1);
        row = felt::normal<float>(row.extents(), 2);
        col = felt::normal<float>(col.extents(), 3);
        auto const e = clip((x * row + col) * 0.5f - abs(x), -1.f, 1.f);
        compare("clip((x * row + col) * 0.5 - abs(x), -1, 1)", times, assign(y, e));
        compare("softmax<1>(x)", times, assign(y, felt::softmax<1>(x)));
    }
    {
        felt::index_t const n = 20000 / by;
        Tensor<float, 2> w1({256, 64}), b1({256, 1}), w2({64, 256}), b2({64, 1});
        Tensor<float, 2> x({64, n}), y({64, n});
        w1 = 0.1f * felt::normal<float>(w1.extents(), 4);
        w2 = 0.1f * felt::normal<float>(w2.extents(), 5);
        x = felt::uniform<float>(x.extents(), 6);
        auto const layer = sigmoid(matmul(w1, x) + b1);
        compare("sigmoid(w2 sigmoid(w1 x + b1) + b2)", times,
                assign(y, sigmoid(matmul(w2, layer) + b2)));
    }
    {
        felt::index_t const n = 2048 / by;
        Tensor<float, 2> w({n, 1024}), x({1024, 1024}), b({n, 1}), y({n, 1024});
        w = 0.05f * felt::normal<float>(w.extents(), 7);
        x = felt::uniform<float>(x.extents(), 8);
        compare("sigmoid(w x + b), a large product", times, assign(y, sigmoid(matmul(w, x) + b)));
    }
    {
        felt::index_t const n = 4096 / by;
        Tensor<float, 4> x({n, 1, 28, 28}), w({20, 1, 9, 9}), b({1, 20, 1, 1}), y({n, 20, 10, 10});
        x = felt::uniform<float>(x.extents(), 9);
        w = 0.1f * felt::normal<float>(w.extents(), 10);
        compare("avg_pool2d(sigmoid(conv2d(x, w) + b))", times,
                assign(y, avg_pool2d(sigmoid(conv2d(x, w) + b))));
    }
    return failures != 0;
}
