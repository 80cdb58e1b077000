// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/cifar.hpp>
#include <doctest/doctest.h>
#include <cstdlib>

namespace {

// Image i shows labels[i]; its pixel p is i + p modulo 256.
std::string images(std::vector<int> const& labels) {
    std::string bytes;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        bytes += static_cast<char>(labels[i]);
        for (std::size_t p = 0; p < 3072; ++p) bytes += static_cast<char>(i + p);
    }
    return bytes;
}

struct no_data {
    test::scratch_folder folder;
    no_data() { setenv("FELT_DATA", folder.path.c_str(), 1); }
    ~no_data() { unsetenv("FELT_DATA"); }
};

}  // namespace

TEST_CASE("batches are read in order, as many images as are wanted") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "cifar10/data_batch_1.bin", images({3, 9}));
    test::write_bytes(folder / "cifar10/data_batch_2.bin", images({0, 1, 2}));
    test::write_bytes(folder / "cifar10/test_batch.bin", images({7}));
    std::string const root = folder.path.string();
    auto const all = support::load_colours(root, "train", 100, 1);
    CHECK(all.count == 5);
    CHECK(all.labels == std::vector<std::uint8_t>{3, 9, 0, 1, 2});
    CHECK(all.pixels.size() == 5 * 3072);
    CHECK(all.pixels[3072 + 5] == 6);
    CHECK(all.pixels[4 * 3072] == 2);
    auto const some = support::load_colours(root, "train", 3, 1);
    CHECK(some.labels == std::vector<std::uint8_t>{3, 9, 0});
    CHECK(support::load_colours(root, "train", 2, 1).count == 2);
    auto const test = support::load_colours(root, "test", 100, 1);
    CHECK(test.labels == std::vector<std::uint8_t>{7});
    CHECK(test::has(test.source, "test_batch.bin"));
}

TEST_CASE("parts of the set under other names are found, too") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "train_2.bin", images({5, 4}));
    test::write_bytes(folder / "test_1.bin", images({6}));
    std::string const root = folder.path.string();
    CHECK(support::load_colours(root, "train", 100, 1).count == 2);
    CHECK(support::load_colours(root, "test", 100, 1).labels[0] == 6);
}

TEST_CASE("a wrong file is named with the byte that is wrong") {
    test::scratch_folder const folder;
    std::string const file = (folder / "data_batch_1.bin").string();
    auto const message = [&](std::string const& bytes) {
        test::write_bytes(file, bytes);
        return test::message_of(
            [&] { support::load_colours(folder.path.string(), "train", 9, 1); });
    };
    CHECK(message(images({1, 2}).substr(0, 5000)) ==
          file + ": ends at byte 5000, inside image 1; an image has 3073");
    CHECK(message("") == file + ": ends at byte 0, inside image 0; an image has 3073");
    CHECK(message(images({1, 12})) == file + ": byte 3073 says that image 1 shows 12, not 0 .. 9");
    CHECK(message(images({1, 2})).empty());
}

TEST_CASE("a folder that is named and has no images is an error") {
    test::scratch_folder const folder;
    auto const message =
        test::message_of([&] { support::load_colours(folder.path.string(), "train", 9, 1); });
    CHECK(test::has(message, "no data_batch_*.bin or train*.bin"));
    CHECK(test::has(message, folder.path.string()));
}

TEST_CASE("without a folder there are shapes, the test's others than those to learn from") {
    no_data const nothing;
    auto const train = support::load_colours("", "train", 40, 1);
    auto const test = support::load_colours("", "test", 40, 1);
    CHECK(train.count == 40);
    CHECK(train.source == "generated shapes");
    CHECK(train.pixels != test.pixels);
}
