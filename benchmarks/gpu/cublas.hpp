// SPDX-License-Identifier: BSD-3-Clause
//
// The library's products of row-major matrices: c = a b, (m, k) by (k, n), of floats or of BF16.
// To the library, which counts by columns, that is c^T = b^T a^T.
#pragma once
#include "timing.hpp"
#include <cublasLt.h>
#include <cublas_v2.h>
#include <memory>

namespace bench::cublas {

inline void check(cublasStatus_t s, char const* operation) {
    if (s == CUBLAS_STATUS_SUCCESS) return;
    throw felt::device_error(std::string(operation) + ": " + cublasGetStatusString(s));
}

struct product {
    index_t m, n, k;
    void const *a, *b;
    float* c;
};

// cublasSgemm, in full float.
class sgemm {
public:
    explicit sgemm(product const& p) : p_(p) {
        cublasHandle_t h;
        check(cublasCreate(&h), "cublasCreate");
        handle_ = {h, [](cublasHandle_t x) { (void)cublasDestroy(x); }};
    }
    void operator()() const {
        float const one = 1, zero = 0;
        auto const m = int(p_.m), n = int(p_.n), k = int(p_.k);
        check(cublasSetStream(handle_.get(), felt::device::stream_of_this_thread()), "stream");
        check(cublasSgemm(handle_.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                          static_cast<float const*>(p_.b), n, static_cast<float const*>(p_.a), k,
                          &zero, p_.c, n),
              "cublasSgemm");
    }

private:
    product p_;
    std::shared_ptr<cublasContext> handle_;
};

// cuBLASLt, by the fastest of the ways that it proposes.
class lt {
public:
    lt(product const& p, cublasComputeType_t how, cudaDataType_t factors)
        : p_(p), memory_({workspace}) {
        auto const m = std::uint64_t(p.m), n = std::uint64_t(p.n), k = std::uint64_t(p.k);
        cublasLtHandle_t h;
        check(cublasLtCreate(&h), "cublasLtCreate");
        handle_ = {h, [](cublasLtHandle_t x) { (void)cublasLtDestroy(x); }};
        cublasLtMatmulDesc_t d;
        check(cublasLtMatmulDescCreate(&d, how, CUDA_R_32F), "cublasLtMatmulDescCreate");
        desc_ = {d, [](cublasLtMatmulDesc_t x) { (void)cublasLtMatmulDescDestroy(x); }};
        a_ = layout(factors, k, m);
        b_ = layout(factors, n, k);
        c_ = layout(CUDA_R_32F, n, m);
        choose();
    }
    void operator()() const { run(algorithm_); }

private:
    static constexpr index_t workspace = index_t{64} << 20;
    using matrix = std::shared_ptr<cublasLtMatrixLayoutOpaque_t>;

    static matrix layout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns) {
        cublasLtMatrixLayout_t x;
        check(cublasLtMatrixLayoutCreate(&x, type, rows, columns, std::int64_t(rows)), "layout");
        return {x, [](cublasLtMatrixLayout_t y) { (void)cublasLtMatrixLayoutDestroy(y); }};
    }

    void choose() {
        cublasLtMatmulPreference_t like;
        check(cublasLtMatmulPreferenceCreate(&like), "cublasLtMatmulPreferenceCreate");
        std::shared_ptr<cublasLtMatmulPreferenceOpaque_t> const kept(
            like, [](cublasLtMatmulPreference_t x) { (void)cublasLtMatmulPreferenceDestroy(x); });
        std::size_t const bytes = workspace;
        check(cublasLtMatmulPreferenceSetAttribute(like, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                   &bytes, sizeof bytes),
              "cublasLtMatmulPreferenceSetAttribute");
        cublasLtMatmulHeuristicResult_t found[8];
        int number = 0;
        check(cublasLtMatmulAlgoGetHeuristic(handle_.get(), desc_.get(), b_.get(), a_.get(),
                                             c_.get(), c_.get(), like, 8, found, &number),
              "cublasLtMatmulAlgoGetHeuristic");
        stopwatch watch;
        double best = std::numeric_limits<double>::infinity();
        for (int i = 0; i < number; ++i) {
            run(found[i].algo);
            double const t = watch.seconds([&] { run(found[i].algo); });
            if (t < best) best = t, algorithm_ = found[i].algo;
        }
    }
    void run(cublasLtMatmulAlgo_t const& way) const {
        float const one = 1, zero = 0;
        check(
            cublasLtMatmul(handle_.get(), desc_.get(), &one, p_.b, b_.get(), p_.a, a_.get(), &zero,
                           p_.c, c_.get(), p_.c, c_.get(), &way, const_cast<char*>(memory_.data()),
                           workspace, felt::device::stream_of_this_thread()),
            "cublasLtMatmul");
    }

    product p_;
    std::shared_ptr<cublasLtContext> handle_;
    std::shared_ptr<cublasLtMatmulDescOpaque_t> desc_;
    matrix a_, b_, c_;
    tensor<char, 1> memory_;
    cublasLtMatmulAlgo_t algorithm_{};
};

inline task lt_of(product const& p, cublasComputeType_t how, cudaDataType_t factors) {
    return [x = std::make_shared<lt>(p, how, factors)] { (*x)(); };
}

}  // namespace bench::cublas
