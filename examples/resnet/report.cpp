// SPDX-License-Identifier: BSD-3-Clause
#include <resnet/report.hpp>
#include <support/chart.hpp>
#include <support/mosaic.hpp>
#include <support/profile_report.hpp>
#include <numeric>

namespace resnet {

namespace {

// How many others are larger than the one that is right.
index_t rank_of(matrix_f const& y, index_t row, index_t right) {
    index_t rank = 0;
    for (index_t k = 0; k < y.extent(1); ++k) rank += k != right && y(row, k) >= y(row, right);
    return rank;
}

// Means over each epoch, and over a part of one at the end.
support::series by_epoch(std::string const& name, std::vector<double> const& v, index_t steps) {
    support::series s{name, {}, {}};
    auto const n = static_cast<std::size_t>(steps);
    for (std::size_t from = 0; from < v.size(); from += n) {
        std::size_t const to = std::min(from + n, v.size());
        double const sum = std::accumulate(v.begin() + static_cast<std::ptrdiff_t>(from),
                                           v.begin() + static_cast<std::ptrdiff_t>(to), 0.);
        s.x.push_back(static_cast<double>(to) / static_cast<double>(n));
        s.y.push_back(sum / static_cast<double>(to - from));
    }
    return s;
}

std::string name_of(training const& t) { return t.how.name(); }

}  // namespace

accuracy tested(reader& by, way w, pictures const& p, felt::communicator& ranks) {
    return tested(by, w, p, p.count(), ranks);
}
accuracy tested(reader& by, way w, pictures const& p, index_t n, felt::communicator& ranks) {
    shown some(p, by.count());
    accuracy a;
    auto const own = felt::shard_of(std::min(n, p.count()), ranks);
    for (index_t i = own.begin; i < own.end; i += by.count()) {
        index_t const m = std::min(some.fill(i), own.end - i);
        matrix_f const y = by.logits(w, some.view());
        for (index_t k = 0; k < m; ++k) a.add(rank_of(y, k, p.label(i + k)));
    }
    double counts[] = {a.top1, a.top5};
    felt::sum(ranks, std::span(counts));
    return accuracy{counts[0], counts[1]}.of(own.of);
}

accuracy ranked(matrix_f const& y, pictures const& p) {
    accuracy a;
    for (index_t k = 0; k < y.extent(0); ++k) a.add(rank_of(y, k, p.label(k)));
    return a.of(y.extent(0));
}

double percent_right(matrix_f const& y, batch_f const& b, felt::communicator& ranks) {
    double counts[] = {0, static_cast<double>(y.extent(0))};
    for (index_t k = 0; k < y.extent(0); ++k) counts[0] += rank_of(y, k, b.y(k)) == 0;
    felt::sum(ranks, std::span(counts));
    return 100 * counts[0] / counts[1];
}

void draw_cost(path const& file, training const& t) {
    support::line_chart chart{name_of(t) + ": cost of each batch", "epoch",
                              "cost J: mean of -log p (nat per image)"};
    support::series each{"of a batch", {}, t.costs};
    auto const n = static_cast<double>(t.per_epoch());
    for (std::size_t i = 0; i < t.costs.size(); ++i) each.x.push_back(static_cast<double>(i) / n);
    chart.series = {each, by_epoch("mean of an epoch", t.costs, t.per_epoch())};
    chart.log_y = true;
    support::write_file(file, support::to_svg(chart));
}

void draw_accuracy(path const& file, training const& t) {
    support::line_chart chart{name_of(t) + ": accuracy", "epoch", "right answers (%)"};
    support::series held_out{"images held out", t.tested, t.accuracies};
    for (double& x : held_out.x) x /= static_cast<double>(t.per_epoch());
    chart.series = {by_epoch("images it learns from, varied", t.right, t.per_epoch()), held_out};
    support::write_file(file, support::to_svg(chart));
}

void draw_filters(path const& file, training& t) {
    auto const w = t.layers.stem.w.in(t.optimiser.x());
    felt::Tensor<float, 3> const grey = felt::mean<1>(w);  // over colours
    std::span<float const> const all(grey.data(), static_cast<std::size_t>(grey.size()));
    support::write_png(file, support::mosaic(all, static_cast<std::size_t>(grey.extent(1)),
                                             static_cast<std::size_t>(grey.extent(2))));
}

void report_stages(path const& to, place const& at, training const& t, pictures const& train,
                   std::ostream& out) {
    batches next(train, t.how.batch, {0, t.how.batch}, t.seed);
    auto const by =
        at.train(shape_of(t.how), t.how.batch, felt::sgd<float>(t.optimiser), t.running, {});
    auto const o = options_at(t.how, by->iteration(), t.per_epoch());
    support::profile stages;
    double const steps = support::repeated(stages, [&](support::profile& p) {
        support::stopwatch const watch;
        batch_f const b = next.next(by->iteration());
        p.add("pictures", watch.seconds());
        by->watch(&p);
        by->step(felt::fused, b, o);
    });
    support::print_stages(stages, steps, out);
    out << "\n";
    support::write_file(to,
                        support::to_svg(support::pie_of("Training step, by stage", stages, steps)));
}

bool report_comparison(place const& at, training const& t, pictures const& train,
                       std::ostream& out) {
    shown some(train, t.how.batch);
    some.fill(0);
    auto const c = at.compared(shape_of(t.how), some.view(), t.optimiser.x(), t.running);
    // A relu of what is 0 to rounding may fall either way, with all that its gradient adds.
    if (!(c.difference < 1e-2)) {
        out << "fused and unfused differ by " << c.difference << "\n";
        return false;
    }
    support::table table =
        support::comparison_table("per batch of " + std::to_string(t.how.batch) + ", " + at.name());
    add_rows(table, c.steps, "training step, ");
    add_rows(table, c.passes, "inference, ");
    table.print(out);
    return true;
}

}  // namespace resnet
