// SPDX-License-Identifier: BSD-3-Clause
//
// y = clip((x * row + col) * 0.5 - abs(x), -1, 1) of 64 Mi floats. Bound by memory: x is read and
// y is written, 8 bytes an element; the arithmetic is 7 instructions for 16 elements. The roof is
// the best copy of as many floats: memcpy, a plain loop, or one with streaming stores.
// Contestants: Felt fused and unfused (five intermediates), xtensor with xsimd, Eigen.
#include "peers/xtensor.hpp"
#include "peers/eigen.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <functional>

namespace {

using namespace bench;

constexpr index_t m = 8192, n = 8192;

struct arrays {
    felt::Tensor<float, 2> x = numbers<float>(felt::extents<2>{{m, n}}, 1);
    felt::Tensor<float, 1> row = numbers<float>(felt::extents<1>{{n}}, 2);
    felt::Tensor<float, 2> col = numbers<float>(felt::extents<2>{{m, 1}}, 3);
    felt::Tensor<float, 2> y{{m, n}};

    bool right(float got, index_t i, index_t j) const {
        float const v = (x(i, j) * row(j) + col(i, index_t{0})) * 0.5f - std::abs(x(i, j));
        return near(got, static_cast<double>(std::min(std::max(v, -1.f), 1.f)), 1);
    }
};

arrays& shared() {
    static arrays instance;
    return instance;
}

contestant timed(task run, std::function<float(index_t)> at) {
    contestant c;
    c.run = std::move(run);
    c.of = copying(m * n);
    c.right = [=] {
        return at_samples(
            m, n, [&](index_t i, index_t j) { return shared().right(at(i * n + j), i, j); });
    };
    return c;
}
float of_y(index_t i) { return shared().y.data()[i]; }

template <class How>
void enter_ours(char const* name, How how) {
    enter(name, [=] {
        arrays& a = shared();
        a.y = 2.f;
        return timed(
            [&a, how] {
                felt::run(
                    how, felt::assign(a.y, felt::clip((a.x * a.row + a.col) * 0.5f - felt::abs(a.x),
                                                      -1.f, 1.f)));
            },
            of_y);
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_ours("stream/clip/felt", felt::fused);
        enter_ours("stream/clip/unfused", felt::unfused);
        enter("stream/clip/xtensor", [] {
            arrays& a = shared();
            auto const peer = xtensor::clip(a.x.data(), a.row.data(), a.col.data(), m, n);
            return timed(peer.run, peer.at);
        });
        enter("stream/clip/eigen", [] {
            arrays& a = shared();
            a.y = 2.f;
            return timed(eigen::clip(a.x.data(), a.row.data(), a.col.data(), a.y.data(), m, n),
                         of_y);
        });
    });
}
