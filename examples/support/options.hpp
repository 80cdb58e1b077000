// SPDX-License-Identifier: BSD-3-Clause
//
// The command line that all examples share, on CLI11:
//
//   CLI::App app{"Trains a sparse autoencoder ..."};
//   support::job j;
//   support::add_options(app, j, "ae", {{"felt_ae --data DIR", "MNIST from DIR or DIR/mnist"}});
//   support::add_count(app, "--hidden", hidden, "...");
//   if (auto const status = support::parse(app, argc, argv)) return *status;
#pragma once
#include <CLI/CLI.hpp>
#include <felt/core/errors.hpp>
#include <support/interrupt.hpp>
#include <support/ranks.hpp>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace support {

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

// Options of one kind: one of some names, a file that exists, a count, a number above 0.
inline void add_name(CLI::App& app, char const* option, std::string& to,
                     std::vector<std::string> names, char const* text) {
    app.add_option(option, to, text)
        ->check(CLI::IsMember(std::move(names)).description(""))
        ->type_name("NAME");
}
inline void add_file(CLI::App& app, char const* option, std::string& to, char const* text) {
    app.add_option(option, to, text)->type_name("FILE")->check(CLI::ExistingFile.description(""));
}
inline void add_count(CLI::App& app, char const* option, int& to, char const* text) {
    app.add_option(option, to, text)->type_name("N")->check(CLI::PositiveNumber.description(""));
}
inline void add_positive(CLI::App& app, char const* option, double& to, char const* text) {
    app.add_option(option, to, text)->type_name("X")->check(CLI::PositiveNumber.description(""));
}

inline void add_options(CLI::App& app, job& j, std::string const& example,
                        std::vector<usage> const& examples) {
    j.out = "felt-out/" + example;
    app.add_option("--data", j.data,
                   "folder with the data; else $FELT_DATA, ./data, or generated data")
        ->type_name("DIR");
    app.add_option("--out", j.out, "folder for the results")
        ->type_name("DIR")
        ->capture_default_str()
        ->each([&j](std::string const&) { j.out_given = true; });
    app.add_flag("--force", j.force, "replace files that exist");
    add_count(app, "--iterations,-n", j.iterations, "how many; the default suits the setting");
    app.add_option("--seed", j.seed, "of all random numbers")
        ->type_name("N")
        ->capture_default_str();
    add_count(app, "--threads", j.threads, "the same results for any number; default one");
    add_name(app, "--space", j.space, {"host", "device", "auto"},
             "where tensors lie and statements run: host (the default); device: a GPU, or what\n"
             "stands for one in a program built without nvcc; auto: device if there is a GPU");
    app.add_option("--save", j.save, "write the state of the run at its end and on Ctrl-C")
        ->type_name("FILE");
    add_file(app, "--resume", j.resume, "go on from a saved state, bit for bit");
    add_count(app, "--save-every", j.save_every, "save also after every N iterations");
    app.add_flag("--check", j.check, "compare the gradient with differences, and stop");
    add_name(app, "--distributed", j.distributed, {"auto", "mpi", "none"},
             "auto: one run on all ranks that mpirun or srun starts; mpi: at any rate;\n"
             "none: every copy for itself. The results are those of one rank, to rounding");
    app.add_flag("--check-ranks", j.check_ranks, "compare parameters of all ranks in every step");
    app.add_flag("--profile", j.profile, "say and draw where the time goes");
    app.add_flag("--quiet,-q", j.quiet, "no progress, results only");
    app.footer(usage_text(examples));
    app.get_formatter()->column_width(30);
}

// Nothing if the program shall go on, else the status to exit with (0 after --help).
inline std::optional<int> parse(CLI::App& app, int argc, char const* const* argv) {
    try {
        app.parse(argc, argv);
    } catch (CLI::ParseError const& e) {
        int const rank = launched().rank;
        if (e.get_exit_code() != 0) let_first_speak(rank);
        return rank > 0 ? e.get_exit_code() : app.exit(e);
    }
    return std::nullopt;
}

// What a command line says: what to do, or the status to exit with at once.
template <class Job>
struct command {
    Job what;
    std::optional<int> status;
};

// Results that cannot be printed are lost: a full disk, a pipe that nobody reads.
inline void check_printed() {
    errno = 0;
    if (!std::cout.flush())
        throw felt::io_error(std::string("what is printed cannot be written: ") +
                             (errno != 0 ? std::strerror(errno) : "earlier output failed"));
}

// Runs an example: a mistake of the user or of a file is one line and status 1, no crash.
template <class Main>
int guarded(std::string const& program, Main main) {
    try {
        catch_interrupts();
        int const status = main();
        check_printed();
        return status;
    } catch (felt::error const& e) {
        std::cout.flush();
        std::cerr << program << ": " << e.what() << '\n';
    } catch (std::bad_alloc const&) {
        std::cerr << program << ": not enough memory\n";
    }
    return 1;
}

// The same on all ranks of the job, of which this one may be one.
template <class Main>
int guarded(std::string const& program, job& j, Main main) {
    return guarded(program, [&] {
        auto const all = joined(j);
        try {
            return main();
        } catch (felt::error const& e) {
            end_ranks(j, program + ": " + e.what());
            throw;
        } catch (std::bad_alloc const&) {
            end_ranks(j, program + ": not enough memory");
            throw;
        }
    });
}

}  // namespace support
