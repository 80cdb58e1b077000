// SPDX-License-Identifier: BSD-3-Clause
//
// What a network learns from: samples with labels or with values; without either it learns to
// give what it was shown.
#pragma once
#include <felt/felt.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace networks {

using felt::index_t;

struct samples {
    std::vector<index_t> extents;     // of one, as the network reads it: {features} or {c, h, w}
    felt::Tensor<float, 2> x;         // a sample a row; an image as (h, w, c)
    felt::Tensor<index_t, 1> labels;  // (samples), or none
    felt::Tensor<float, 2> values;    // (samples, outputs), or none
    index_t classes = 0;

    index_t count() const { return x.extent(0); }
    felt::Tensor<float, 2> const& targets() const { return values.size() > 0 ? values : x; }
};
struct data_set {
    samples train, test;
    std::string source;  // a file, or "generated .."
};

// At most so many to learn from and to test by; 0: all there are.
struct amount {
    index_t train = 0, test = 0;

    index_t train_of(index_t all) const { return train > 0 && train < all ? train : all; }
    index_t test_of(index_t all) const { return test > 0 && test < all ? test : all; }
};

// From `data` (--data DIR; else $FELT_DATA, ./data) if the set is there, else generated. Throws
// felt::io_error that names the file and the place in it that is wrong.
data_set mnist(std::string const& data, amount const& n, std::uint64_t seed);
// The middle 20 x 20 pixels by means of 2 x 2, as 100 values in a row.
data_set small_mnist(std::string const& data, amount const& n, std::uint64_t seed);
data_set cifar10(std::string const& data, amount const& n, std::uint64_t seed);
// UCI's yacht_hydrodynamics.data: six measures of a hull and its speed, and the resistance, each in
// [-1, 1].
data_set yacht_hulls(std::string const& data, std::uint64_t seed);

// A permutation of 0 .. n-1 that follows from seed and epoch.
std::vector<index_t> shuffled(index_t n, std::uint64_t seed, std::uint64_t epoch);

}  // namespace networks
