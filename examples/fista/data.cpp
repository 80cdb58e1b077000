// SPDX-License-Identifier: BSD-3-Clause
//
// Patches and first dictionaries. Reading pictures takes as long to compile as learning from them.
#include <fista/learn.hpp>
#include <support/features.hpp>

namespace fista {

template patches<float> load_patches<float>(setting const&, std::string const&, std::uint64_t);

namespace {

// Products of 11 cosines along each axis, those that wave without their mean: what one would take
// before anything is learned.
matrix_f cosines() {
    constexpr index_t waves = 11;
    matrix_f one({side, waves}), W({pixels, atoms});
    for (index_t k = 0; k < waves; ++k) {
        double mean = 0;
        auto const at = [&](index_t i) {
            return std::cos(3.14159265358979 * static_cast<double>(k * (2 * i + 1)) / (2 * waves));
        };
        for (index_t i = 0; i < side; ++i) mean += k > 0 ? at(i) / double(side) : 0;
        for (index_t i = 0; i < side; ++i) one(i, k) = static_cast<float>(at(i) - mean);
    }
    W = kron(one, one);
    W = W / sqrt(felt::sum<0>(square(W), felt::keepdims));
    return W;
}

matrix_f load_dictionary(support::fs::path const& file) {
    matrix_f W({pixels, atoms});
    if (file.extension() == ".npz") {
        felt::load_npz(file.string()).get("W", W);
        return W;
    }
    auto const rows = support::load_features(file);
    if (rows.count != atoms || rows.size != pixels) {
        throw felt::io_error(file.string() + ": is (" + std::to_string(rows.count) + ", " +
                             std::to_string(rows.size) + "), not (121, 64)");
    }
    W = transpose(felt::view(rows.values.data(), {atoms, pixels}));
    return W;
}

}  // namespace

first_dictionary begin_with(setting const& s, std::string const& file, std::string const& data,
                            std::uint64_t seed) {
    if (!file.empty()) return {load_dictionary(file), file};
    if (s.rounds > 0) return {random_dictionary<float>(pixels, atoms, seed), "random numbers"};
    for (auto const& folder : support::data_folders(data, "sparse_coding")) {
        if (auto const found = support::find_file(folder, "dictionary_64x121.npy")) {
            return {load_dictionary(*found), found->string()};
        }
    }
    return {cosines(), "cosines"};
}

}  // namespace fista
