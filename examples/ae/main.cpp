// SPDX-License-Identifier: BSD-3-Clause
//
// Trains a sparse autoencoder on digits or on patches of pictures, shows what it learned, and
// measures what fusion was worth.
#include <ae/job.hpp>
#include <support/options.hpp>

int main(int argc, char** argv) {
    CLI::App app{
        "Trains a sparse autoencoder by L-BFGS and draws the features that it learns.\n"
        "The UFLDL tutorial makes 400 iterations; here 200 on mnist are the default."};
    ae::job j;
    support::add_options(
        app, j, "ae",
        {{"felt_ae", "784-196-784 on 10,000 digits: pen strokes"},
         {"felt_ae --setting patches", "64-25-64 on 10,000 patches of pictures: edges"},
         {"felt_ae --setting filters", "81-20-81 on 9 x 9 patches of digits, for felt_cnn"},
         {"felt_ae --data DIR -n 400", "MNIST from DIR or DIR/mnist, as long as the tutorial"},
         {"felt_ae --save s.npz -n 50", "stop after 50; then --resume s.npz -n 100 goes on"}});
    support::add_name(app, "--setting", j.setting, {"mnist", "patches", "filters"},
                      "mnist (the default), patches or filters");
    app.add_flag("--reference", j.reference,
                 "write reference.npz, which scipy_reference.py solves for comparison");
    if (auto const status = support::parse(app, argc, argv)) return *status;
    return support::guarded("felt_ae", j, [&] { return j.check ? ae::check(j) : ae::train(j); });
}
