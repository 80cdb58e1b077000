// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of this example.
#pragma once
#include <cnn/job.hpp>
#include <support/options.hpp>

namespace cnn {

struct command {
    job what;
    bool check = false;
    std::optional<int> status;  // to exit with at once
};

inline void add_options(CLI::App& app, job& j) {
    auto const one_of = [&](char const* name, std::string& to, std::vector<std::string> names,
                            char const* text) {
        app.add_option(name, to, text)
            ->check(CLI::IsMember(std::move(names)).description(""))
            ->type_name("NAME");
    };
    auto const count = [&](char const* name, int& to, char const* text) {
        app.add_option(name, to, text)->type_name("N")->check(CLI::PositiveNumber.description(""));
    };
    one_of("--network", j.network, {"study", "trial", "softmax"},
           "study (the default), trial or softmax");
    one_of("--layout", j.layout, {"rows", "channels-last"},
           "of features in memory: rows or channels-last; the default suits the network");
    count("--epochs", j.epochs, "how often all images are seen; the default suits the network");
    count("--batch", j.batch, "images in a step");
    count("--filters", j.filters, "of the study's network; default 20");
    count("--images", j.images, "train on the first N images");
    app.add_option("--init-filters", j.init_filters,
                   "start from features that the autoencoder learned (.npz or .npy)")
        ->type_name("FILE")
        ->check(CLI::ExistingFile.description(""));
}

inline command read_command(int argc, char const* const* argv) {
    CLI::App app{
        "Trains a network on digits and tests it on others.\n"
        "Without --data, --images, --epochs and -n this is a short run on 8,000 images."};
    support::options o;
    command c;
    support::add_options(
        app, o, "cnn",
        {{"felt_cnn", "one convolution of 20 filters, mean pool, softmax: a short run"},
         {"felt_cnn --data DIR", "the same on all of MNIST in DIR or DIR/mnist, 3 epochs"},
         {"felt_cnn --network trial --data DIR", "two convolutions, two dense layers, dropout"},
         {"felt_cnn --save s.npz -n 50", "stop after 50 steps; then --resume s.npz goes on"},
         {"felt_cnn --init-filters F.npz", "start from what felt_ae --setting filters learned"}});
    add_options(app, c.what);
    c.status = support::parse(app, argc, argv);
    job& j = c.what;
    j.data = o.data, j.out = o.out, j.save = o.save, j.resume = o.resume;
    j.seed = o.seed, j.threads = o.threads, j.iterations = o.iterations;
    j.force = o.force, j.quiet = o.quiet, j.profile = o.profile;
    j.out_given = app.count("--out") > 0;
    bool const all = !o.data.empty() || j.images > 0 || j.epochs > 0 || j.iterations > 0;
    if (!all && j.resume.empty()) j.images = 8000;
    c.check = o.check;
    return c;
}

}  // namespace cnn
