// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of numbers: the first byte of a file is a comment on how to read the rest.
#include <support/numbers.hpp>
#include <tests/fuzz/target.hpp>

namespace {

fuzz::files seeds() {
    return {"1,2.5,-3\n4e2, +5 ,.5\n", "case_id,a,b\nx,1,2\ny,3,4\r\n", " 1  2\t3\n4 5 6",
            "0\n2\n1\n"};
}

fuzz::target const table(
    "csv", [] { return fuzz::files{seeds()[0]}; },
    fuzz::file([](std::string const& file) { (void)support::read_numbers(file); }));
fuzz::target const headed(
    "csv_header", [] { return fuzz::files{seeds()[1]}; }, fuzz::file([](std::string const& file) {
        (void)support::read_numbers(file, {.header = true, .text = {"case_id"}});
    }));
fuzz::target const blanks(
    "csv_blanks", [] { return fuzz::files{seeds()[2]}; }, fuzz::file([](std::string const& file) {
        (void)support::read_numbers(file, {.separator = ' ', .columns = 3});
    }));
fuzz::target const labels(
    "labels", [] { return fuzz::files{seeds()[3]}; },
    fuzz::file([](std::string const& file) { (void)support::read_labels(file, 3); }));

}  // namespace
