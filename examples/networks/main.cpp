// SPDX-License-Identifier: BSD-3-Clause
//
// Measures the networks of the benchmark suites, fused and unfused, beside published figures.
#include <networks/job.hpp>
#include <support/options.hpp>

namespace {

void add_options(CLI::App& app, networks::job& j) {
    using namespace support;
    app.add_option("NAMES", j.names,
                   "which; all if none is named, as long as there are other arguments")
        ->type_name("");
    app.add_flag("--list", j.list, "say which networks there are");
    app.add_flag("--quick", j.quick, "5 steps of each kind, or as many as fit in 2 s");
    add_count(app, "--steps", j.steps, "of each kind; the suites' rule is 100");
    add_positive(app, "--seconds", j.seconds, "no more steps of a kind after that; default 60");
    add_count(app, "--batch", j.batch, "samples; the default is the suite's");
    add_count(app, "--threads", j.threads, "default one");
    app.add_option("--batches", j.batches, "inference over these batches instead: 1,4,16,64,256")
        ->type_name("N,..")
        ->delimiter(',')
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--thread-counts", j.thread_counts,
                   "steps over these numbers of threads instead")
        ->type_name("N,..")
        ->delimiter(',')
        ->check(CLI::PositiveNumber.description(""));
    add_count(app, "--instances", j.instances,
              "side by side, of one thread each; and figures of merit");
    app.add_flag("--layers", j.layers, "also the time of each block");
    app.add_flag("--learn", j.learn, "train small networks and say how well they do, by epoch");
    app.add_option("--data", j.data,
                   "folder of MNIST, CIFAR-10, P1B1, P3B1; else generated samples")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory.description(""));
    add_count(app, "--epochs", j.epochs, "of each lesson, where not its own number");
    add_count(app, "--seeds", j.seeds, "each lesson from so many seeds");
    add_count(app, "--first-seed", j.first_seed, "of them; default 1");
    add_count(app, "--samples", j.samples, "to learn from, of MNIST and CIFAR-10");
    app.add_option("--lessons", j.lessons,
                   "only write what NAMES learn from, for torch_peer.py learn DIR/NAME")
        ->type_name("DIR");
    app.add_option("--add", j.add, "only add up files learned.json, of seeds learned apart")
        ->type_name("FILE,..")
        ->delimiter(',')
        ->check(CLI::ExistingFile.description(""));
    app.add_option("--python", j.python, "a Python that has PyTorch, to be measured or taught too")
        ->type_name("FILE");
    app.add_option("--out", j.out, "folder for the results")
        ->type_name("DIR")
        ->capture_default_str()
        ->each([&j](std::string const&) { j.out_given = true; });
    app.add_flag("--force", j.force, "replace files that exist");
    app.add_flag("--quiet", j.quiet, "no progress");
    app.add_flag("--check", j.check, "compare gradients with differences, and stop");
    app.footer(usage_text({{"felt_networks --quick", "all networks, a few steps of each"},
                           {"felt_networks alexnet vgg-a --batch 16", "two of them"},
                           {"felt_networks googlenet --layers", "where its time goes"},
                           {"felt_networks alexnet --batches 1,2,4,8", "samples per second"},
                           {"felt_networks --instances 2", "throughput, figures of merit"},
                           {"felt_networks --learn trial p3b1", "accuracy and score by epoch"},
                           {"felt_networks --python venv/bin/python", "beside PyTorch"},
                           {"felt_networks --learn --python venv/bin/python", "it learns, too"}}));
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Measures the networks of the benchmark suites: seconds per batch of inference, forward,\n"
        "forward and backward, and a training step, fused and unfused, on random samples. "
        "Published\n"
        "figures stand beside them. Without arguments this is a short run of small ones."};
    networks::job j;
    add_options(app, j);
    if (auto const status = support::parse(app, argc, argv)) return *status;
    if (argc == 1) j.quick = true, j.names = {"softmax", "study", "alexnet-r", "resnet-20"};
    if (j.quick) j.steps = std::min(j.steps, 5), j.seconds = std::min(j.seconds, 2.0);
    return support::guarded("felt_networks", [&] {
        if (j.check) return networks::check();
        if (j.list) return networks::list(), 0;
        if (!j.lessons.empty()) return networks::write_lessons(j);
        if (!j.add.empty()) return networks::add_learned(j);
        if (j.learn) return networks::learn(j);
        if (j.instances > 0) return networks::throughput(j);
        if (!j.batches.empty() || !j.thread_counts.empty()) return networks::sweep(j);
        return networks::suite(j);
    });
}
