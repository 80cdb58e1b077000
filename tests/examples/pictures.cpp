// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/mosaic.hpp>
#include <support/patches.hpp>
#include <doctest/doctest.h>

using bytes = std::vector<std::uint8_t>;

TEST_CASE("a picture comes back from its png file") {
    test::scratch_folder const folder;
    support::picture p{5, 3, {}};
    for (int i = 0; i < 15; ++i) p.pixels.push_back(static_cast<std::uint8_t>(17 * i));
    support::write_png(folder / "p.png", p);
    auto const q = support::read_png(folder / "p.png");
    CHECK(q.width == 5);
    CHECK(q.height == 3);
    CHECK(q.pixels == p.pixels);
}

TEST_CASE("what is no png is named; a damaged one is an error or a picture, never a crash") {
    test::scratch_folder const folder;
    auto const read = [&] {
        return test::message_of([&] { support::read_png(folder / "p.png"); });
    };
    test::write_bytes(folder / "p.png", "not a picture");
    CHECK(test::has(read(), "p.png: no PNG picture: "));
    test::write_bytes(folder / "p.png", "");
    CHECK(test::has(read(), "p.png: no PNG picture: "));
    support::write_png(folder / "p.png", support::generated_scene(1, 1, 24));
    std::string const good = test::read_bytes(folder / "p.png");
    CHECK(read() == "");
    test::write_bytes(folder / "p.png", good.substr(0, good.size() / 2));
    CHECK(read() != "");
    for (std::size_t n = 0; n < good.size(); n += 3) {
        test::write_bytes(folder / "p.png", good.substr(0, n));
        CHECK_NOTHROW(read());
        std::string changed = good;
        changed[n] = static_cast<char>(changed[n] ^ 0x55);
        test::write_bytes(folder / "p.png", changed);
        CHECK_NOTHROW(read());
    }
}

TEST_CASE("a picture larger than its file can hold is refused before there is memory for it") {
    test::scratch_folder const folder;
    std::string const file = (folder / "p.png").string();
    auto const read = [&](std::string const& content) {
        test::write_bytes(file, content);
        return test::message_of([&] { support::read_colours(file); });
    };
    support::write_png(file, {1, 1, {7}});
    std::string const good = test::read_bytes(file);
    std::string wide = good;
    wide[17] = wide[22] = 1;  // of width and height, bytes 16 .. 19 and 20 .. 23
    CHECK(read(wide) ==
          file + ": 65537 x 257 pixels cannot be in " + std::to_string(good.size()) + " bytes");
    std::string long_chunk = good;
    long_chunk[33] = 0x20;  // the length of the pixels, behind 25 bytes of header
    CHECK(test::has(read(long_chunk), "p.png: byte 33 begins a chunk of 53687"));
    CHECK(read(good) == "");
}

TEST_CASE("JPEG tables of more than 256 codes, and scans without end, are named") {
    test::scratch_folder const folder;
    std::string const file = (folder / "p.jpg").string();
    auto const read = [&](std::string const& content) {
        test::write_bytes(file, content);
        return test::message_of([&] { support::read_colours(file); });
    };
    std::string const begin = "\xff\xd8", table("\xff\xc4\x01\x53\0", 5);
    CHECK(read(begin + table + std::string(16, '\x14')) ==
          file + ": byte 6 begins a table of 320 Huffman codes, at most 256 can be");
    CHECK(read("\xff" + begin + table + std::string(16, '\x14')) ==
          file + ": byte 7 begins a table of 320 Huffman codes, at most 256 can be");
    std::string scans = begin;
    for (int i = 0; i < 501; ++i) scans += std::string("\xff\xda\0\x02\xff\0", 6);
    CHECK(read(scans) ==
          file + ": byte 3004 begins scan 501 of a JPEG picture, at most 500 are read");
    CHECK(test::has(read(begin), "no PNG or JPEG picture"));
}

TEST_CASE("a tile's mean is grey and its farthest value black or white") {
    std::vector<double> const w = {1, 3, 5, 3};
    CHECK(support::tile(std::span(w), 2).pixels == bytes{0, 127, 255, 127});
    std::vector<float> const shifted = {-1e6f, -1e6f, -1e6f, -1e6f};
    CHECK(support::tile(std::span(shifted), 2).pixels == bytes{127, 127, 127, 127});
}

TEST_CASE("a mosaic has lines of one pixel between its tiles, and is enlarged") {
    std::vector<float> const w = {-1, 1, 1, -1, 2, -2};  // three filters of 1 x 2
    auto const p = support::mosaic(std::span<float const>(w), 1, 2);
    std::size_t const scale = 800 / 7;
    CHECK(p.width == 7 * scale);
    CHECK(p.height == 5 * scale);
    bytes small;
    for (std::size_t i = 0; i < 5; ++i) {
        for (std::size_t j = 0; j < 7; ++j) {
            small.push_back(p.pixels[(i * scale + scale / 2) * p.width + j * scale + scale - 1]);
        }
    }
    // clang-format off
    CHECK(small == bytes{0, 0,   0,   0, 0,   0, 0,
                         0, 0,   255, 0, 255, 0, 0,
                         0, 0,   0,   0, 0,   0, 0,
                         0, 255, 0,   0, 0,   0, 0,
                         0, 0,   0,   0, 0,   0, 0});
    // clang-format on
}

