// SPDX-License-Identifier: BSD-3-Clause
#include <networks/catalogue.hpp>
#include <networks/learn.hpp>
#include <nlohmann/json.hpp>
#include <support/chart.hpp>
#include <support/outputs.hpp>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <sstream>

namespace networks {

namespace {

using support::three_digits;

std::string four_digits(double score) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(4) << score;
    return text.str();
}

amount amount_of(job const& j) { return j.quick ? amount{2000, 500} : amount{}; }

data_set mnist_of(job const& j, std::uint64_t seed) { return mnist(j.data, amount_of(j), seed); }
data_set small_mnist_of(job const& j, std::uint64_t seed) {
    return small_mnist(j.data, amount_of(j), seed);
}
data_set cifar_of(job const& j, std::uint64_t seed) { return cifar10(j.data, amount_of(j), seed); }
data_set yacht_of(job const& j, std::uint64_t seed) { return yacht_hulls(j.data, seed); }
// The last tenth is for validation in the benchmark, which learns from the others.
data_set profiles_of(job const& j, std::uint64_t seed) {
    auto set = p1b1_profiles(j.data, seed, j.quick ? p1b1_size{1000, 200, 600} : p1b1_size{});
    index_t const n = set.train.count() * 9 / 10;
    felt::Tensor<float, 2> first({n, set.train.x.extent(1)}, felt::uninitialized);
    std::copy_n(set.train.x.data(), first.size(), first.data());
    samples const& all = set.train;
    return {{all.extents, std::move(first), {}, {}, all.classes}, std::move(set.test), set.source};
}
data_set none_of(job const&, std::uint64_t) { return {}; }

std::vector<lesson> all_lessons() {
    rule const momentum{rule::sgd, .01, .9, 0}, decayed{rule::sgd, .01, .9, 1e-4};
    return {
        {"softmax", "accuracy", mnist_of, 100, 2, {rule::sgd, .5}, 3, 1000},
        {"keras-dense", "accuracy", small_mnist_of, 32, 5, {rule::sgd, .01}, 3},
        {"trial",
         "accuracy",
         mnist_of,
         50,
         1,
         {rule::adam, 1e-4},
         1,
         0,
         ".9668 TensorFlow, .9756 Keras (document 001)"},
        {"keras-cnn",
         "accuracy",
         mnist_of,
         128,
         12,
         {rule::adadelta, 1},
         1,
         0,
         ".9925 (Keras, with 64 filters)"},
        {"alexnet-r", "accuracy", cifar_of, 100, 20, momentum, 3},
        {"resnet-20", "accuracy", cifar_of, 100, 10, decayed, 3},
        {"resnet-56", "accuracy", cifar_of, 100, 10, decayed, 1},
        {"yacht", "correlation", yacht_of, 41, 200, {rule::adam, .01}, 3},
        {"p1b1",
         "correlation",
         profiles_of,
         100,
         3,
         {rule::adam, .001},
         1,
         0,
         ".7808 (document 003, after 100 epochs)"},
        {"p3b1",
         "geometric mean of F1",
         none_of,
         10,
         10,
         {rule::sgd, .01},
         3,
         0,
         ".5637 (document 003)",
         learn_tasks},
        {"transfer", "accuracy", mnist_of, 50, 30, {rule::sgd, .1}, 3, 0, "", learn_transfer},
    };
}

felt::nn::net network_of(lesson const& l, samples const& s) {
    return l.network == "p1b1" ? make_p1b1(s.extents[0]) : find(l.network).make();
}

std::vector<double> last_scores(way const& w) {
    std::vector<double> last;
    for (auto const& s : w.scores) last.push_back(s.back());
    return last;
}

void print(std::vector<learned> const& all, std::ostream& out) {
    support::table t({{"network"},
                      {"by"},
                      {"seeds"},
                      {"epochs"},
                      {"batch"},
                      {"s an epoch"},
                      {"score"},
                      {"+-"},
                      {"of"}});
    for (learned const& l : all) {
        for (way const& w : l.ways)
            t.row({l.of.network, w.by, std::to_string(w.scores.size()),
                   std::to_string(w.scores[0].size()), std::to_string(l.of.batch),
                   w.seconds.empty()
                       ? ""
                       : three_digits(std::accumulate(w.seconds.begin(), w.seconds.end(), 0.0) /
                                      static_cast<double>(w.seconds.size())),
                   four_digits(w.mean()), w.scores.size() > 1 ? four_digits(w.deviation()) : "",
                   l.of.measure});
        if (!l.of.published.empty()) t.row({l.of.network, "published: " + l.of.published});
    }
    t.print(out);
    out << "\n";
    for (learned const& l : all)
        out << l.of.network << ": " << l.train << " samples to learn from, " << l.test
            << " to test by, " << l.source << "\n";
}

nlohmann::json as_json(learned const& l) {
    nlohmann::json one = {
        {"network", l.of.network},    {"measure", l.of.measure}, {"source", l.source},
        {"train", l.train},           {"test", l.test},          {"batch", l.of.batch},
        {"published", l.of.published}};
    for (way const& w : l.ways)
        one["ways"].push_back({{"by", w.by},
                               {"scores", w.scores},
                               {"seconds", w.seconds},
                               {"mean", w.mean()},
                               {"deviation", w.deviation()}});
    return one;
}

// Scores by epoch, mean of all seeds.
std::string chart_of(learned const& l) {
    support::line_chart chart{l.of.network, "epoch", l.of.measure};
    for (way const& w : l.ways) {
        support::series line{w.by, {}, {}};
        for (std::size_t e = 0; e < w.scores[0].size(); ++e) {
            double sum = 0;
            for (auto const& s : w.scores) sum += s[e];
            line.x.push_back(static_cast<double>(e + 1));
            line.y.push_back(sum / static_cast<double>(w.scores.size()));
        }
        chart.series.push_back(line);
    }
    return support::to_svg(chart);
}

std::vector<lesson> asked(job const& j) {
    auto const all = lessons(j);
    if (j.names.empty()) return all;
    std::vector<lesson> some;
    for (auto const& name : j.names) {
        auto const at = std::find_if(all.begin(), all.end(),
                                     [&](lesson const& l) { return l.network == name; });
        if (at != all.end()) {
            some.push_back(*at);
            continue;
        }
        std::string names;
        for (lesson const& l : all) names += " " + l.network;
        throw felt::error("no lesson for '" + name + "'. There are:" + names);
    }
    return some;
}

}  // namespace

