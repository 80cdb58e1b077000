// SPDX-License-Identifier: BSD-3-Clause
//
// Tests, tables and pictures of a trained network.
#include <cnn/report.hpp>
#include <support/heatmap.hpp>
#include <support/mosaic.hpp>
#include <iostream>

namespace cnn {

double confusion::accuracy() const {
    index_t right = 0;
    for (index_t k = 0; k < 10; ++k) right += counts(k, k);
    return 100 * static_cast<double>(right) / static_cast<double>(index_t(sum(counts)));
}

confusion tested(learner const& net, way w, vector_f const& theta, digits const& d, index_t n) {
    confusion c;
    felt::Tensor<index_t, 1> said({std::min(n, d.count())});
    index_t const piece = 500;  // images at a time
    for (index_t i = 0; i < said.size(); i += piece) {
        index_t const m = std::min(piece, said.size() - i);
        net.classify(w, d.images(i, m), theta, felt::view(said.data() + i, {m}));
    }
    for (index_t i = 0; i < said.size(); ++i) ++c.counts(d.y(i), said(i));
    return c;
}

void print(confusion const& c, std::ostream& out) {
    std::vector<support::column> columns = {{"is \\ said"}};
    for (int k = 0; k < 10; ++k) columns.push_back({std::to_string(k)});
    columns.push_back({"right"});
    support::table t(columns);
    for (index_t i = 0; i < 10; ++i) {
        std::vector<std::string> row = {std::to_string(i)};
        index_t all = 0;
        for (index_t k = 0; k < 10; ++k) {
            row.push_back(c.counts(i, k) == 0 ? "." : std::to_string(c.counts(i, k)));
            all += c.counts(i, k);
        }
        double const share = static_cast<double>(c.counts(i, i)) / static_cast<double>(all);
        row.push_back(all == 0 ? "" : support::three_digits(100 * share) + " %");
        t.row(row);
    }
    t.print(out);
}

void draw_confusion(path const& file, confusion const& c) {
    support::heat_map map{"Test images by digit", "what the network says", "what they are", {}, {}};
    for (index_t i = 0; i < 10; ++i) {
        map.names.push_back(std::to_string(i));
        map.values.emplace_back();
        for (index_t k = 0; k < 10; ++k) {
            map.values.back().push_back(static_cast<double>(c.counts(i, k)));
        }
    }
    support::write_file(file, support::to_svg(map));
}

void draw_filters(path const& file, learner const& net, vector_f theta) {
    auto const filters = net.filters(theta);
    felt::Tensor<float, 4> const rows = filters;
    std::span<float const> const all(rows.data(), static_cast<std::size_t>(rows.size()));
    support::write_png(file, support::mosaic(all, static_cast<std::size_t>(rows.extent(2)),
                                             static_cast<std::size_t>(rows.extent(3))));
}

void draw_cost(path const& file, training const& t) {
    support::line_chart chart{"Network '" + t.how.network + "': cost of each batch", "step",
                              "cost J: mean of -log p (nat per image)"};
    support::series s{"cost", {}, t.costs};
    for (std::size_t i = 0; i < t.costs.size(); ++i) s.x.push_back(static_cast<double>(i));
    chart.series = {s};
    chart.log_y = true;
    support::write_file(file, support::to_svg(chart));
}

void draw_accuracy(path const& file, training const& t) {
    support::line_chart chart{"Network '" + t.how.network + "': accuracy on test images", "step",
                              "right answers (%)"};
    chart.series = {{"accuracy", t.tested, t.accuracies}};
    support::write_file(file, support::to_svg(chart));
}

namespace {

// A batch of test images.
batch<float> some(digits const& d, index_t n) {
    return {d.images(0, n), felt::view(d.y.data(), {n}), 1};
}

}  // namespace

bool report_comparison(learner& net, training const& t, digits const& test, std::ostream& out) {
    vector_f const& theta = t.theta();
    index_t const m = std::min(t.how.batch, test.count());
    if (m < t.how.batch) return true;
    auto const b = some(test, m);
    vector_f g(theta.extents()), h(theta.extents());
    felt::Tensor<index_t, 1> y({m});
    double cost[2] = {};
    auto const step = [&](way w, vector_f& to, double& j) {
        return [&, w] { j = net.cost_and_gradient(w, b, theta, to); };
    };
    auto const forward = [&](way w) {
        return [&, w] { net.classify(w, b.x, theta, felt::view(y)); };
    };
    step(felt::fused, g, cost[0])();
    step(felt::unfused, h, cost[1])();
    double const apart =
        std::max(support::distance(g, h), std::abs(cost[0] - cost[1]) / std::abs(cost[1]));
    if (!(apart < 1e-3)) {
        out << "fused and unfused differ by " << apart << ": not timed\n";
        return false;
    }
    auto const accuracy = [&](way w) {
        return std::vector{support::three_digits(tested(net, w, theta, test, 1000).accuracy())};
    };
    std::vector<std::string> const right[2] = {accuracy(felt::fused), accuracy(felt::unfused)};
    double unused = 0;
    vector_f nowhere(theta.extents());
    support::table table = support::comparison_table(
        "per batch of " + std::to_string(m), {{"accuracy", "%"}});
    add_rows(table,
             support::compare(step(felt::fused, g, cost[0]), step(felt::unfused, h, cost[1]),
                              [&](auto to) { step(to, nowhere, unused)(); }, 2),
             "training step, ");
    add_rows(table,
             support::compare(forward(felt::fused), forward(felt::unfused),
                              [&](auto to) { forward(to)(); }, 1),
             "forward, ", right);
    table.print(out);
    return true;
}

}  // namespace cnn
