// SPDX-License-Identifier: BSD-3-Clause
//
// One program with the same statements for SSE2 and, where the processor has it, for AVX2.
#include <cmath>
#include <cstdio>
#include <vector>

double narrow(float const* a, float const* b, long n);
double wide(float const* a, float const* b, long n);
int narrow_threads(int n);
int wide_threads(int n);

int main() {
    long const n = 20;
    std::vector<float> a(n * n), b(n * n);
    double expected = n;  // the rows of a softmax add up to 1
    for (long i = 0; i < n * n; ++i) {
        a[i] = float(i % 7) / 8;
        b[i] = float(i % 5) / 16;
    }
    for (long i = 0; i < n; ++i) {
        for (long j = 0; j < n; ++j) {
            double product = 0;
            for (long k = 0; k < n; ++k) product += double(a[i * n + k]) * double(b[k * n + j]);
            expected += std::exp(product) / double(n);
        }
    }
    auto const right = [&](char const* name, double found) {
        std::printf("%s: %.6f, expected %.6f\n", name, found, expected);
        return std::abs(found - expected) < 1e-5 * expected;
    };
    bool well = right("narrow", narrow(a.data(), b.data(), n)) && narrow_threads(0) == 2;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
        std::puts("wide: skipped, the processor has no AVX2 and FMA");
        return well ? 0 : 1;
    }
    well = right("wide", wide(a.data(), b.data(), n)) && well;
    well = wide_threads(0) == 2 && wide_threads(1) == 1 && narrow_threads(0) == 2 && well;
    return well ? 0 : 1;
}
