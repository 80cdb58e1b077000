// SPDX-License-Identifier: BSD-3-Clause
//
// Tests, samples, pictures and tables of a trained model.
#include <lstm/report.hpp>
#include <support/chart.hpp>
#include <iostream>

namespace lstm {

double perplexity(reader& m, vector_f const& theta, corpus& text, index_t n,
                  felt::communicator& ranks) {
    n = std::min(n, text.windows());
    if (n == 0) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    m.start(theta);
    for (index_t k = 0; k < n; ++k) {
        auto const b = text.window(k);
        sum += m.cost(b) / static_cast<double>(b.words.extent(0));
    }
    return std::exp(felt::sum(ranks, sum) / static_cast<double>(n));
}

std::string sample(place const& at, shape const& s, vector_f const& theta, vocabulary const& v,
                   bool words, int count, std::uint64_t seed) {
    auto const m = at.read(s, 1, 1);
    m->start(theta);
    auto random = support::stream_of(seed, 5);
    felt::Tensor<int, 2> now({1, 1});
    now(0, 0) = v.numbers({words ? "<eos>" : "\n"})[0];
    std::string text;
    for (int i = 0; i < count; ++i) {
        auto const w = felt::view(std::as_const(now));
        m->cost({w, w});
        auto const p = m->probabilities();
        double left = random.uniform();
        index_t next = 0;
        while (next + 1 < p.size() && left >= static_cast<double>(p(0, 0, next))) {
            left -= static_cast<double>(p(0, 0, next++));
        }
        now(0, 0) = static_cast<int>(next);
        // A model of more words than the text has may say one of those.
        std::string const name = static_cast<std::size_t>(next) < v.size()
                                     ? v.name(static_cast<std::size_t>(next))
                                     : "?";
        text += name == "<eos>" ? "\n" : words ? name + " " : name;
    }
    return text;
}

void draw_cost(path const& file, training const& t) {
    support::line_chart chart{"Setting '" + t.how.name + "': cost of each batch", "step",
                              "mean of -log p (nat per token)"};
    support::series s{"cost", {}, t.costs};
    for (std::size_t i = 0; i < t.costs.size(); ++i) s.x.push_back(static_cast<double>(i));
    chart.series = {s};
    support::write_file(file, support::to_svg(chart));
}

void draw_perplexity(path const& file, training const& t, double unigram) {
    support::line_chart chart{"Setting '" + t.how.name + "': perplexity of the text held out",
                              "step", "perplexity"};
    chart.series = {
        {"LSTM", t.tested, t.perplexities},
        {"how often tokens occur", t.tested, std::vector<double>(t.tested.size(), unigram)}};
    chart.log_y = true;
    support::write_file(file, support::to_svg(chart));
}

namespace {

// Seconds per mini-batch of 128, one thread, on a desktop i7-3820 and on a server's E5-2630.
struct published_row {
    char const* tool;
    double desktop32, server32, desktop64, server64;
};
constexpr published_row published[] = {{"CNTK", 4.393, 1.331, 8.218, 2.662},
                                       {"TensorFlow", 9.306, 2.168, 11.699, 4.402},
                                       {"Torch", 4.872, 2.067, 9.623, 4.054}};

void print_published(bool long_one, double seconds, std::ostream& out) {
    support::table t({{long_one ? "LSTM-64, batch 128" : "LSTM-32, batch 128"},
                      {"s per mini-batch"},
                      {"times ours"}});
    t.row({"here, one thread", support::three_digits(seconds), "1"});
    for (published_row const& r : published) {
        auto const row = [&](char const* where, double s) {
            t.row({std::string(r.tool) + where, support::three_digits(s),
                   support::three_digits(s / seconds)});
        };
        row(", i7-3820, one thread", long_one ? r.desktop64 : r.desktop32);
        row(", E5-2630, one thread", long_one ? r.server64 : r.server32);
    }
    t.print(out);
}

}  // namespace

bool report_comparison(place const& at, shape s, setting const& how, std::ostream& out) {
    bool const study = how.name == "words" && how.hidden == 256;
    if (study) s.vocabulary = std::max<index_t>(s.vocabulary, 10000);
    index_t const sequences = study ? 128 : how.batch;
    auto const c = at.compared(s, how.steps, sequences);
    if (!c.agree(out)) return false;
    support::table table = support::comparison_table(
        "batch of " + std::to_string(sequences) + ", " + std::to_string(how.steps) + " steps, " +
        std::to_string(s.vocabulary) + " tokens, " + at.name());
    add_rows(table, c.steps, "training step, ");
    add_rows(table, c.passes, "forward, ");
    table.print(out);
    if (study && (how.steps == 32 || how.steps == 64)) {
        out << "\n";
        print_published(how.steps == 64, c.steps.fused.median(), out);
    }
    return true;
}

}  // namespace lstm
