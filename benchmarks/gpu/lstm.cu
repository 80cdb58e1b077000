// SPDX-License-Identifier: BSD-3-Clause
//
// One layer of LSTM over 30 steps, batch x units: forward without a backward pass, and forward
// with the whole of the backward pass. What a step launches decides where batch and units are few,
// its product where they are many; the times of one step are a thirtieth. cuDNN is in peers.py.
#include "lstm.hpp"
#include "timing.hpp"

namespace {

using namespace bench;

// A step in double, by plain loops: z of all gates, then the state.
struct exact_gates {
    float const *x, *W, *b;
    double const* h;
    index_t hidden;

    __device__ double operator()(index_t at) const {
        index_t const all = 4 * hidden, n = at / all, q = at % all;
        double z = b[q];
        for (index_t k = 0; k < hidden; ++k) {
            z += double(x[n * hidden + k]) * double(W[k * all + q]);
            z += h[n * hidden + k] * double(W[(hidden + k) * all + q]);
        }
        return z;
    }
};
__device__ double logistic(double z) { return 1 / (1 + exp(-z)); }
struct exact_cell {
    double const *z, *c;
    index_t hidden;

    __device__ double operator()(index_t at) const {
        double const* const i = z + at / hidden * 4 * hidden + at % hidden;  // then f, j, o
        return logistic(i[hidden]) * c[at] + logistic(i[0]) * tanh(i[2 * hidden]);
    }
};
struct exact_output {
    double const *z, *c;
    index_t hidden;

    __device__ double operator()(index_t at) const {
        return logistic(z[at / hidden * 4 * hidden + 3 * hidden + at % hidden]) * tanh(c[at]);
    }
};

tensor<double, 1> exact_last(problem& p) {
    index_t const size = p.batch * p.hidden;
    tensor<double, 1> h({size}), c({size});
    h = 0.;
    c = 0.;
    for (index_t t = 0; t < p.steps; ++t) {
        tensor<float, 2> const x = p.x.at(t);  // in row-major order, whatever the layer likes
        auto const z =
            exactly(4 * size, exact_gates{x.data(), p.W.data(), p.b.data(), h.data(), p.hidden});
        c = exactly(size, exact_cell{z.data(), c.data(), p.hidden});
        h = exactly(size, exact_output{z.data(), c.data(), p.hidden});
    }
    return h;
}

template <class How>
void add_to(std::vector<contestant>& forward, std::vector<contestant>& training, char const* name,
            problem& p, tensor<double, 1> const& want, How how, double allowed) {
    auto const error = [&] {
        tensor<float, 2> const h = p.layer.last();
        return largest_error(h.data(), want);
    };
    forward.push_back({name, [&p, how] { run_pass<pass::infer>(p, how); }, error, allowed});
    auto const train = [&p, how] {
        run_pass<pass::forward>(p, how);
        run_pass<pass::backward>(p, how);
        run_pass<pass::gradients>(p, how);
    };
    training.push_back({name, train, error, allowed});
}

void measure(options const& o, index_t steps, index_t batch, index_t hidden) {
    problem p(steps, batch, hidden);
    auto const want = exact_last(p);
    std::vector<contestant> forward, training;
    add_to(forward, training, "felt", p, want, felt::fused, 1e-4);
    add_to(forward, training, "felt-tf32", p, want, felt::tf32, 1e-2);
    add_to(forward, training, "unfused", p, want, felt::unfused, 1e-4);
    std::string const name = std::to_string(batch) + "x" + std::to_string(hidden);
    contest(o, "forward-" + name, {p.flops(), "GFLOP/s"}, forward);
    contest(o, "training-" + name, {3 * p.flops(), "GFLOP/s"}, training);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "lstm", [](options const& o) {
        if (o.small) return measure(o, 3, 5, 24);
        measure(o, 30, 128, 1024);
        measure(o, 30, 32, 128);
    });
}
