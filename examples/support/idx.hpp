// SPDX-License-Identifier: BSD-3-Clause
//
// IDX, the format of MNIST, plain or gzipped:
//
//   0, 0, 8 (unsigned bytes), rank, rank extents (4 bytes each, most significant first), elements
#pragma once
#include <support/files.hpp>

namespace support {

struct idx_data {
    std::vector<std::size_t> extents;
    std::vector<std::uint8_t> values;
};

// Reads a file of `rank` extents: 3 for images (magic number 2051), 1 for labels (2049).
// With `at_most`, only that many of the first extent's items.
inline idx_data read_idx(fs::path const& file, std::size_t rank, std::size_t at_most = SIZE_MAX) {
    byte_reader in(file);
    auto const number = [&](std::string const& what) {
        auto const b = in.read(4);
        if (b.size() < 4) throw felt::io_error(file.string() + ": ends inside " + what);
        return ((b[0] * 256u + b[1]) * 256u + b[2]) * 256u + b[3];
    };
    std::uint32_t const magic = number("the magic number");
    if (magic != 2048 + rank) {
        throw felt::io_error(file.string() + ": magic number " + std::to_string(magic) +
                             ", expected " + std::to_string(2048 + rank) + " (unsigned bytes, " +
                             std::to_string(rank) + (rank == 1 ? " extent)" : " extents)"));
    }
    idx_data data;
    std::size_t item = 1;
    for (std::size_t r = 0; r < rank; ++r) {
        data.extents.push_back(number("extent " + std::to_string(r)));
        if (r > 0) item *= data.extents[r];
        if (item > (std::size_t{1} << 30)) {
            throw felt::io_error(file.string() + ": extent " + std::to_string(r) + " is " +
                                 std::to_string(data.extents[r]));
        }
    }
    bool const whole = data.extents[0] <= at_most;
    data.extents[0] = std::min(data.extents[0], at_most);
    std::size_t const expected = data.extents[0] * item;
    data.values = in.read(expected);
    if (data.values.size() != expected || (whole && !in.read(1).empty())) {
        throw felt::io_error(file.string() + ": " + std::to_string(data.values.size()) +
                             (data.values.size() < expected ? "" : " and more") +
                             " bytes of elements, expected " + std::to_string(expected));
    }
    return data;
}

}  // namespace support
