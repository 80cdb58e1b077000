// SPDX-License-Identifier: BSD-3-Clause
//
// The command line that all examples share, on CLI11:
//
//   CLI::App app{"Trains a sparse autoencoder ..."};
//   support::options o;
//   support::add_options(app, o, "ae", {{"felt_ae --data DIR", "MNIST from DIR or DIR/mnist"}});
//   app.add_option("--hidden", hidden, "...");
//   if (auto const status = support::parse(app, argc, argv)) return *status;
#pragma once
#include <CLI/CLI.hpp>
#include <felt/core/errors.hpp>
#include <support/interrupt.hpp>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace support {

struct options {
    std::string data;    // empty: $FELT_DATA, ./data
    std::string out;     // felt-out/<example>
    std::string save;    // empty: no state is saved
    std::string resume;  // empty: from the beginning
    std::uint64_t seed = 1;
    int threads = 0;     // 0: $FELT_NUM_THREADS, else one
    int iterations = 0;  // 0: the example's own number
    bool force = false;
    bool quiet = false;
    bool check = false;
    bool profile = false;
};

struct usage {
    std::string command, meaning;
};

inline std::string usage_text(std::vector<usage> const& examples) {
    std::size_t width = 0;
    for (usage const& u : examples) width = std::max(width, u.command.size());
    std::string text = examples.empty() ? "" : "Examples:\n";
    for (usage const& u : examples) {
        text +=
            "  " + u.command + std::string(width - u.command.size() + 3, ' ') + u.meaning + "\n";
    }
    return text;
}

inline void add_options(CLI::App& app, options& o, std::string const& example,
                        std::vector<usage> const& examples) {
    o.out = "felt-out/" + example;
    app.add_option("--data", o.data,
                   "folder with the data; else $FELT_DATA, ./data, or generated data")
        ->type_name("DIR");
    app.add_option("--out", o.out, "folder for the results")
        ->type_name("DIR")
        ->capture_default_str();
    app.add_flag("--force", o.force, "replace files that exist");
    app.add_option("--iterations,-n", o.iterations, "how many; the default suits the setting")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--seed", o.seed, "of all random numbers")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--threads", o.threads, "the same results for any number; default one")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--save", o.save, "write the state of the run at its end and on Ctrl-C")
        ->type_name("FILE");
    app.add_option("--resume", o.resume, "go on from a saved state, bit for bit")
        ->type_name("FILE")
        ->check(CLI::ExistingFile.description(""));
    app.add_flag("--check", o.check, "compare the gradient with differences, and stop");
    app.add_flag("--profile", o.profile, "say and draw where the time goes");
    app.add_flag("--quiet,-q", o.quiet, "no progress, results only");
    app.footer(usage_text(examples));
    app.get_formatter()->column_width(30);
}

// Nothing if the program shall go on, else the status to exit with (0 after --help).
inline std::optional<int> parse(CLI::App& app, int argc, char const* const* argv) {
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        return app.exit(e);
    }
    return std::nullopt;
}

// Runs an example: a mistake of the user or of a file is one line and status 1, no crash.
template <class Main>
int guarded(std::string const& program, Main main) {
    try {
        catch_interrupts();
        return main();
    } catch (felt::error const& e) {
        std::cout.flush();
        std::cerr << program << ": " << e.what() << '\n';
    } catch (std::bad_alloc const&) {
        std::cerr << program << ": not enough memory\n";
    }
    return 1;
}

}  // namespace support
