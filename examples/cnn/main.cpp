// SPDX-License-Identifier: BSD-3-Clause
//
// Trains a convolutional network on digits, shows what it learned, and measures what fusion was
// worth.
#include <cnn/options.hpp>

int main(int argc, char** argv) {
    auto c = cnn::read_command(argc, argv);
    if (c.status) return *c.status;
    return support::guarded("felt_cnn", c.what,
                            [&] { return c.what.check ? cnn::check(c.what) : cnn::train(c.what); });
}
