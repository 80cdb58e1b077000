// SPDX-License-Identifier: BSD-3-Clause
//
// Tests, tables and pictures of a trained network.
#include <cnn/report.hpp>
#include <support/features.hpp>
#include <support/heatmap.hpp>
#include <support/mosaic.hpp>
#include <iostream>

namespace cnn {

double confusion::accuracy() const {
    index_t right = 0;
    for (index_t k = 0; k < 10; ++k) right += counts(k, k);
    return 100 * static_cast<double>(right) / static_cast<double>(index_t(sum(counts)));
}

confusion tested(learner& net, way w, vector_f const& theta, digits const& d, index_t n,
                 felt::communicator& ranks) {
    confusion c;
    auto const own = felt::shard_of(std::min(n, d.count()), ranks);
    felt::Tensor<index_t, 1> said({own.size()});
    net.classify(w, d.images(own.begin, own.size()), theta, felt::view(said));
    for (index_t i = 0; i < said.size(); ++i) ++c.counts(d.y(own.begin + i), said(i));
    felt::sum(ranks, c.counts);
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

namespace {

// The weights of the first layer, (filters, 1, h, w).
felt::View<float, 4> filters_of(learner const& net, vector_f& theta) {
    auto const& of = net.parameters().entries().front();
    felt::extents<4> e, strides;
    for (std::size_t r = 0; r < 4; ++r) e[r] = of.extents[r], strides[r] = of.strides[r];
    return {theta.data() + of.offset, e, strides};
}

}  // namespace

void draw_filters(path const& file, learner const& net, vector_f theta) {
    felt::Tensor<float, 4> const rows = filters_of(net, theta);
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

void use_features(path const& file, learner const& net, vector_f& theta) {
    auto const set = support::load_features(file);
    auto const filters = filters_of(net, theta);
    auto const count = static_cast<std::size_t>(filters.extent(0));
    auto const size = static_cast<std::size_t>(filters.size()) / count;
    if (set.size != size || set.count < count) {
        throw felt::io_error(file.string() + ": " + std::to_string(set.count) + " features of " +
                             std::to_string(set.size) + " pixels; wanted are " +
                             std::to_string(count) + " of " + std::to_string(size));
    }
    index_t const width = filters.extent(3);
    for (std::size_t k = 0; k < count; ++k) {
        float const* const row = &set.values[k * size];
        double squares = 0;
        for (std::size_t i = 0; i < size; ++i) squares += static_cast<double>(row[i] * row[i]);
        double const mean_square = std::max(squares / static_cast<double>(size), 1e-30);
        auto const scale = static_cast<float>(0.1 / std::sqrt(mean_square));
        for (std::size_t i = 0; i < size; ++i) {
            auto const at = static_cast<index_t>(i);
            filters(static_cast<index_t>(k), 0, at / width, at % width) = scale * row[i];
        }
    }
}

batch<float> first_batch(digits const& d, index_t n) {
    return {d.images(0, n), felt::view(d.y.data(), {n}), 1};
}

bool report_comparison(learner& net, std::string const& place, training const& t,
                       digits const& train, digits const& test, std::ostream& out) {
    vector_f const& theta = t.theta();
    auto const c = net.compared(first_batch(train, t.how.batch), theta);
    if (!c.agree(out)) return false;
    auto const accuracy = [&](way w) {
        return std::vector{support::three_digits(tested(net, w, theta, test, 1000).accuracy())};
    };
    support::table table = support::comparison_table(
        "per batch of " + std::to_string(t.how.batch) + ", " + place, {{"accuracy", "%"}});
    add_rows(table, c.steps, "training step, ");
    add_rows(table, c.passes, "forward, ", {accuracy(felt::fused), accuracy(felt::unfused)});
    table.print(out);
    return true;
}

}  // namespace cnn
