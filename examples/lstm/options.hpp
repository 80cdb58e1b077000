// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of this example.
#pragma once
#include <lstm/job.hpp>
#include <support/options.hpp>

namespace lstm {

using command = support::command<job>;

inline void add_options(CLI::App& app, job& j) {
    using namespace support;
    add_name(app, "--setting", j.setting, {"words", "characters", "benchmark"},
             "words, characters or benchmark; words if its data are found, else characters");
    add_file(app, "--text", j.text,
             "train on this text; its last tenth is held out unless --test is given");
    add_file(app, "--test", j.test, "the text held out");
    add_count(app, "--epochs", j.epochs,
              "how often all text is seen; the default suits the setting");
    add_count(app, "--batch", j.batch, "sequences in a step");
    add_count(app, "--steps", j.steps, "through time: 32 is the study's LSTM-32, 64 its LSTM-64");
    add_count(app, "--hidden", j.hidden, "width of the layers");
    add_count(app, "--vocabulary", j.vocabulary, "more words than the text has, for measurements");
    add_positive(app, "--rate", j.rate, "of the gradient descent; the default suits the setting");
    add_name(app, "--cell", j.cell, {"lstm", "rnn"}, "of the benchmark: lstm (the default) or rnn");
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
    command c;
    job& j = c.what;
    support::add_options(
        app, j, "lstm",
        {{"felt_lstm", "a model of characters on made-up sentences"},
         {"felt_lstm --data DIR", "two layers of 256 on the words of DIR/ptb, one epoch"},
         {"felt_lstm --setting characters --text F", "characters of any text"},
         {"felt_lstm --setting benchmark", "seconds a sample beside published ones"},
         {"felt_lstm --setting benchmark --hidden 128 --batch 32 --cell rnn", "the same, smaller"},
         {"felt_lstm --save s.npz -n 50", "stop after 50 steps; then --resume s.npz goes on"}});
    add_options(app, j);
    c.status = support::parse(app, argc, argv);
    return c;
}

}  // namespace lstm
