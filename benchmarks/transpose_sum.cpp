// SPDX-License-Identifier: BSD-3-Clause
//
// What the order of elements costs, on 4096 x 4096 floats, all bound by memory:
//   y = x + transpose(x): a copy's traffic, if what is read across the lines comes from cache
//   sum<0>(x), sum<1>(x), rows or columns contiguous: every element is read once
// Contestants: Felt, xtensor with xsimd, Eigen.
#include "peers/xtensor.hpp"
#include "peers/eigen.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <functional>

namespace {

using namespace bench;

constexpr index_t n = 4096;

matrix<float>& input(char order) {
    static matrix<float> rows(n, n, 'r', 1), columns(n, n, 'c', 1);
    return order == 'r' ? rows : columns;
}
felt::Tensor<float, 2>& output() {
    static felt::Tensor<float, 2> y({n, n});
    return y;
}

contestant timed_transpose(task run, std::function<float(index_t)> at) {
    contestant c;
    c.run = std::move(run);
    c.of = copying(n * n);
    c.right = [=] {
        matrix<float> const& x = input('r');
        return at_samples(n, n, [&](index_t i, index_t j) {
            return near(at(i * n + j), static_cast<double>(x.at(i, j) + x.at(j, i)), 1);
        });
    };
    return c;
}

// One of the sums: along `axis` of a matrix whose rows or columns are contiguous.
contestant timed_sum(task run, std::function<float(index_t)> at, int axis, char order) {
    contestant c;
    c.run = std::move(run);
    c.of = reading(n * n);
    c.right = [=] {
        matrix<float> const& x = input(order);
        return at_samples(n, 1, [&](index_t i, index_t) {
            double want = 0;
            for (index_t k = 0; k < n; ++k)
                want += static_cast<double>(axis == 0 ? x.at(k, i) : x.at(i, k));
            return near(at(i), want, 64);
        });
    };
    return c;
}
float of_output(index_t i) { return output().data()[i]; }

// Nothing that an earlier contestant wrote is left.
void forget() { output() = 9.f; }

void enter_transpose() {
    enter("transpose/add/felt", [] {
        forget();
        auto const x = input('r').view();
        return timed_transpose([x] { felt::noalias(output()) = x + felt::transpose(x); },
                               of_output);
    });
    enter("transpose/add/xtensor", [] {
        auto const peer = xtensor::add_transpose(input('r').memory.data(), n);
        return timed_transpose(peer.run, peer.at);
    });
    enter("transpose/add/eigen", [] {
        forget();
        float const* const x = input('r').memory.data();
        return timed_transpose(eigen::add_transpose(x, output().data(), n), of_output);
    });
}

template <int Axis>
void enter_our_sum(char order) {
    enter("sum/" + std::to_string(Axis) + order + "/felt", [=] {
        forget();
        auto const x = input(order).view();
        auto const y = felt::view(output().data(), {n});
        return timed_sum([=] { felt::noalias(felt::view(y)) = felt::sum<Axis>(x); }, of_output,
                         Axis, order);
    });
}

void enter_peer_sums(int axis) {
    std::string const name = "sum/" + std::to_string(axis) + "r";
    enter(name + "/xtensor", [=] {
        auto const peer = xtensor::sum(input('r').memory.data(), n, n, axis);
        return timed_sum(peer.run, peer.at, axis, 'r');
    });
    enter(name + "/eigen", [=] {
        forget();
        float const* const x = input('r').memory.data();
        return timed_sum(eigen::sum(x, output().data(), n, n, axis), of_output, axis, 'r');
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_transpose();
        for (char order : {'r', 'c'}) {
            enter_our_sum<0>(order);
            enter_our_sum<1>(order);
        }
        for (int axis : {0, 1}) enter_peer_sums(axis);
    });
}
