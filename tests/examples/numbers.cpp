// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/numbers.hpp>
#include <doctest/doctest.h>

using floats = std::vector<float>;

namespace {

void write_gzipped(test::fs::path const& file, std::string const& bytes) {
    gzFile const to = gzopen(file.c_str(), "wb");
    gzwrite(to, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(to);
}

struct one_file {
    test::scratch_folder folder;
    std::string file = (folder / "t.csv").string();

    support::number_table read(std::string const& bytes, support::numbers_format const& as = {}) {
        test::write_bytes(file, bytes);
        return support::read_numbers(file, as);
    }
    std::string message(std::string const& bytes, support::numbers_format const& as = {}) {
        return test::message_of([&] { read(bytes, as); });
    }
};

}  // namespace

TEST_CASE("a table has the rows and columns of its lines") {
    one_file f;
    auto const t = f.read("1,2.5,-3\n4e2, +5 ,.5\n");
    CHECK(t.rows == 2);
    CHECK(t.columns == 3);
    CHECK(t.values == floats{1, 2.5, -3, 400, 5, .5});
    CHECK(f.read("7\r\n8\r\n\n9").values == floats{7, 8, 9});
    CHECK(f.read("  1   2\n3\t4  \n", {.separator = ' '}).values == floats{1, 2, 3, 4});
    CHECK(f.read("1,2\n3,4\n5,6\n", {.at_most = 2}).rows == 2);
}

TEST_CASE("a header names columns, and those of text are left out") {
    one_file f;
    auto const t = f.read("case_id,g1,cancer_type,g2\nTCGA-1,0.5,brca,1.5\nTCGA-2,2,luad,3\n",
                          {.header = true, .text = {"case_id", "cancer_type"}});
    CHECK(t.names == std::vector<std::string>{"g1", "g2"});
    CHECK(t.values == floats{0.5, 1.5, 2, 3});
}

TEST_CASE("a gzipped table of several parts of the reader's memory is what it was") {
    test::scratch_folder const folder;
    std::string text;
    for (int k = 0; k < 400000; ++k) text += std::to_string(k) + (k % 4 == 3 ? "\n" : ",");
    write_gzipped(folder / "t.csv.gz", text);
    auto const t = support::read_numbers(folder / "t.csv.gz");
    REQUIRE(t.values.size() == 400000);
    CHECK(t.columns == 4);
    int wrong = 0;
    for (int k = 0; k < 400000; ++k)
        wrong += static_cast<int>(t.values[static_cast<std::size_t>(k)]) != k;
    CHECK(wrong == 0);
}

TEST_CASE("what is wrong is named with its line and column") {
    one_file f;
    CHECK(f.message("1,2\n3,x4\n") == f.file + ": line 2, column 2: 'x4' is no finite number");
    CHECK(f.message("1,2\n3,\n") == f.file + ": line 2, column 2: '' is no finite number");
    CHECK(f.message("1,nan\n") == f.file + ": line 1, column 2: 'nan' is no finite number");
    CHECK(f.message("1,1e99\n") == f.file + ": line 1, column 2: '1e99' is no finite number");
    CHECK(f.message("1,2\n\n3,4,5\n6,7\n") == f.file + ": line 3 has 3 columns, expected 2");
    CHECK(f.message("1,2\n3") ==
          f.file + ": line 2 has 1 columns, expected 2; the file ends within it");
    CHECK(f.message("1,2\n", {.columns = 3}) == f.file + ": line 1 has 2 columns, expected 3");
    CHECK(f.message("a,b\n1,2\n", {.header = true, .columns = 3}) ==
          f.file + ": line 1 names 2 columns of numbers, expected 3");
    CHECK(f.message("a,b\nx,2\n", {.header = true, .text = {"a"}}) == "");
    CHECK(f.message("a,b\nx,y\n", {.header = true, .text = {"a"}}) ==
          f.file + ": line 2, column 2: 'y' is no finite number");
    CHECK(f.message("a,b\n", {.header = true}) == f.file + ": no rows of numbers");
    CHECK(f.message("") == f.file + ": no rows of numbers");
}

TEST_CASE("labels are whole numbers below the number of classes") {
    test::scratch_folder const folder;
    auto const file = folder / "labels.csv";
    auto const message = [&](std::string const& bytes) {
        test::write_bytes(file, bytes);
        return test::message_of([&] { support::read_labels(file, 3); });
    };
    test::write_bytes(file, "0\n2\n\n1.0\n");
    CHECK(support::read_labels(file, 3) == std::vector<felt::index_t>{0, 2, 1});
    CHECK(message("0\n3\n") == file.string() + ": line 2, column 1: '3' is not one of 0 .. 2");
    CHECK(message("0\n\n-1\n") == file.string() + ": line 3, column 1: '-1' is not one of 0 .. 2");
    CHECK(message("0.5\n") == file.string() + ": line 1, column 1: '0.5' is not one of 0 .. 2");
    CHECK(message("one\n") == file.string() + ": line 1, column 1: 'one' is not one of 0 .. 2");
    CHECK(message("\n") == file.string() + ": no labels");
}
