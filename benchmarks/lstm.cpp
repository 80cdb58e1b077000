// SPDX-License-Identifier: BSD-3-Clause
//
// One layer of LSTM over 30 steps: forward without a backward pass, and forward, backward and the
// gradients by weights and inputs. Bound by multiply-adds where the batch is large; with a batch
// of 32 and 128 units a step takes 40 us, of which starting it is a tenth. Contestants: Felt fused
// and unfused, oneDNN's primitive with its own order of weights; nobody's packing is timed.
#include "peers/onednn_lstm.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <felt/nn/lstm.hpp>
#include <vector>

namespace {

using namespace bench;

struct recurrence {
    index_t steps, batch, hidden;

    double flops() const {
        return 16. * static_cast<double>(steps * batch) * static_cast<double>(hidden * hidden);
    }
    std::string name() const {
        return std::to_string(batch) + "x" + std::to_string(hidden) + "x" + std::to_string(steps);
    }
};

constexpr recurrence sizes[] = {{30, 32, 128}, {30, 128, 256}, {30, 128, 1024}};

// All numbers of a problem; x and dy lie as the layer likes them.
struct problem {
    recurrence of;
    felt::recurrent_shape shape;
    felt::lstm<float> layer;
    felt::time_series<float> x, dy, dx;
    felt::Tensor<float, 2> W, dW;
    felt::Tensor<float, 1> b, db;

    explicit problem(recurrence const& r)
        : of(r),
          shape(felt::recurrent_shape_for(r.steps, r.batch, r.hidden, r.hidden)),
          layer(shape, {.order = "ifjo"}),
          x(r.steps, r.batch, r.hidden, shape.batch_last),
          dy(r.steps, r.batch, r.hidden, shape.batch_last),
          dx(r.steps, r.batch, r.hidden, shape.batch_last),
          W({2 * r.hidden, 4 * r.hidden}),
          dW(W.extents()),
          b({4 * r.hidden}),
          db(b.extents()) {
        x.all() = 2.f * felt::uniform<float>({r.steps, r.batch, r.hidden}, 1) - 1.f;
        dy.all() = 2.f * felt::uniform<float>({r.steps, r.batch, r.hidden}, 2) - 1.f;
        W = (2.f * felt::uniform<float>(W.extents(), 3) - 1.f) *
            (1.f / std::sqrt(static_cast<float>(r.hidden)));
        b = felt::uniform<float>(b.extents(), 4) - 0.5f;
        layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        layer.reset();
    }

    template <class How>
    void train(How how) {
        layer.forward(how, x.all());
        layer.backward(how, dy.all());
        layer.weight_gradients(how, x.all(), felt::view(dW), felt::view(db));
        layer.input_gradients(how, dx.all());
    }
};

// The last outputs in double, by plain loops: of a few sequences, for each takes its time.
struct exact {
    std::vector<std::vector<double>> h;  // of sequences 0, batch - 1

    explicit exact(problem& p) {
        index_t const H = p.of.hidden;
        auto const size = static_cast<std::size_t>(H);
        auto const logistic = [](double z) { return 1 / (1 + std::exp(-z)); };
        for (index_t n : {index_t(0), p.of.batch - 1}) {
            std::vector<double> now(size), c(size), z(4 * size);
            for (index_t t = 0; t < p.of.steps; ++t) {
                for (std::size_t q = 0; q < 4 * size; ++q) {
                    z[q] = static_cast<double>(p.b(static_cast<index_t>(q)));
                }
                for (index_t k = 0; k < 2 * H; ++k) {
                    double const in = k < H ? static_cast<double>(p.x.all()(t, n, k))
                                            : now[static_cast<std::size_t>(k - H)];
                    float const* const row = p.W.data() + k * 4 * H;
                    for (std::size_t q = 0; q < 4 * size; ++q) {
                        z[q] += in * static_cast<double>(row[q]);
                    }
                }
                for (std::size_t k = 0; k < size; ++k) {
                    c[k] =
                        logistic(z[size + k]) * c[k] + logistic(z[k]) * std::tanh(z[2 * size + k]);
                    now[k] = logistic(z[3 * size + k]) * std::tanh(c[k]);
                }
            }
            h.push_back(now);
        }
    }

    template <class At>
    bool agrees(problem& p, At at) const {
        bool all = true;
        for (index_t k = 0; k < p.of.hidden; ++k) {
            auto const i = static_cast<std::size_t>(k);
            all = all && near(at(0, k), h[0][i], 16) && near(at(p.of.batch - 1, k), h[1][i], 16);
        }
        return all;
    }
};

template <class Run>
void enter_ours(std::string const& name, recurrence const& r, double flops, Run run) {
    enter(name, [=] {
        auto const p = std::make_shared<problem>(r);
        auto const want = std::make_shared<exact>(*p);
        contestant c;
        c.of = arithmetic<float>(flops);
        c.run = [=] { run(*p); };
        c.right = [=] {
            auto const h = p->layer.last();
            return want->agrees(*p, [&](index_t n, index_t k) { return h(n, k); });
        };
        return c;
    });
}

void enter_onednn(std::string const& name, recurrence const& r, double flops, bool training) {
    enter(name, [=] {
        auto const p = std::make_shared<problem>(r);
        auto const want = std::make_shared<exact>(*p);
        felt::Tensor<float, 3> const x = p->x.all(), dy = p->dy.all();
        auto const peer = onednn::lstm(
            {r.steps, r.batch, r.hidden, x.data(), dy.data(), p->W.data(), p->b.data(), training});
        contestant c;
        c.of = arithmetic<float>(flops);
        c.run = peer.run;
        c.label = peer.layout;
        c.right = [=] { return want->agrees(*p, peer.last()); };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (recurrence const& r : sizes) {
            std::string const forward = "lstm_forward/float/" + r.name();
            enter_ours(forward + "/felt", r, r.flops(),
                       [](problem& p) { p.layer.infer(felt::fused, p.x.all()); });
            enter_ours(forward + "/unfused", r, r.flops(),
                       [](problem& p) { p.layer.infer(felt::unfused, p.x.all()); });
            enter_onednn(forward + "/onednn", r, r.flops(), false);
            std::string const training = "lstm_training/float/" + r.name();
            enter_ours(training + "/felt", r, 3 * r.flops(),
                       [](problem& p) { p.train(felt::fused); });
            enter_ours(training + "/unfused", r, 3 * r.flops(),
                       [](problem& p) { p.train(felt::unfused); });
            enter_onednn(training + "/onednn", r, 3 * r.flops(), true);
        }
    });
}
