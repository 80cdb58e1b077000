// SPDX-License-Identifier: BSD-3-Clause
//
// h = sigmoid(matmul(w, x) + b), (4096, k) by (k, 4096), b a column: what the intermediate costs.
// The peer is cuBLASLt, in the fastest of its ways, followed by one kernel in place. The shorter
// k, the more of the time is memory's; the last lines say up to which k Felt is faster.
#include "products.hpp"

namespace {

using namespace bench;

__device__ float logistic(float z) { return 1.f / (1.f + __expf(-z)); }

// c(i, j) = sigmoid(c(i, j) + b(i)), four columns a thread.
__global__ void pointwise(float4* c, float const* b, index_t columns, index_t n) {
    index_t const i = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i >= n) return;
    float const v = b[i / columns];
    float4 const z = c[i];
    c[i] = {logistic(z.x + v), logistic(z.y + v), logistic(z.z + v), logistic(z.w + v)};
}

struct exact_sigmoid {
    exact_product sum;
    float const* bias;

    __device__ double operator()(index_t at) const {
        return 1 / (1 + exp(-sum(at) - double(bias[at / sum.n])));
    }
};

struct layer : factors {
    tensor<float, 2> bias;

    layer(index_t rows, index_t terms) : factors(rows, rows, terms), bias({rows, 1}) {
        bias = felt::uniform<float>({rows, 1}, 3) - 0.5f;
    }
    auto expression() const { return sigmoid(matmul(a, b) + bias); }
    task followed(task const& product) {
        return [this, product] {
            product();
            index_t const fours = c.size() / 4;
            pointwise<<<unsigned((fours + 255) / 256), 256, 0,
                        felt::device::stream_of_this_thread()>>>(
                reinterpret_cast<float4*>(c.data()), bias.data(), n / 4, fours);
            check(cudaGetLastError(), "pointwise");
        };
    }
};

struct times {
    double fp32, tf32;  // the peer's time over Felt's
};

times measure(options const& o, index_t size, index_t k) {
    layer l(size, k);
    auto const want =
        exactly(l.c.size(), exact_sigmoid{{l.a.data(), l.b.data(), l.n, l.k}, l.bias.data()});
    auto const error = [&] { return largest_error(l.c.data(), want); };
    auto const ours = [&](auto how) { return [&, how] { run(how, assign(l.c, l.expression())); }; };
    auto const floats = [&](cublasComputeType_t how) {
        return l.followed(cublas::lt_of(l.of_floats(), how, CUDA_R_32F));
    };
    double const exact = allowed::exact * l.scale(), tf32 = allowed::tf32 * l.scale();
    auto const t =
        contest(o, l.name(), {l.flops(), "GFLOP/s"},
                {{"felt", ours(felt::fused), error, exact},
                 {"felt-tf32", ours(felt::tf32), error, tf32},
                 {"unfused", ours(felt::unfused), error, exact},
                 {"cublaslt+kernel", floats(CUBLAS_COMPUTE_32F), error, exact},
                 {"cublaslt-tf32+kernel", floats(CUBLAS_COMPUTE_32F_FAST_TF32), error, tf32}});
    return {t[0] > 0 ? t[3] / t[0] : 0, t[1] > 0 ? t[4] / t[1] : 0};
}

// Felt is faster at every k up to the one that is printed.
void print_crossover(char const* precision, std::vector<index_t> const& k,
                     std::vector<double> const& times) {
    std::size_t i = 0;
    while (i < k.size() && times[i] > 1) ++i;
    if (i == 0) std::printf("crossover %s: below %td\n", precision, k.front());
    else if (i == k.size()) std::printf("crossover %s: above %td\n", precision, k.back());
    else std::printf("crossover %s: from %td to %td\n", precision, k[i - 1], k[i]);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "epilogue", [](options const& o) {
        if (o.small) return void(measure(o, 96, 40));
        std::vector<index_t> const all = {64, 128, 256, 512, 1024, 2048, 4096};
        std::vector<double> fp32, tf32;
        for (index_t k : all) {
            auto const t = measure(o, 4096, k);
            fp32.push_back(t.fp32);
            tf32.push_back(t.tf32);
        }
        print_crossover("fp32", all, fp32);
        print_crossover("tf32", all, tf32);
    });
}