double way::mean() const {
    auto const last = last_scores(*this);
    return std::accumulate(last.begin(), last.end(), 0.0) / static_cast<double>(last.size());
}
double way::deviation() const {
    if (scores.size() < 2) return 0;
    double sum = 0;
    for (double s : last_scores(*this)) sum += (s - mean()) * (s - mean());
    return std::sqrt(sum / static_cast<double>(scores.size() - 1));
}

std::vector<lesson> lessons(job const& j) {
    auto all = all_lessons();
    for (lesson& l : all) {
        if (j.quick) l.epochs = std::min(l.epochs, std::max(2, l.epochs / 4)), l.seeds = 1;
        if (j.epochs > 0) l.epochs = j.epochs, l.steps = 0;
        if (j.seeds > 0) l.seeds = j.seeds;
        if (j.batch > 0) l.batch = j.batch;
    }
    return all;
}

learned learn_one(lesson const& l, job const& j) {
    auto set = l.data(j, 1);
    if (find(l.network).as == shown::rows)
        for (samples* s : {&set.train, &set.test}) s->extents = {s->x.extent(1)};
    learned to{l, set.source, set.train.count(), set.test.count(), {{"Felt"}}};
    index_t const all = set.train.count() / l.batch;
    index_t const steps = l.steps > 0 ? std::min(l.steps, all * l.epochs) : all * l.epochs;
    lesson_progress shown(l, steps * l.seeds, j);
    way& w = to.ways[0];
    for (int seed = 1; seed <= l.seeds; ++seed) {
        learner one(network_of(l, set.train), set.train, l.batch, l.how,
                    static_cast<std::uint64_t>(seed));
        w.scores.emplace_back();
        for (index_t done = 0; done < steps; done += all) {
            support::stopwatch const clock;
            one.epoch(set.train, std::min(all, steps - done), [&](double c) { shown.step(c); });
            w.seconds.push_back(clock.seconds());
            w.scores.back().push_back(score(one.outputs(set.test), set.test));
            shown.scored(w.scores.back().back());
        }
    }
    return to;
}

int learn(job const& j) {
    bool const anew = !j.out_given && !j.force;
    support::outputs out(anew ? support::free_folder(j.out) : support::fs::path(j.out), j.force);
    auto const some = asked(j);
    auto const file = out.add("learned.json");
    std::vector<support::fs::path> charts;
    for (lesson const& l : some) charts.push_back(out.add(l.network + "-learned.svg"));
    out.prepare();
    felt::threads(j.threads);
    std::vector<learned> all;
    auto in_json = nlohmann::json::array();
    for (std::size_t k = 0; k < some.size(); ++k) {
        all.push_back(some[k].by(some[k], j));
        in_json.push_back(as_json(all.back()));
        support::write_file(file, in_json.dump(1) + "\n");
        support::write_file(charts[k], chart_of(all.back()));
    }
    std::cout << "\n";
    print(all, std::cout);
    std::cout << "\n";
    out.list(std::cout);
    return 0;
}

}  // namespace networks
