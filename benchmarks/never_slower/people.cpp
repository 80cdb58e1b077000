// SPDX-License-Identifier: BSD-3-Clause
//
// Statements in which something is read in several loops, fused against unfused, at three sizes
// each; what binds them differs. Whoever fuses all of them without asking is up to thousands of
// times slower in some: the plan has to see that. Fails if fused takes more than 1.3 times as long.
//
//   felt_bench_fused_never_slower [--benchmark_filter=PART OF A NAME]
#include <felt/felt.hpp>
#include "contest.hpp"
#include "program.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

using felt::index_t;
using felt::keepdims;

constexpr double bound = 1.3;
char const* filter = "";
int rows = 0, slow = 0;

template <std::size_t R>
auto random(felt::extent_arg const (&e)[R], std::uint64_t seed = 1) {
    felt::Tensor<float, R> x(e);
    x = 0.3f * felt::normal<float>(x.extents(), seed);
    return x;
}

// Both turn by turn, the fastest of each.
template <class E>
void compare(char const* name, index_t size, E const& e) {
    if (std::strstr(name, filter) == nullptr) return;
    using tensor = felt::Tensor<felt::value_of<E>, felt::rank_of<E>>;
    tensor y(e.extents()), z(e.extents());
    auto const fused = [&] { felt::run(felt::fused, assign(y, e)); };
    auto const unfused = [&] { felt::run(felt::unfused, assign(z, e)); };
    double best[2] = {1e30, 1e30}, total = 0;
    fused(), unfused();
    bool const right = all_close(y, z, 1e-2, 1e-3);
    for (int i = 0; i < 5 || (total < 0.3 && i < 200); ++i) {
        double const start = bench::cpu_seconds();
        fused();
        double const middle = bench::cpu_seconds();
        unfused();
        double const end = bench::cpu_seconds();
        best[0] = std::min(best[0], middle - start);
        best[1] = std::min(best[1], end - middle);
        total += end - start;
    }
    double const ratio = best[0] / best[1];
    std::printf("%-34s %8td  %10.1f  %10.1f us  %6.2f%s%s\n", name, size, best[0] * 1e6,
                best[1] * 1e6, ratio, ratio > bound ? "  SLOW" : "", right ? "" : "  WRONG");
    std::fflush(stdout);
    ++rows;
    slow += ratio > bound || !right;
}

auto normalised(auto const& x) {
    auto const mean = felt::mean<0, 2, 3>(x, keepdims);
    return (x - mean) / sqrt(felt::var<0, 2, 3>(x, keepdims) + 0.1f);
}

void products(index_t s) {
    auto const a = random({s * 256, 256});
    auto const q = random({4 * s, 256, 64});
    compare("sum0(softmax1(a (a' a)))", s,
            felt::sum<0>(felt::softmax<1>(matmul(a, matmul(transpose(a), a)) / 16)));
    auto const b = random({5, 1024 * s, 8, 3}), c = random({5, 1024 * s, 3, 3});
    compare("softmax1(matmul), rows of 3", s, felt::softmax<1>(matmul(b, c)));
    auto const scores = felt::softmax<-1>(matmul(q, felt::permute<0, 2, 1>(q)) / 8.f);
    compare("attention", s, matmul(scores, q));
    compare("max1(attention)", s, felt::max<1>(matmul(scores, q)));
    auto const x = random({16 * s, 100, 64}), w = random({16 * s, 64, 8});
    compare("matmul(x - mean0(x), w)", s, matmul(x - felt::mean<0>(x, keepdims), w));
    auto const p = random({64, 8 * s, 1}), f = random({64, 48, 40}), g = random({48, 100, 40});
    compare("matmul(p, expand(einsum))", s,
            matmul(p, felt::expand_dims<1>(felt::einsum<"aed,ebd->ab">(f, g))));
}

