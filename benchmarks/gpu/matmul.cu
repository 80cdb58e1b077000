// SPDX-License-Identifier: BSD-3-Clause
//
// c = a b alone, in each precision: fp32 is Felt's default. Peers are cublasSgemm, and cuBLASLt in
// the fastest of the ways it proposes, with factors in floats (TF32, BF16 at load) and, as `own`,
// with factors that lie in memory as BF16, half the bytes, converted before. Bound by
// multiply-adds, the skinny ones by memory.
#include "products.hpp"
#include <cuda_bf16.h>

namespace {

using namespace bench;

__global__ void shorten(__nv_bfloat16* to, float const* from, index_t n) {
    index_t const i = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i < n) to[i] = __float2bfloat16(from[i]);
}
tensor<std::uint16_t, 1> as_bf16(tensor<float, 2> const& x) {
    tensor<std::uint16_t, 1> y({x.size()});
    shorten<<<unsigned((x.size() + 255) / 256), 256, 0, felt::device::stream_of_this_thread()>>>(
        reinterpret_cast<__nv_bfloat16*>(y.data()), x.data(), x.size());
    check(cudaGetLastError(), "shorten");
    return y;
}

void measure(options const& o, index_t m, index_t n, index_t k) {
    factors f(m, n, k);
    auto const want = exact_of(f);
    auto const a = as_bf16(f.a), b = as_bf16(f.b);
    std::vector<contestant> all;
    auto const add = [&](char const* name, double allowed, task run) {
        all.push_back(
            {name, run, [&] { return largest_error(f.c.data(), want); }, allowed * f.scale()});
    };
    auto const ours = [&](auto how) {
        return [&f, how] { run(how, assign(f.c, matmul(f.a, f.b))); };
    };
    auto const floats = [&](cublasComputeType_t how) {
        return cublas::lt_of(f.of_floats(), how, CUDA_R_32F);
    };
    add("felt", allowed::exact, ours(felt::fused));
    add("felt-tf32x3", allowed::by_three, ours(felt::tf32x3));
    add("felt-tf32", allowed::tf32, ours(felt::tf32));
    add("felt-bf16", allowed::bf16, ours(felt::bf16));
    add("cublas-sgemm", allowed::exact, cublas::sgemm(f.of_floats()));
    add("cublaslt-tf32", allowed::tf32, floats(CUBLAS_COMPUTE_32F_FAST_TF32));
    add("cublaslt-bf16", allowed::bf16, floats(CUBLAS_COMPUTE_32F_FAST_16BF));
    add("cublaslt-bf16-own", allowed::bf16,
        cublas::lt_of({m, n, k, a.data(), b.data(), f.c.data()}, CUBLAS_COMPUTE_32F, CUDA_R_16BF));
    contest(o, f.name(), {f.flops(), "GFLOP/s"}, all);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "matmul", [](options const& o) {
        if (o.small) return measure(o, 96, 160, 72);
        for (index_t n : {1024, 2048, 4096, 8192}) measure(o, n, n, n);
        for (index_t n : {1, 8, 32, 128}) measure(o, n, 4096, 4096);  // few rows
        measure(o, 4096, 64, 4096);                                   // few columns
        measure(o, 64, 64, 65536);                                    // a long sum
    });
}
