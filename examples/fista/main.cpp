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
    fista::job j;
    support::add_options(
        app, j, "fista",
        {{"felt_fista --data DIR", "patches of the pictures in DIR or DIR/images"},
         {"felt_fista --setting study", "lambda, start and 20,000 patches as in the study"},
         {"felt_fista --setting ridge", "UFLDL's: small batches, W = X S' (g m I + S S')^-1"},
         {"felt_fista --setting code", "learns nothing: codes in a given dictionary"},
         {"felt_fista --save s.npz -n 9", "stop after 9 rounds; --resume s.npz -n 40 goes on"}});
    support::add_name(app, "--setting", j.setting, {"patches", "study", "ridge", "code"},
                      "patches (the default), study, ridge or code");
    support::add_file(app, "--dictionary", j.dictionary,
                      "to begin with: atoms as rows of a .npy, or W of a dictionary.npz");
    support::add_positive(app, "--lambda", j.lambda,
                          "weight of |s|_1; default a tenth of max |W'x|");
    support::add_name(app, "--step", j.step, {"constant", "backtracking"},
                      "size of a step: constant (the default), by the largest eigenvalue of W'W,\n"
                      "or backtracking");
    support::add_count(app, "--steps", j.steps,
                       "of FISTA in a round; the default suits the setting");
    app.add_option("--columns", j.columns,
                   "samples coded at a time, in cache; 0: all at once; default 512")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber.description(""));
    app.add_flag("--reference", j.reference,
                 "write reference.npz, which numpy_reference.py solves for comparison");
    app.get_option("--iterations")->description("rounds of codes and dictionary");
    app.get_option("--check")->description("compare with coordinate descent, and stop");
    if (auto const status = support::parse(app, argc, argv)) return *status;
    return support::guarded("felt_fista", j,
                            [&] { return j.check ? fista::check(j) : fista::learn(j); });
}
