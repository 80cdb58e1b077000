// SPDX-License-Identifier: BSD-3-Clause
//
// Somebody else who computes a statement, and operands for both.
#pragma once
#include <felt/felt.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using felt::index_t;

// Who computes the same: the statement, and element i of its result afterwards, row by row.
struct peer {
    std::string name;
    std::function<void()> run;
    std::function<float(index_t)> at;
};
using peers = std::vector<peer>;
inline constexpr char const* peer_names[] = {"Eigen", "xtensor", "OpenBLAS", "oneDNN"};

template <std::size_t R>
auto random(felt::extent_arg const (&e)[R], std::uint64_t seed = 1) {
    felt::Tensor<float, R> x(e);
    x = felt::normal<float>(x.extents(), seed);
    return x;
}

// Whether a peer has computed y, as far as every 7th element tells.
template <class Y>
bool has(peer const& p, Y const& y) {
    for (index_t i = 0; i < y.size(); i += 7) {
        double const x = static_cast<double>(y.data()[i]), d = static_cast<double>(p.at(i)) - x;
        if (!(std::abs(d) <= 1e-3 * (1 + std::abs(x)))) return false;
    }
    return true;
}

}  // namespace bench
