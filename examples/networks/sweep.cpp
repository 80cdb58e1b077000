// SPDX-License-Identifier: BSD-3-Clause
//
// Sweeps: samples per second of inference over batches ("Benchmarking Deep Learning"), seconds per
// batch over numbers of threads ("Hardware and Software for Deep Learning").
#include <networks/measure.hpp>
#include <nlohmann/json.hpp>
#include <support/chart.hpp>
#include <support/outputs.hpp>
#include <iostream>

namespace networks {

namespace {

using support::three_digits;

// Of one network: a line for each way to run it.
struct swept {
    std::string title, x_title, y_title;
    std::vector<support::series> lines{};

    void add(std::string const& by, double x, double y) {
        auto at = std::find_if(lines.begin(), lines.end(),
                               [&](auto const& line) { return line.name == by; });
        if (at == lines.end()) at = lines.insert(at, {by, {}, {}});
        at->x.push_back(x), at->y.push_back(y);
    }
    void print(std::ostream& out) const {
        out << "\n" << title << ", " << y_title << "\n";
        std::vector<support::column> columns = {{x_title}};
        for (auto const& line : lines) columns.push_back({line.name});
        support::table t(columns);
        for (std::size_t k = 0; k < lines[0].x.size(); ++k) {
            std::vector<std::string> row = {three_digits(lines[0].x[k])};
            for (auto const& line : lines) row.push_back(three_digits(line.y[k]));
            t.row(row);
        }
        t.print(out);
    }
    nlohmann::json as_json() const {
        nlohmann::json all = {{"title", title}, {"x", x_title}, {"y", y_title}};
        for (auto const& line : lines)
            all["lines"].push_back({{"by", line.name}, {"x", line.x}, {"y", line.y}});
        return all;
    }
};

swept over_batches(entry const& e, job const& j) {
    swept s{e.name, "batch", "samples per second"};
    for (int n : j.batches) {
        auto m = measure_some(e, n, false, j);
        for (auto const& f : measure_torch(e, n, j, "infer")) m.ways.push_back(f);
        for (figures const& f : m.ways) s.add(f.by, n, n / f.infer.best());
    }
    return s;
}
swept over_threads(entry const& e, job j) {
    index_t const batch = j.batch > 0 ? j.batch : e.batch;
    swept s{e.name + ", batch " + std::to_string(batch), "threads", "seconds per training step"};
    for (int n : j.thread_counts) {
        j.threads = n;
        felt::threads(n);
        auto m = measure_some(e, batch, true, j);
        for (auto const& f : measure_torch(e, batch, j, "steps")) m.ways.push_back(f);
        for (figures const& f : m.ways) s.add(f.by, n, f.step.best());
    }
    return s;
}

}  // namespace

int sweep(job const& j) {
    bool const anew = !j.out_given && !j.force;
    support::outputs out(anew ? support::free_folder(j.out) : support::fs::path(j.out), j.force);
    auto const asked = networks_of(j);
    char const* const what = j.batches.empty() ? "-threads.svg" : "-batches.svg";
    std::vector<support::fs::path> charts;
    for (entry const* e : asked) charts.push_back(out.add(e->name + what));
    auto const file = out.add("sweep.json");
    out.prepare();
    felt::threads(j.threads);
    auto in_json = nlohmann::json::array();
    for (std::size_t k = 0; k < asked.size(); ++k) {
        swept const s = j.batches.empty() ? over_threads(*asked[k], j) : over_batches(*asked[k], j);
        s.print(std::cout);
        std::cout << std::flush;
        support::line_chart chart{s.title, s.x_title, s.y_title};
        chart.series = s.lines;
        support::write_file(charts[k], support::to_svg(chart));
        in_json.push_back(s.as_json());
        support::write_file(file, in_json.dump(1) + "\n");
    }
    std::cout << "\n";
    out.list(std::cout);
    return 0;
}

}  // namespace networks
