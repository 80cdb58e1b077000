// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/machine.hpp>
#include <support/progress.hpp>
#include <support/table.hpp>
#include <doctest/doctest.h>
#include <sstream>

using support::progress;

TEST_CASE("numbers have three digits and a fitting unit") {
    CHECK(support::three_digits(0) == "0");
    CHECK(support::three_digits(0.001234) == "0.00123");
    CHECK(support::three_digits(1.234) == "1.23");
    CHECK(support::three_digits(9.999) == "10.0");
    CHECK(support::three_digits(-12.34) == "-12.3");
    CHECK(support::three_digits(12345.6) == "12346");
    CHECK(support::duration(0.00085) == "850 us");
    CHECK(support::duration(0.003214) == "3.21 ms");
    CHECK(support::duration(41) == "41.0 s");
    CHECK(support::duration(125) == "2 min 05 s");
    CHECK(support::duration(3780) == "1 h 03 min");
    CHECK(support::byte_size(512) == "512 B");
    CHECK(support::byte_size(3.21 * 1024 * 1024) == "3.21 MiB");
    CHECK(support::byte_size(5e15) == "4547 TiB");
}

TEST_CASE("a table is aligned: text left, numbers right") {
    support::table t({{"per step"}, {"time", "ms"}, {"peak", "MiB"}});
    t.row({"fused", "3.2", "31"});
    t.row({"unfused", "12.25", "1031"});
    std::ostringstream out;
    t.print(out);
    CHECK(out.str() ==
          "per step    time   peak\n"
          "              ms    MiB\n"
          "fused        3.2     31\n"
          "unfused    12.25   1031\n");
    std::ostringstream plain;
    support::table({{"a"}, {"b"}}).print(plain);
    CHECK(plain.str() == "a   b\n");
}

TEST_CASE("without a terminal progress is about twenty lines, the last among them") {
    std::ostringstream out;
    {
        progress p(400, progress::style::lines, 0, out);
        for (std::size_t i = 1; i <= 400; ++i) p.show(i, {{"cost", 1.0 / static_cast<double>(i)}});
    }
    std::string const text = out.str();
    CHECK(std::count(text.begin(), text.end(), '\n') == 20);
    CHECK(test::has(text, " 20/400   cost 0.05000    "));
    CHECK(test::has(text, " left\n"));
    CHECK(test::has(text, "400/400   cost 0.002500"));
    CHECK_FALSE(test::has(text, "\r"));
}

TEST_CASE("a loop that ends early shows where it was") {
    std::ostringstream out;
    {
        progress p(400, progress::style::lines, 0, out);
        for (std::size_t i = 1; i <= 27; ++i) p.show(i, {});
    }
    CHECK(test::has(out.str(), " 27/400"));
}

TEST_CASE("on a terminal progress is one line, drawn again") {
    std::ostringstream out;
    {
        progress p(10, progress::style::bar, 0, out);
        for (std::size_t i = 1; i <= 10; ++i) p.show(i, {});
    }
    std::string const text = out.str();
    CHECK(test::has(text, "\r[##..................]  1/10"));
    CHECK(test::has(text, "\r[####################] 10/10"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 1);
    CHECK(text.back() == '\n');
    CHECK(std::count(text.begin(), text.end(), '\r') < 6);  // ten times a second at most
}

TEST_CASE("quiet progress says nothing") {
    std::ostringstream out;
    progress p(2, progress::fitting(true), 0, out);
    p.show(1, {{"cost", 1}});
    p.show(2, {{"cost", 1}});
    p.finish();
    CHECK(out.str() == "");
}

TEST_CASE("the instruction set is named and peak memory is what was touched") {
    CHECK(test::has(support::instruction_set(), " floats a vector"));
    auto const before = support::peak_memory();
    CHECK(before > 1000000);
    std::vector<char> const block(static_cast<std::size_t>(before) + 50000000, 1);
    CHECK(support::peak_memory() > before + 40000000);
    CHECK(block.back() == 1);
}
