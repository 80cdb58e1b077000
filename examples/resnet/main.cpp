// SPDX-License-Identifier: BSD-3-Clause
//
// Trains a residual network on small pictures, shows how it learns, and measures what fusion was
// worth.
#include <resnet/options.hpp>

int main(int argc, char** argv) {
    auto c = resnet::read_command(argc, argv);
    if (c.status) return *c.status;
    return support::guarded("felt_resnet", c.what, [&] {
        support::of_one_rank(c.what, "--imagenet", c.what.imagenet);
        support::of_one_rank(c.what, "--features", !c.what.features.empty());
        bool const trains = !c.what.imagenet && c.what.features.empty();
        if (c.what.profile && !trains) throw felt::error("--profile is of training runs");
        if (c.what.check) return resnet::check(c.what);
        if (!c.what.features.empty()) return resnet::features(c.what);
        return c.what.imagenet ? resnet::throughput(c.what) : resnet::train(c.what);
    });
}