void reductions(index_t s) {
    auto const x = random({7, 7, 16 * s + 1, 33, 7});
    compare("max1(mean01(logsumexp1))", s, felt::max<1>(felt::mean<0, 1>(felt::logsumexp<1>(x))));
    auto const y = random({1024 * s, 3, 17, 2});
    auto const mean = felt::mean<0, 1>(y, keepdims);
    compare("var0 of a normalisation", s,
            felt::var<0>((y - mean) / sqrt(felt::var<0, 1>(y, keepdims) + .1f)));
    auto const z = random({512 * s, 8192});
    compare("x - mean1(x)", s, z - felt::mean<1>(z, keepdims));
    compare("layer norm", s,
            (z - felt::mean<1>(z, keepdims)) / sqrt(felt::var<1>(z, keepdims) + 1e-5f));
}

void views(index_t s) {
    auto const x = random({1024 * s, 256});
    felt::Tensor<int, 1> which({1024 * s}), where({64});
    for (index_t k = 0; k < 1024 * s; ++k) which(k) = static_cast<int>(k * 977 % (1024 * s));
    for (int k = 0; k < 64; ++k) where(k) = k * 7 % 32;
    compare("gather0(softmax0)", s, felt::gather<0>(felt::softmax<0>(x), which));
    auto const y = random({8 * s, 64, 28, 28});
    compare("scatter1(x - mean13(x))", s,
            felt::scatter_add<1>(felt::extents<4>{{8 * s, 32, 28, 28}}, where,
                                 y - felt::mean<1, 3>(y, keepdims)));
    compare("scatter1(max pool)", s,
            felt::scatter_add<1>(felt::extents<4>{{8 * s, 32, 14, 14}}, where,
                                 felt::max_pool2d(y, {.window = {2, 2}, .stride = {2, 2}})));
    auto const z = random({16 * s, 16, 32, 32});
    compare("max pool of batch norm", s,
            felt::max_pool2d(normalised(z), {.window = {2, 2}, .stride = {2, 2}}));
    compare("mean pool of batch norm", s,
            felt::avg_pool2d(normalised(z), {.window = {3, 3}, .stride = {2, 2}}));
    auto const u = random({256 * s, 512}), k = random({3, 3});
    compare("sum(windows(u) * k)", s, felt::sum<-2, -1>(felt::windows(u, {3, 3}) * k));
}

void filters(index_t s) {
    auto const x = random({2 * s, 1, 512, 512}), k = random({1, 1, 5, 5});
    auto const h = random({1, 1, 3, 3}, 2), v = random({1, 1, 3, 3}, 3);
    auto const blurred = felt::conv2d(x, k, {.padding = {2, 2}});
    auto const dx = felt::conv2d(blurred, h, {.padding = {1, 1}});
    auto const dy = felt::conv2d(blurred, v, {.padding = {1, 1}});
    compare("blur and Sobel", s, sqrt(dx * dx + dy * dy));
}

void cells(index_t s) {
    auto const x = random({32 * s, 128}), w = random({512, 128}), c = random({32 * s, 128});
    auto const z = matmul(x, transpose(w));
    auto const gate = [&](int n) {
        return slice(z, felt::all(), felt::range(n * 128, n * 128 + 128));
    };
    compare("LSTM cell", s,
            sigmoid(gate(3)) * tanh(sigmoid(gate(1)) * c + sigmoid(gate(0)) * tanh(gate(2))));
}

}  // namespace

int main(int argc, char** argv) {
    bench::start_alone(argv);
    for (int i = 1; i < argc; ++i) {
        constexpr char option[] = "--benchmark_filter=";
        if (std::strncmp(argv[i], option, sizeof option - 1) == 0) {
            filter = argv[i] + sizeof option - 1;
        }
    }
    if (std::strcmp(filter, ".") == 0) filter = "";
    std::printf("%-34s %8s  %10s  %10s     %6s\n", "", "size", "fused", "unfused", "ratio");
    for (index_t s : {1, 4, 8}) products(s), reductions(s), views(s), filters(s), cells(s);
    std::printf("%d statements, %d of them slower than %.1f times unfused, or wrong\n", rows, slow,
                bound);
    return slow > 0;
}
