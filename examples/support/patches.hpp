// SPDX-License-Identifier: BSD-3-Clause
//
// Square patches from random places of random pictures, as columns: element (p, i) of size^2 x n
// is pixel p of patch i. Normalised as in the UFLDL tutorial, so that a sigmoid can reach them:
//
//   x -= mean of the patch,  x = clip(x, -3 s, 3 s),  x = 0.4 (x / (3 s) + 1) + 0.1
//
// with s the standard deviation of all elements of all patches.
#pragma once
#include <support/data.hpp>
#include <support/random.hpp>
#include <support/scenes.hpp>
#include <span>

namespace support {

struct picture_set {
    std::vector<picture> pictures;
    std::string source;  // a folder, or "generated pictures"
};

// Every PNG of the data folder or its subfolder images/, in the order of their names.
inline std::optional<picture_set> find_pictures(std::string const& option) {
    auto const folders = data_folders(option, "images");
    for (fs::path const& folder : folders) {
        std::vector<fs::path> files;
        std::error_code none;
        for (auto const& entry : fs::directory_iterator(folder, none)) {
            if (entry.path().extension() == ".png") files.push_back(entry.path());
        }
        if (files.empty()) continue;
        std::sort(files.begin(), files.end());
        picture_set set{{}, folder.string()};
        for (fs::path const& file : files) set.pictures.push_back(read_png(file));
        return set;
    }
    if (option.empty()) return std::nullopt;
    throw felt::io_error("no pictures (*.png) in " + joined(folders));
}

inline picture_set load_pictures(std::string const& option, std::uint64_t seed,
                                 std::size_t count = 10) {
    if (auto found = find_pictures(option)) return std::move(*found);
    picture_set set{{}, "generated pictures"};
    for (std::size_t i = 0; i < count; ++i) set.pictures.push_back(generated_scene(seed, i));
    return set;
}

// Not normalised: values in [0, 1]. Row and column offsets are independent.
template <class T>
std::vector<T> sample_patches(std::span<picture const> pictures, std::size_t count,
                              std::size_t size, std::uint64_t seed) {
    std::vector<T> x(size * size * count);
    random_stream r{seed};
    for (picture const& p : pictures) {
        if (p.width < size || p.height < size) {
            throw felt::io_error("a picture of " + std::to_string(p.width) + " x " +
                                 std::to_string(p.height) + " is smaller than a patch");
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        picture const& p = pictures[r.below(pictures.size())];
        std::size_t const row = r.below(p.height - size + 1);
        std::size_t const column = r.below(p.width - size + 1);
        for (std::size_t k = 0; k < size * size; ++k) {
            std::size_t const at = (row + k / size) * p.width + column + k % size;
            x[k * count + i] = static_cast<T>(p.pixels[at]) / T(255);
        }
    }
    return x;
}

// In place; x is pixels x count.
template <class T>
void normalise_patches(std::span<T> x, std::size_t count) {
    std::size_t const pixels = x.size() / count;
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double mean = 0;
        for (std::size_t p = 0; p < pixels; ++p) mean += static_cast<double>(x[p * count + i]);
        mean /= static_cast<double>(pixels);
        for (std::size_t p = 0; p < pixels; ++p) {
            T& v = x[p * count + i];
            v = static_cast<T>(static_cast<double>(v) - mean);
            squares += static_cast<double>(v) * static_cast<double>(v);
        }
    }
    double const limit = 3 * std::sqrt(squares / (static_cast<double>(x.size()) - 1));
    for (T& v : x) {
        double const u = limit > 0 ? std::clamp(static_cast<double>(v) / limit, -1.0, 1.0) : 0;
        v = static_cast<T>(0.4 * (u + 1) + 0.1);
    }
}

}  // namespace support
