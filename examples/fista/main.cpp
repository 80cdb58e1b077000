// SPDX-License-Identifier: BSD-3-Clause
//
// Learns a dictionary of picture patches by sparse coding with FISTA, shows what it learned, and
// measures what fusion was worth.
#include <fista/job.hpp>
#include <support/options.hpp>

int main(int argc, char** argv) {
    CLI::App app{
        "Learns 121 atoms of 8 x 8 pixels, in which patches of pictures have sparse codes: codes\n"
        "by FISTA in a given dictionary, and the dictionary that suits these codes best, in turn."};
    support::options o;
    fista::job j;
    j.setting = "patches";
    support::add_options(
        app, o, "fista",
        {{"felt_fista --data DIR", "patches of the pictures in DIR or DIR/images"},
         {"felt_fista --setting study", "lambda, start and 20,000 patches as in the study"},
         {"felt_fista --setting ridge", "UFLDL's: small batches, W = X S' (g m I + S S')^-1"},
         {"felt_fista --setting code", "learns nothing: codes in a given dictionary"},
         {"felt_fista --save s.npz -n 9", "stop after 9 rounds; --resume s.npz -n 40 goes on"}});
    app.add_option("--setting", j.setting, "patches, study, ridge or code")
        ->check(CLI::IsMember({"patches", "study", "ridge", "code"}).description(""))
        ->type_name("NAME")
        ->capture_default_str();
    app.add_option("--dictionary", j.dictionary,
                   "to begin with: atoms as rows of a .npy, or W of a dictionary.npz")
        ->type_name("FILE")
        ->check(CLI::ExistingFile.description(""));
    app.add_option("--lambda", j.lambda, "weight of |s|_1; default a tenth of max |W'x|")
        ->type_name("X")
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--steps", j.steps, "of FISTA in a round; the default suits the setting")
        ->type_name("N")
        ->check(CLI::PositiveNumber.description(""));
    app.add_option("--columns", j.columns, "samples coded at a time, in cache; 0: all at once")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    app.add_flag("--reference", j.reference,
                 "write reference.npz, which numpy_reference.py solves for comparison");
    app.get_option("--iterations")->description("rounds of codes and dictionary");
    app.get_option("--check")->description("compare with coordinate descent, and stop");
    if (auto const status = support::parse(app, argc, argv)) return *status;
    j.data = o.data, j.out = o.out, j.save = o.save, j.resume = o.resume;
    j.seed = o.seed, j.threads = o.threads, j.rounds = o.iterations;
    j.setting_given = app.count("--setting") > 0, j.out_given = app.count("--out") > 0;
    j.force = o.force, j.quiet = o.quiet, j.profile = o.profile;
    return support::guarded("felt_fista",
                            [&] { return o.check ? fista::check() : fista::learn(j); });
}
