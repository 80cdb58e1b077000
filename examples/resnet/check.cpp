// SPDX-License-Identifier: BSD-3-Clause
//
// --check: the gradients of small nets, in double. Nothing else is, so its loops are compiled here.
#include <resnet/check.hpp>
#include <resnet/job.hpp>
#include <resnet/learner.hpp>
#include <cstdio>

int resnet::check(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    at.threads(j.threads);
    struct net {
        char const* name;
        shape of;
    };
    shape padded = cifar(8), projected = padded, bottleneck = padded;
    padded.side = 8, padded.width = 2, padded.classes = 3;
    projected = bottleneck = padded;
    projected.change = bottleneck.change = shortcut::projected;
    bottleneck.bottleneck = bottleneck.large_images = true;
    bottleneck.side = 16, bottleneck.blocks = {1, 1};
    double const limit = 1e-6;
    bool right = true;
    std::printf("|numerical - own| / |numerical + own| of gradients, in double\n");
    for (net const& n : {net{"basic blocks, padded shortcuts", padded},
                         net{"basic blocks, projected shortcuts", projected},
                         net{"bottlenecks, projected shortcuts, large images", bottleneck}}) {
        double const error = gradient_error(felt::fused, n.of, 3, 1);
        std::printf("%-48s %.3g, %s %.0e\n", n.name, error, error < limit ? "below" : "NOT BELOW",
                    limit);
        right = right && error < limit;
    }
    return right ? 0 : 1;
}
