// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of this example.
#pragma once
#include <resnet/job.hpp>
#include <support/options.hpp>

namespace resnet {

using command = support::command<job>;

inline void add_options(CLI::App& app, job& j) {
    using namespace support;
    app.add_option("--layers", j.layers, "6 n + 2: 8, 20 (the default), 56 ..")
        ->type_name("N")
        ->check([](std::string const& text) {
            int const n = std::atoi(text.c_str());
            return n >= 8 && n % 6 == 2 ? std::string() : text + " is not 6 n + 2: 8, 14, 20 ..";
        });
    add_count(app, "--width", j.width, "channels of the first stage; default 16");
    add_count(app, "--epochs", j.epochs, "how often all images are seen; default 30");
    add_count(app, "--batch", j.batch,
              "images in a step, of all ranks; default 128, with --images 32 for each rank");
    add_count(app, "--train", j.train, "train on the first N images, and test on a fifth as many");
    add_positive(app, "--rate", j.rate,
                 "of learning, at its highest; default 0.1, with --images 0.0125 for every 32\n"
                 "images of a step");
    add_file(app, "--import", j.import_from,
             "begin with parameters under torchvision's names (.npz)");
    app.add_option("--export", j.export_to, "write the parameters under these names")
        ->type_name("FILE");
    app.add_option("--images", j.images,
                   "train ResNet-50 on the JPEG and PNG files in DIR, a folder for each class")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory.description(""));
    app.add_option("--held-out", j.held_out, "the same of images to test on; else every tenth")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory.description(""));
    add_count(app, "--side", j.side, "of these images as they are shown; default 224");
    app.add_option("--features", j.features,
                   "do not train: write what goes into the last layer (.npy, a row for each\n"
                   "image), and train a softmax on it")
        ->type_name("FILE");
    app.add_flag("--imagenet", j.imagenet,
                 "measure ResNet-50: training with batches of 16 and 32 (or --batch), and\n"
                 "inference with batches of 1 to 64");
    app.add_flag("--stride-first", j.stride_first,
                 "with --imagenet: strides are on the first 1x1 of a bottleneck, not on its 3x3");
    add_name(app, "--schedule", j.schedule, {"steps", "warm-up", "imagenet"},
             "of the rate: steps (the default), a tenth of it after 50 and again after 75 % of\n"
             "the epochs; warm-up, the same after a first epoch that begins with a tenth;\n"
             "imagenet (with --images), up to it from 0.0125 in 5 epochs, a tenth after 30,\n"
             "60 and 80 of 90");
    add_name(app, "--batch-norm", j.batch_norm, {"synchronised", "local"},
             "on several ranks: synchronised (the default), by the mean and variance of all of\n"
             "a batch, as on one; local, of each rank's part, with less to wait for");
}

inline command read_command(int argc, char const* const* argv) {
    CLI::App app{
        "Trains a residual network on CIFAR-10 and tests it on images held out.\n"
        "Without arguments this is a short run of a small network on 1,400 generated images."};
    command c;
    job& j = c.what;
    support::add_options(
        app, j, "resnet",
        {{"felt_resnet", "8 layers on shapes of ten kinds: a short run"},
         {"felt_resnet --data DIR", "20 layers on CIFAR-10, *.bin in DIR or DIR/cifar10"},
         {"felt_resnet --data DIR --layers 56 --epochs 164", "56 layers, as long as the paper's"},
         {"felt_resnet --data DIR --train 4000", "on the first 4,000 images"},
         {"felt_resnet --imagenet", "images per second of ResNet-50, 224 x 224, made images"},
         {"felt_resnet --imagenet --import F.npz", "that, and the logits in F (torch_golden.py)"},
         {"felt_resnet --images DIR", "train ResNet-50 on DIR/dog/1.jpg, DIR/cat/2.png, .."},
         {"mpirun -np 4 felt_resnet --data DIR", "32 of the 128 images of a step on each rank"},
         {"felt_resnet --features f.npy --import p.npz --images DIR", "a softmax on its features"},
         {"felt_resnet --save s.npz -n 50", "stop after 50 steps; then --resume s.npz goes on"}});
    add_options(app, j);
    c.status = support::parse(app, argc, argv);
    j.brief = j.data.empty() && j.layers == 0 && j.width == 0 && j.epochs == 0 && j.train == 0 &&
              j.iterations == 0 && j.resume.empty() && j.images.empty() && j.import_from.empty();
    return c;
}

}  // namespace resnet
