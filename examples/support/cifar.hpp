// SPDX-License-Identifier: BSD-3-Clause
//
// CIFAR-10's binary files, or shapes of our own making: per image one byte that says what it shows
// and 3072 of the pixels, 32 x 32 of red, then green, then blue.
#pragma once
#include <support/data.hpp>
#include <support/shapes.hpp>

namespace support {

// Appends the images of a file, until there are `count`.
inline void read_cifar(colour_set& to, fs::path const& file, std::size_t count) {
    std::size_t const record = 1 + to.size();
    auto const bytes = byte_reader(file).read((count - to.count) * record);
    if (bytes.empty() || bytes.size() % record != 0) {
        throw felt::io_error(file.string() + ": ends at byte " + std::to_string(bytes.size()) +
                             ", inside image " + std::to_string(bytes.size() / record) +
                             "; an image has " + std::to_string(record));
    }
    for (std::size_t at = 0; at < bytes.size(); at += record) {
        if (bytes[at] >= to.classes) {
            throw felt::io_error(file.string() + ": byte " + std::to_string(at) +
                                 " says that image " + std::to_string(at / record) + " shows " +
                                 std::to_string(bytes[at]) + ", not 0 .. 9");
        }
        to.labels.push_back(bytes[at]);
        auto const pixels = bytes.begin() + static_cast<std::ptrdiff_t>(at) + 1;
        to.pixels.insert(to.pixels.end(), pixels, pixels + static_cast<std::ptrdiff_t>(to.size()));
        ++to.count;
    }
}

// The files of a folder that begin so and end in .bin, by name.
inline std::vector<fs::path> binary_files(fs::path const& folder, std::string const& begin) {
    std::vector<fs::path> files;
    std::error_code none;
    for (auto const& entry : fs::directory_iterator(folder, none)) {
        if (entry.path().filename().string().starts_with(begin) &&
            entry.path().extension() == ".bin" && entry.is_regular_file()) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

// CIFAR-10's "train" or "test" images, at most `count`, from the first folder that has some: from
// data_batch_*.bin or test_batch.bin, or from files train*.bin or test*.bin.
inline std::optional<colour_set> find_cifar(std::string const& option, std::string const& part,
                                            std::size_t count) {
    auto folders = data_folders(option, "cifar10");
    for (fs::path const& folder : data_folders(option, "cifar-10-batches-bin")) {
        folders.push_back(folder);
    }
    for (fs::path const& folder : folders) {
        auto files = binary_files(folder, part == "train" ? "data_batch_" : "test_batch");
        if (files.empty()) files = binary_files(folder, part);
        if (files.empty()) continue;
        colour_set set;
        set.source = files.size() == 1 ? files[0].string() : (folder / (part + " files")).string();
        for (fs::path const& file : files) {
            if (set.count < count) read_cifar(set, file, count);
        }
        return set;
    }
    if (option.empty()) return std::nullopt;
    throw felt::io_error("no " + std::string(part == "train" ? "data_batch_*" : "test_batch") +
                         ".bin or " + part + "*.bin (CIFAR-10's binary files) in " +
                         joined(folders));
}

// CIFAR-10 or, without it, generated shapes; `part` "test" gives others than "train".
inline colour_set load_colours(std::string const& option, std::string const& part,
                               std::size_t count, std::uint64_t seed) {
    if (auto found = find_cifar(option, part, count)) return std::move(*found);
    return generated_shapes(std::min<std::size_t>(count, part == "train" ? 50000 : 10000),
                            seed ^ (part == "train" ? 0 : 0x746573746b3031));
}

}  // namespace support
