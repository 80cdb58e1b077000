// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of this example.
#pragma once
#include <lstm/job.hpp>
#include <support/options.hpp>

namespace lstm {

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
    auto const file = [&](char const* name, std::string& to, char const* text) {
        app.add_option(name, to, text)->type_name("FILE")->check(CLI::ExistingFile.description(""));
    };
    one_of("--setting", j.setting, {"words", "characters", "benchmark"},
           "words, characters or benchmark; words if its data are found, else characters");
    file("--text", j.text, "train on this text; its last tenth is held out unless --test is given");
    file("--test", j.test, "the text held out");
    count("--epochs", j.epochs, "how often all text is seen; the default suits the setting");
    count("--batch", j.batch, "sequences in a step");
    count("--steps", j.steps, "through time: 32 is the study's LSTM-32, 64 its LSTM-64");
    count("--hidden", j.hidden, "width of the layers");
    count("--vocabulary", j.vocabulary, "more words than the text has, for measurements");
    app.add_option("--rate", j.rate, "of the gradient descent; the default suits the setting")
        ->type_name("X")
        ->check(CLI::PositiveNumber.description(""));
    one_of("--cell", j.cell, {"lstm", "rnn"}, "of the benchmark: lstm (the default) or rnn");
    app.add_flag("--reference", j.reference,
                 "write reference.npz, which pytorch_reference.py trains for comparison");
}

inline command read_command(int argc, char const* const* argv) {
    CLI::App app{
        "Trains an LSTM to say what comes next in a text, tests it on another, and lets it write.\n"
        "Words: ptb.valid.txt is learned and ptb.test.txt held out, for the training text of the\n"
        "Penn Treebank is not free. Without data a few sentences are made up. Without arguments "
        "this\n"
        "is a short run on characters."};
    support::options o;
    command c;
    support::add_options(
        app, o, "lstm",
        {{"felt_lstm", "a model of characters on made-up sentences"},
         {"felt_lstm --data DIR", "two layers of 256 on the words of DIR/ptb, one epoch"},
         {"felt_lstm --setting characters --text F", "characters of any text"},
         {"felt_lstm --setting benchmark", "seconds a sample beside published ones"},
         {"felt_lstm --setting benchmark --hidden 128 --batch 32 --cell rnn", "the same, smaller"},
         {"felt_lstm --save s.npz -n 50", "stop after 50 steps; then --resume s.npz goes on"}});
    add_options(app, c.what);
    c.status = support::parse(app, argc, argv);
    job& j = c.what;
    j.data = o.data, j.out = o.out, j.save = o.save, j.resume = o.resume;
    j.seed = o.seed, j.threads = o.threads, j.iterations = o.iterations;
    j.force = o.force, j.quiet = o.quiet, j.profile = o.profile;
    j.out_given = app.count("--out") > 0;
    c.check = o.check;
    return c;
}

}  // namespace lstm
