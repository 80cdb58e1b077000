// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures and curves.
#include <fista/convergence.hpp>
#include <fista/report.hpp>
#include <support/chart.hpp>
#include <support/mosaic.hpp>
#include <iostream>

namespace fista {

void draw_dictionary(path const& file, matrix_f const& W) {
    matrix_f const rows = transpose(W);
    std::span<float const> const all(rows.data(), static_cast<std::size_t>(rows.size()));
    support::write_png(file, support::mosaic(all, std::size_t{side}, std::size_t{side}));
}

void draw_rounds(path const& file, learning_run<float> const& r) {
    support::line_chart chart{"Dictionary learning", "round",
                              "1/2 |W s - x|^2 + lambda |s|_1 of a patch"};
    std::vector<double> round(r.objective.size());
    std::iota(round.begin(), round.end(), 1.0);
    chart.series = {{"objective", round, r.objective}};
    support::write_file(file, support::to_svg(chart));
}

namespace {

std::vector<double> above(double least, std::vector<double> values) {
    for (double& v : values) v -= least;
    return values;
}

void print_convergence(convergence const& c, std::ostream& out) {
    support::table t(
        {{"(F - F*) / F* after steps"}, {"ISTA"}, {"its bound"}, {"FISTA"}, {"its bound"}});
    auto const cell = [&](double v) { return support::three_digits(v / c.least); };
    for (char const* steps : {"1", "3", "10", "30", "100", "300"}) {
        auto const i = static_cast<std::size_t>(std::atoi(steps)) - 1;
        t.row({steps, cell(c.ista[i] - c.least), cell(c.ista_bound[i]), cell(c.fista[i] - c.least),
               cell(c.fista_bound[i])});
    }
    t.print(out);
    out << "\n";
}

}  // namespace

void draw_convergence(path const& file, matrix_f const& W, matrix_f const& x, double lambda,
                      std::ostream& out) {
    index_t const samples = std::min<index_t>(x.extent(1), 500);
    matrix_d const dictionary = felt::cast<double>(W);
    matrix_d const some = felt::cast<double>(slice(x, felt::all(), felt::range(0, samples)));
    auto const c = converge(dictionary, some, lambda, 300, 3000);
    support::line_chart chart{"Objective of 500 patches above its minimum", "step", "F - F*"};
    chart.series = {{"ISTA", c.k, above(c.least, c.ista)},
                    {"FISTA", c.k, above(c.least, c.fista)},
                    {"bound of ISTA, 1/k", c.k, c.ista_bound},
                    {"bound of FISTA, 1/k^2", c.k, c.fista_bound}};
    chart.log_y = true;
    support::write_file(file, support::to_svg(chart));
    print_convergence(c, out);
}

namespace {

// The patches of a picture as columns, and back.
matrix_f columns_of(support::picture const& p) {
    index_t const across = static_cast<index_t>(p.width) / side;
    index_t const down = static_cast<index_t>(p.height) / side;
    auto const grey = felt::view(p.pixels.data(), {down, side, across, side});
    matrix_f x({pixels, down * across});
    x = reshape(felt::permute<1, 3, 0, 2>(felt::cast<float>(grey)), {pixels, down * across}) / 255;
    return x;
}

support::picture beside(support::picture const& p, matrix_f const& x) {
    support::picture both{2 * p.width, p.height, std::vector<std::uint8_t>(2 * p.pixels.size())};
    auto const width = static_cast<index_t>(p.width), height = static_cast<index_t>(p.height);
    auto const to = felt::view(both.pixels.data(), {height, 2 * width});
    slice(to, felt::all(), felt::range(0, width)) = felt::view(p.pixels.data(), {height, width});
    auto const patches = reshape(x, {side, side, height / side, width / side});
    slice(to, felt::all(), felt::range(width, 2 * width)) = felt::cast<std::uint8_t>(
        clip(reshape(felt::permute<2, 0, 3, 1>(patches), {height, width}) * 255, 0, 255) + 0.5f);
    return both;
}

}  // namespace

// Patches as in learning: around their mean, and 0.4 stands for three standard deviations.
void draw_reconstruction(path const& file, support::picture const& p, learning_run<float> const& r,
                         trainer& by, std::ostream& out) {
    matrix_f const x = columns_of(p);
    felt::Tensor<float, 1> const means = felt::mean<0>(x);
    matrix_f z = x - means;
    float const scale = 0.4f / (3 * std::max(1e-6f, std::sqrt(float(mean(square(z))))));
    float const offset = r.learner.how().study ? 0.5f : 0.f;
    z = z * scale + offset;
    auto const m = by.code(z);
    matrix_f const y = (matmul(r.learner.W(), by.codes()) - offset) * (1 / scale) + means;
    double const error = float(mean(square(x - y)));
    support::write_png(file, beside(p, y));
    out << "a picture of " << p.width << " x " << p.height << ": "
        << support::three_digits(m.nonzeros) << " of " << atoms << " codes of a patch are not 0, "
        << support::three_digits(-10 * std::log10(error)) << " dB between it and W s\n\n";
}

}  // namespace fista