TEST_CASE("patches are cut where the picture says, offsets of rows and columns independent") {
    support::picture p{20, 12, {}};
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 20; ++j) p.pixels.push_back(static_cast<std::uint8_t>(20 * i + j));
    }
    std::size_t const n = 500;
    auto const x = support::sample_patches<double>({&p, 1}, n, 8, 3);
    std::vector<int> seen(240, 0);
    for (std::size_t k = 0; k < n; ++k) {
        int const corner = static_cast<int>(x[k] * 255 + 0.5);
        ++seen.at(static_cast<std::size_t>(corner));
        for (std::size_t q = 0; q < 64; ++q) {
            int const pixel = corner + static_cast<int>(q / 8 * 20 + q % 8);
            REQUIRE(x[q * n + k] == pixel / 255.0);
        }
    }
    int places = 0;
    for (int i = 0; i < 12; ++i) {
        for (int j = 0; j < 20; ++j) {
            bool const inside = i <= 4 && j <= 12;
            int const hits = seen[static_cast<std::size_t>(20 * i + j)];
            CHECK((hits == 0 || inside));
            places += hits > 0;
        }
    }
    CHECK(places == 65);
    CHECK(support::sample_patches<double>({&p, 1}, n, 8, 3) == x);
    CHECK(support::sample_patches<double>({&p, 1}, n, 8, 4) != x);
    CHECK(test::has(test::message_of([&] { support::sample_patches<float>({&p, 1}, 1, 13, 1); }),
                    "20 x 12 is smaller than a patch"));
}

TEST_CASE("patches are normalised by their own mean and the deviation of all") {
    // Two patches of two pixels: (1, 3) and (10, 10), as columns.
    std::vector<double> x = {1, 10, 3, 10};
    support::normalise_patches(std::span(x), 2);
    double const limit = 3 * std::sqrt(2.0 / 3);  // of -1, 0, 1, 0 with n - 1
    CHECK(x[0] == doctest::Approx(0.4 * (-1 / limit + 1) + 0.1));
    CHECK(x[1] == doctest::Approx(0.5));
    CHECK(x[2] == doctest::Approx(0.4 * (1 / limit + 1) + 0.1));
    std::vector<float> spike(1000, 0.5f);
    spike[7] = 1000;
    support::normalise_patches(std::span(spike), 100);
    CHECK(spike[7] == 0.9f);
    std::vector<float> flat(64, 0.25f);
    support::normalise_patches(std::span(flat), 1);
    CHECK(flat == std::vector<float>(64, 0.5f));
}

TEST_CASE("generated pictures have contrast at all scales, falling as in photographs") {
    auto const p = support::generated_scene(1, 0);
    CHECK(p.pixels.size() == 512 * 512);
    CHECK(support::generated_scene(1, 0).pixels == p.pixels);
    CHECK(support::generated_scene(1, 1).pixels != p.pixels);
    auto const difference = [&](std::size_t step) {
        double sum = 0;
        for (std::size_t i = 0; i < 512; ++i) {
            for (std::size_t j = 0; j + step < 512; ++j) {
                double const d = p.pixels[i * 512 + j + step] - p.pixels[i * 512 + j];
                sum += d * d;
            }
        }
        return std::sqrt(sum / 512 / static_cast<double>(512 - step));
    };
    CHECK(difference(1) > 5);
    CHECK(difference(4) > 1.5 * difference(1));
    CHECK(difference(16) > 1.2 * difference(4));
}

TEST_CASE("pictures come from the folder, or are generated if none was named") {
    test::scratch_folder const folder;
    test::fs::create_directories(folder / "images");
    support::write_png(folder / "images/b.png", {1, 1, {7}});
    support::write_png(folder / "images/a.png", {2, 1, {8, 9}});
    auto const found = support::load_pictures(folder.path.string(), 1);
    REQUIRE(found.pictures.size() == 2);
    CHECK(found.pictures[0].pixels == bytes{8, 9});
    CHECK(found.pictures[1].pixels == bytes{7});
    CHECK(found.source == (folder / "images").string());
    test::scratch_folder const empty;
    CHECK(test::has(test::message_of([&] { support::load_pictures(empty.path.string(), 1); }),
                    "no pictures (*.png) in "));
    setenv("FELT_DATA", empty.path.c_str(), 1);
    CHECK(support::load_pictures("", 1, 1).source == "generated pictures");
    unsetenv("FELT_DATA");
}
