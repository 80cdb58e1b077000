// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of this example.
#pragma once
#include <cnn/job.hpp>
#include <support/options.hpp>

namespace cnn {

using command = support::command<job>;

inline void add_options(CLI::App& app, job& j) {
    using namespace support;
    add_name(app, "--network", j.network, {"study", "trial", "softmax"},
             "study (the default), trial or softmax");
    add_count(app, "--epochs", j.epochs,
              "how often all images are seen; the default suits the network");
    add_count(app, "--batch", j.batch, "images in a step");
    add_count(app, "--filters", j.filters, "of the study's network; default 20");
    add_count(app, "--images", j.images, "train on the first N images");
    add_file(app, "--init-filters", j.init_filters,
             "start from features that the autoencoder learned (.npz or .npy)");
    app.add_flag("--int8", j.int8, "of --network trial: compare with weights of 8 bits at the end");
}

inline command read_command(int argc, char const* const* argv) {
    CLI::App app{
        "Trains a network on digits and tests it on others.\n"
        "Without --data, --images, --epochs and -n this is a short run on 8,000 images."};
    command c;
    job& j = c.what;
    support::add_options(
        app, j, "cnn",
        {{"felt_cnn", "one convolution of 20 filters, mean pool, softmax: a short run"},
         {"felt_cnn --data DIR", "the same on all of MNIST in DIR or DIR/mnist, 3 epochs"},
         {"felt_cnn --network trial --data DIR", "two convolutions, two dense layers, dropout"},
         {"felt_cnn --save s.npz -n 50", "stop after 50 steps; then --resume s.npz goes on"},
         {"felt_cnn --init-filters F.npz", "start from what felt_ae --setting filters learned"}});
    add_options(app, j);
    c.status = support::parse(app, argc, argv);
    bool const all = !j.data.empty() || j.images > 0 || j.epochs > 0 || j.iterations > 0;
    if (!all && j.resume.empty()) j.images = 8000;
    return c;
}

}  // namespace cnn
