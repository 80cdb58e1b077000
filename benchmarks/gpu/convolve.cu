// SPDX-License-Identifier: BSD-3-Clause
//
// The layer of the study's network, meanpool(sigmoid(conv(x, w) + b)): 20 filters of 9 x 9 over
// one channel of 28 x 28, windows of 2 x 2, 4096 images. Fused, only what is left after the pool
// is written, a quarter. cuDNN's convolution with a kernel for each of the rest is in peers.py.
#include "timing.hpp"

namespace {

using namespace bench;

struct exact_layer {
    float const *x, *w, *b;
    index_t h, filters, k;

    __device__ double operator()(index_t at) const {
        index_t const pooled = (h - k + 1) / 2;
        index_t const q = at % pooled, p = at / pooled % pooled;
        index_t const o = at / (pooled * pooled) % filters, n = at / (pooled * pooled * filters);
        double sum = 0;
        for (index_t i = 0; i < 4; ++i) {
            sum += 1 / (1 + exp(-conv(n, o, 2 * p + i / 2, 2 * q + i % 2)));
        }
        return sum / 4;
    }
    __device__ double conv(index_t n, index_t o, index_t p, index_t q) const {
        double z = b[o];
        for (index_t r = 0; r < k; ++r) {
            for (index_t s = 0; s < k; ++s) {
                z += double(x[(n * h + p + r) * h + q + s]) * double(w[(o * k + r) * k + s]);
            }
        }
        return z;
    }
};

void measure(options const& o, index_t images, index_t filters) {
    index_t const h = 28, k = 9, p = h - k + 1;
    tensor<float, 4> x({images, 1, h, h}), w({filters, 1, k, k}),
        y({images, filters, p / 2, p / 2});
    tensor<float, 3> b({filters, 1, 1});
    x = felt::uniform<float>(x.extents(), 1);
    w = (felt::uniform<float>(w.extents(), 2) * 2.f - 1.f) / 9.f;
    b = felt::uniform<float>(b.extents(), 3) - 0.5f;
    auto const e = avg_pool2d(sigmoid(conv2d(x, w) + b));
    auto const want = exactly(y.size(), exact_layer{x.data(), w.data(), b.data(), h, filters, k});
    std::vector<contestant> all;
    auto const add = [&](char const* name, double allowed, auto how) {
        all.push_back({name, [&, how] { run(how, assign(y, e)); },
                       [&] { return largest_error(y.data(), want); }, allowed});
    };
    add("felt", 1e-5, felt::fused);
    add("felt-tf32", 2e-3, felt::tf32);
    add("unfused", 1e-5, felt::unfused);
    auto const results = double(images * filters * p * p);
    contest(o, "layer-" + std::to_string(images), {2 * results * double(k * k), "GFLOP/s"}, all);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "convolve", [](options const& o) {
        if (o.small) return measure(o, 3, 5);
        for (index_t images : {256, 4096}) measure(o, images, 20);
    });
}
