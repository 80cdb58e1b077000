// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/files.hpp>
#include <doctest/doctest.h>

namespace {

void write_gzip(test::fs::path const& file, std::string const& bytes) {
    gzFile f = gzopen(file.c_str(), "wb");
    REQUIRE(gzwrite(f, bytes.data(), static_cast<unsigned>(bytes.size())) ==
            static_cast<int>(bytes.size()));
    gzclose(f);
}

std::string text_of(test::fs::path const& file) {
    auto const bytes = support::read_file(file);
    return {bytes.begin(), bytes.end()};
}

std::string long_text() {
    std::string text;
    for (int i = 0; i < 400000; ++i) text += std::to_string(i % 1000 * 7919 % 1000);
    return text;
}

}  // namespace

TEST_CASE("a file is read as it is, a gzipped one unpacked") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "plain", std::string("a\0b\n", 4));
    CHECK(text_of(folder / "plain") == std::string("a\0b\n", 4));
    test::write_bytes(folder / "empty", "");
    CHECK(text_of(folder / "empty") == "");
    std::string const text = long_text();
    write_gzip(folder / "packed.gz", text);
    CHECK(test::fs::file_size(folder / "packed.gz") < text.size());
    CHECK(text_of(folder / "packed.gz") == text);
}

TEST_CASE("reading in pieces goes on where the last piece ended") {
    test::scratch_folder const folder;
    write_gzip(folder / "f.gz", "0123456789");
    support::byte_reader in(folder / "f.gz");
    CHECK(in.read(3) == std::vector<std::uint8_t>{'0', '1', '2'});
    CHECK(in.read(0).empty());
    CHECK(in.read(4) == std::vector<std::uint8_t>{'3', '4', '5', '6'});
    CHECK(in.read(100) == std::vector<std::uint8_t>{'7', '8', '9'});
    CHECK(in.read(1).empty());
}

TEST_CASE("a missing, cut or damaged file is named") {
    test::scratch_folder const folder;
    auto const read = [&](char const* name) {
        return test::message_of([&] { support::read_file(folder / name); });
    };
    CHECK(test::has(read("none"), "none: No such file"));
    CHECK(test::has(test::message_of([&] { support::read_file(folder.path); }), "is a folder"));
    write_gzip(folder / "f.gz", long_text());
    std::string const good = test::read_bytes(folder / "f.gz");
    test::write_bytes(folder / "f.gz", good.substr(0, good.size() / 2));
    CHECK(test::has(read("f.gz"), "f.gz: damaged, after byte "));
    test::write_bytes(folder / "f.gz", good.substr(0, good.size() - 3));
    CHECK(test::has(read("f.gz"), "f.gz: damaged, after byte "));
    std::string bytes = good;
    bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);  // in the checksum
    test::write_bytes(folder / "f.gz", bytes);
    CHECK(test::has(read("f.gz"), "incorrect data check"));
}

TEST_CASE("a written file replaces the old one whole, and nothing else is left") {
    test::scratch_folder const folder;
    support::write_file(folder / "f", "old and long");
    support::write_file(folder / "f", "new");
    CHECK(test::read_bytes(folder / "f") == "new");
    CHECK(folder.files() == 1);
}

TEST_CASE("what cannot be written is named, and the old file stays") {
    test::scratch_folder const folder;
    auto const write = [&](char const* name) {
        return test::message_of([&] { support::write_file(folder / name, "x"); });
    };
    CHECK(test::has(write("missing/f"), "missing/f: cannot be written: No such file"));
    test::write_bytes(folder / "taken/f", "old");
    CHECK(test::has(write("taken"), "taken: cannot be written: "));
    CHECK(test::read_bytes(folder / "taken/f") == "old");
    CHECK(folder.files() == 1);
}
