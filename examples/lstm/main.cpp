// SPDX-License-Identifier: BSD-3-Clause
//
// Trains a recurrent language model, lets it write, and measures what fusion was worth.
#include <lstm/options.hpp>

int main(int argc, char** argv) {
    auto c = lstm::read_command(argc, argv);
    if (c.status) return *c.status;
    return support::guarded("felt_lstm", c.what, [&] {
        if (c.what.check) return lstm::check(c.what);
        support::of_one_rank(c.what, "--setting benchmark", c.what.setting == "benchmark");
        return c.what.setting == "benchmark" ? lstm::benchmark(c.what) : lstm::train(c.what);
    });
}
