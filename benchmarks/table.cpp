// SPDX-License-Identifier: BSD-3-Clause
//
// A line for each statement that people write: what a core could do at best (bytes at the rate of
// the best copy or read of arrays as large, multiply-adds at the core's rate), fused, unfused, and
// fused on two threads. Milliseconds of the clock, the least of several; the two ways are compared
// first. `benchmarks/peers/table.py` runs it and PyTorch, and writes a page.
//
//   felt_bench_table [PART OF A NAME]
#if defined(_OPENMP)
#include <omp.h>
#endif
#include "table_lines.hpp"
#include "table_peers.hpp"

namespace {

using namespace bench;
using felt::keepdims;

void streams() {
    index_t const n = 4096;
    auto const x = random({n, n}), y = random({n, n}, 2);
    auto const row = random({n}, 3);
    auto const column = random({n, 1}, 4);
    copied("clip((x * row + column) / 2 - abs(x), -1, 1)", n * n,
           clip((x * row + column) * 0.5f - abs(x), -1.f, 1.f),
           [&] { return clipping(x, row, column); });
    copied("transpose(x)", n * n, transpose(x),
           [&] { return peers{by_eigen(x, n, n, [](auto const& v) { return v.transpose(); })}; });
    copied("x + transpose(x)", n * n, x + transpose(x), [&] { return adding_transpose(x); });
    summed("sum<0>(x)", n * n, felt::sum<0>(x), [&] { return summing(x, 0); });
    summed("sum<1>(x)", n * n, felt::sum<1>(x), [&] { return summing(x, 1); });
    summed("sum<0>(transpose(x))", n * n, felt::sum<0>(transpose(x)), nobody);
    summed("max<1>(x)", n * n, felt::max<1>(x), [&] {
        return peers{by_eigen(x, n, 1, [](auto const& v) { return v.rowwise().maxCoeff(); })};
    });
    summed("max<0>(x)", n * n, felt::max<0>(x), [&] {
        return peers{by_eigen(x, 1, n, [](auto const& v) { return v.colwise().maxCoeff(); })};
    });
    summed("argmax<1>(x)", n * n, felt::argmax<1>(x), nobody);
    copied("concat<0>(x, y)", 2 * n * n, felt::concat<0>(x, y), nobody);
    copied("pad(x)", n * n, felt::pad(x, {{1, 1}, {1, 1}}), nobody);
    copied("slice(x, inner)", n * n, felt::slice(x, felt::range(1, n - 1), felt::range(1, n - 1)),
           nobody);
    auto const images = random({64, 64, 64, 64});
    copied("permute<0, 3, 1, 2>(images)", index_t{1} << 24, felt::permute<0, 3, 1, 2>(images),
           nobody);
    felt::Tensor<std::uint8_t, 2> bytes({n, n});
    bytes = felt::cast<std::uint8_t>(255 * felt::uniform<float>(bytes.extents(), 5));
    copied("(float(bytes) / 255 - 0.5) * 2", n * n * 5 / 8,
           (felt::cast<float>(bytes) / 255.f - 0.5f) * 2.f, nobody);
}

void rows(index_t m, index_t n) {
    auto const x = random({m, n});
    std::string const of = " of " + std::to_string(m) + " x " + std::to_string(n);
    auto const mean = felt::mean<1>(x, keepdims);
    copied("x - mean<1>(x)" + of, m * n, x - mean, [&] {
        return peers{
            by_eigen(x, m, n, [](auto const& v) { return v.colwise() - v.rowwise().mean(); })};
    });
    copied("standardised rows" + of, m * n, (x - mean) / sqrt(felt::var<1>(x, keepdims) + 1e-5f),
           nobody);
    copied("RMS norm" + of, m * n, x / sqrt(felt::mean<1>(x * x, keepdims) + 1e-5f), nobody);
    copied("softmax<1>" + of, m * n, felt::softmax<1>(x), [&] { return softmax_of_rows(x); });
    copied("log_softmax<1>" + of, m * n, felt::log_softmax<1>(x), nobody);
    summed("logsumexp<1>" + of, m * n, felt::logsumexp<1>(x), nobody);
    summed("var<1>" + of, m * n, felt::var<1>(x), nobody);
    auto const column_mean = felt::mean<0>(x, keepdims);
    copied("standardised columns" + of, m * n,
           (x - column_mean) / sqrt(felt::var<0>(x, keepdims) + 1e-5f), nobody);
    copied("softmax<0>" + of, m * n, felt::softmax<0>(x), nobody);
}

double work(index_t m, index_t n, index_t k) { return 2. * static_cast<double>(m * n * k); }

void products() {
    for (auto const& s : {felt::extents<3>{{1024, 1024, 1024}}, felt::extents<3>{{2048, 64, 1024}},
                          felt::extents<3>{{128, 128, 128}}}) {
        auto const a = random({s[0], s[2]}), b = random({s[2], s[1]}, 2);
        auto const bias = random({s[1]}, 3);
        std::string const of = " of " + felt::to_string(s.value, 3);
        multiplied("matmul(a, b)" + of, work(s[0], s[1], s[2]), matmul(a, b),
                   [&] { return multiplying(a, b); });
        multiplied("sigmoid(matmul(a, b) + c)" + of, work(s[0], s[1], s[2]),
                   sigmoid(matmul(a, b) + bias), [&] { return logistic_layer(a, b, bias); });
    }
    auto const a = random({4096, 4096}), v = random({4096, 1}, 2);
    summed("matmul(a, v) of 4096 x 4096", 4096 * 4096, matmul(a, v), nobody);
    auto const q = random({4, 1024, 64}), k = random({4, 1024, 64}, 2),
               w = random({4, 1024, 64}, 3);
    multiplied("attention of 4 x 1024 x 64", 2 * 4 * work(1024, 1024, 64),
               matmul(felt::softmax<-1>(matmul(q, felt::permute<0, 2, 1>(k)) / 8.f), w), nobody);
    auto const x = random({32, 128}), wx = random({128, 512}, 2), c = random({32, 128}, 3);
    auto const z = matmul(x, wx);
    auto const gate = [&](int n) {
        return slice(z, felt::all(), felt::range(n * 128, n * 128 + 128));
    };
    multiplied("LSTM cell of 32 x 128", work(32, 512, 128),
               sigmoid(gate(3)) * tanh(sigmoid(gate(1)) * c + sigmoid(gate(0)) * tanh(gate(2))),
               nobody);
}

void images() {
    auto const x = random({8, 28, 28, 128}), w = random({3, 3, 128, 128}, 2);
    auto const images = felt::permute<0, 3, 1, 2>(x), filters = felt::permute<3, 2, 0, 1>(w);
    auto const conv = felt::conv2d(images, filters, {.padding = {1, 1}});
    double const flops = work(8 * 28 * 28, 128, 9 * 128);
    multiplied("conv2d 3 x 3 of 8 x 28 x 28 x 128", flops, felt::permute<0, 2, 3, 1>(conv), nobody);
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> filters_in_order({128, 128, 3, 3});
    filters_in_order = filters;
    auto const pool = felt::max_pool2d(relu(conv), {.window = {2, 2}, .stride = {2, 2}});
    multiplied("max pool of relu of that", flops, felt::permute<0, 2, 3, 1>(pool), [&] {
        return pooled_convolution({"", 8, 128, 28, 128, 3, 1, 1}, onednn::order::nhwc, x.data(),
                                  filters_in_order.data(), onednn::after::relu, onednn::pool::max,
                                  {2, 2});
    });
    auto const digits = random({256, 1, 28, 28}), small = random({8, 1, 9, 9}, 2);
    auto const features = sigmoid(felt::conv2d(digits, small, {}));
    multiplied("mean pool of sigmoid of conv2d 9 x 9 of 256 digits", work(256 * 20 * 20, 8, 81),
               felt::avg_pool2d(features, {.window = {2, 2}, .stride = {2, 2}}), [&] {
                   return pooled_convolution({"", 256, 1, 28, 8, 9, 1, 0}, onednn::order::nchw,
                                             digits.data(), small.data(), onednn::after::logistic,
                                             onednn::pool::mean, {2, 2});
               });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) wanted = argv[1];
    if (wanted == "--help" || wanted == "-h") {
        std::puts(
            "felt_bench_table [PART OF A NAME]\n\n"
            "Statements, what a core could do at best, Felt fused, unfused and on two threads, "
            "and\n"
            "peers: columns between tabs, ms. benchmarks/peers/table.py makes a table of it, with\n"
            "PyTorch.");
        return 0;
    }
#if defined(_OPENMP)
    omp_set_num_threads(1);  // of peers: Felt has its own number
#endif
    std::printf("statement\tlimit\tby\tfused\tunfused\ttwo threads");
    for (char const* who : peer_names) std::printf("\t%s", who);
    std::printf("\t\n");
    streams();
    rows(16384, 1000);
    rows(2048, 8192);
    rows(16, 1000);
    products();
    images();
}
