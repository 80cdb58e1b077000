// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/images.hpp>
#include <doctest/doctest.h>

namespace {

std::string big_endian(std::uint32_t v) {
    return {static_cast<char>(v >> 24), static_cast<char>(v >> 16), static_cast<char>(v >> 8),
            static_cast<char>(v)};
}

// Two images of 2 x 3, elements 0 .. 11.
std::string two_images() {
    std::string bytes = big_endian(2051) + big_endian(2) + big_endian(2) + big_endian(3);
    for (char v = 0; v < 12; ++v) bytes += v;
    return bytes;
}

}  // namespace

TEST_CASE("an idx file has the extents and elements it says") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "i", two_images());
    auto const data = support::read_idx(folder / "i", 3);
    CHECK(data.extents == std::vector<std::size_t>{2, 2, 3});
    CHECK(data.values == std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    auto const first = support::read_idx(folder / "i", 3, 1);
    CHECK(first.extents == std::vector<std::size_t>{1, 2, 3});
    CHECK(first.values == std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5});
    CHECK(support::read_idx(folder / "i", 3, 5).extents[0] == 2);
}

TEST_CASE("a wrong idx file is named with what is wrong") {
    test::scratch_folder const folder;
    std::string const file = (folder / "i").string();
    auto const read = [&](std::string const& bytes, std::size_t rank) {
        test::write_bytes(file, bytes);
        return test::message_of([&] { support::read_idx(file, rank); });
    };
    CHECK(read(two_images(), 1) ==
          file + ": magic number 2051, expected 2049 (unsigned bytes, 1 extent)");
    CHECK(read(two_images() + "x", 3) == file + ": 12 and more bytes of elements, expected 12");
    CHECK(read(two_images().substr(0, 20), 3) == file + ": 4 bytes of elements, expected 12");
    CHECK(read(two_images().substr(0, 10), 3) == file + ": ends inside extent 1");
    CHECK(read("", 3) == file + ": ends inside the magic number");
    CHECK(read(big_endian(2051) + big_endian(9) + big_endian(~0u) + big_endian(~0u), 3) ==
          file + ": extent 1 is 4294967295");
    CHECK(read(big_endian(2049) + big_endian(~0u) + "abc", 1) ==
          file + ": 3 bytes of elements, expected 4294967295");
}

TEST_CASE("no beginning of an idx file is taken for the whole") {
    test::scratch_folder const folder;
    std::string const good = two_images();
    for (std::size_t n = 0; n < good.size(); ++n) {
        test::write_bytes(folder / "i", good.substr(0, n));
        CHECK(test::message_of([&] { support::read_idx(folder / "i", 3); }) != "");
    }
}

TEST_CASE("mnist is read from its files, and labels must be as many as images") {
    test::scratch_folder const folder;
    std::string const root = folder.path.string();
    test::write_bytes(folder / "mnist/train-images-idx3-ubyte", two_images());
    test::write_bytes(folder / "mnist/train-labels-idx1-ubyte",
                      big_endian(2049) + big_endian(2) + "\x07\x03");
    auto const set = support::load_digits(root, "train", 60000, 1);
    CHECK(set.count == 2);
    CHECK(set.rows == 2);
    CHECK(set.columns == 3);
    CHECK(set.labels == std::vector<std::uint8_t>{7, 3});
    CHECK(test::has(set.source, "train-images-idx3-ubyte"));
    auto const x = support::image_columns<double>(set);
    CHECK(x.size() == 12);
    CHECK(x[0] == 0);
    CHECK(x[1] == 6.0 / 255);  // pixel 0 of image 1
    CHECK(x[11] == 11.0 / 255);
    test::write_bytes(folder / "mnist/train-labels-idx1-ubyte",
                      big_endian(2049) + big_endian(1) + "\x07");
    CHECK(test::has(test::message_of([&] { support::load_digits(root, "train", 9, 1); }),
                    "1 labels for 2 images"));
    CHECK(test::has(test::message_of([&] { support::load_digits(root, "t10k", 9, 1); }),
                    "no t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (or .gz) in "));
}
