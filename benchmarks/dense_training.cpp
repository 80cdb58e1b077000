// SPDX-License-Identifier: BSD-3-Clause
//
// Training steps of FCN-5 and FCN-8 (26752 inputs and outputs, hidden layers of 2048, batch 64),
// the networks whose weights no cache holds. The roof is the time of both: the multiply-adds of the
// products forward, by the weights, and by what each layer but the first reads, at the core's peak;
// and the weights' bytes at the bandwidth of a copy: read forward, read backward but for the first,
// their derivative written and read, and they read and written by the update.
#include "contest.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <networks/dense.hpp>
#include <cmath>

namespace {

using namespace bench;
namespace nn = felt::nn;

constexpr index_t batch = 64, features = 26752, width = 2048;

struct subject {
    nn::net net;
    felt::Tensor<float, 2> x = felt::uniform<float>(felt::extents<2>{{batch, features}}, 1);
    felt::Tensor<index_t, 1> labels = felt::randint({batch}, 0, features, 2);
    felt::Tensor<float, 1> theta{{0}}, g{{0}};

    explicit subject(int hidden) : net(networks::fcn(hidden)) {
        net.prepare({batch, features});
        theta = net.initial(3);
        g = felt::Tensor<float, 1>(theta.extents());
    }
    template <class How>
    double step(How how) {
        double const j = net.cost(how, x, nn::cross_entropy(felt::view(labels)), theta, g);
        felt::run(how, assign(theta, theta - 1e-4f * g));
        return j;
    }
};

struct weights {
    double all, first;
    explicit weights(int hidden)
        : all(static_cast<double>(2 * features * width + (hidden - 1) * width * width)),
          first(static_cast<double>(features * width)) {}
    double seconds_of_arithmetic() const {
        return 2. * batch * (3 * all - first) / flops_per_second<float>();
    }
    double seconds_of_memory() const {
        return sizeof(float) * (6 * all + all - first) / bandwidth_of(features * width).copy;
    }
};

// A step descends: both ways from the same parameters to the same costs.
bool descends_alike(subject& s) {
    felt::Tensor<float, 1> const begin = s.theta;
    double const before = s.step(felt::fused), after = s.step(felt::fused);
    s.theta = begin;
    double const unfused_before = s.step(felt::unfused), unfused_after = s.step(felt::unfused);
    auto const alike = [](double a, double b) { return std::abs(a - b) <= 1e-4 * std::abs(b); };
    return after < before && alike(before, unfused_before) && alike(after, unfused_after);
}

template <class How>
void enter_step(int hidden, char const* name, How how) {
    enter("fcn" + std::to_string(hidden + 2) + "/" + name, [=] {
        auto const s = std::make_shared<subject>(hidden);
        weights const w(hidden);
        double const a = w.seconds_of_arithmetic(), m = w.seconds_of_memory();
        contestant c;
        c.run = [=] { s->step(how); };
        c.right = [=] { return descends_alike(*s); };
        c.of = {"step", 1, 1 / (a + m)};
        c.label = "arithmetic " + std::to_string(1e3 * a) + " ms, memory " +
                  std::to_string(1e3 * m) + " ms";
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc, argv, [] {
        for (int hidden : {3, 6}) {
            enter_step(hidden, "felt", felt::fused);
            enter_step(hidden, "unfused", felt::unfused);
        }
    });
}
