// SPDX-License-Identifier: BSD-3-Clause
#include <networks/learn_report.hpp>
#include <nlohmann/json.hpp>
#include <support/chart.hpp>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <sstream>

namespace networks {

namespace {

using nlohmann::json;
using support::three_digits;

std::string four_digits(double score) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(4) << score;
    return text.str();
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
    for (learned const& l : all) out << beside_torch(l);
}

json as_json(learned const& l) {
    json one = {{"network", l.of.network},    {"measure", l.of.measure}, {"source", l.source},
                {"train", l.train},           {"test", l.test},          {"batch", l.of.batch},
                {"published", l.of.published}};
    for (way const& w : l.ways)
        one["ways"].push_back({{"by", w.by},
                               {"seeds", w.seeds},
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

way const* find(learned const& l, std::string const& by) {
    for (way const& w : l.ways)
        if (w.by == by) return &w;
    return nullptr;
}

learned learned_of(json const& one) {
    learned l;
    l.of.network = one.at("network"), l.of.measure = one.at("measure");
    l.of.batch = one.at("batch"), l.of.published = one.at("published");
    l.source = one.at("source"), l.train = one.at("train"), l.test = one.at("test");
    for (json const& w : one.at("ways")) {
        l.ways.push_back({w.at("by"), w.at("seeds"), w.at("scores"), w.at("seconds")});
        auto const& last = l.ways.back();
        bool complete = !last.scores.empty() && last.seeds.size() == last.scores.size();
        for (auto const& s : last.scores)
            complete = complete && !s.empty() && s.size() == last.scores[0].size();
        if (!complete) throw felt::error("no scores for each seed and epoch");
    }
    if (l.ways.empty()) throw felt::error("no scores");
    return l;
}

void add(way& to, way const& more, std::string const& of) {
    if (to.scores[0].size() != more.scores[0].size())
        throw felt::error(of + " has other numbers of epochs");
    for (int seed : more.seeds)
        if (std::find(to.seeds.begin(), to.seeds.end(), seed) != to.seeds.end())
            throw felt::error(of + ": seed " + std::to_string(seed) + " is there already");
    to.seeds.insert(to.seeds.end(), more.seeds.begin(), more.seeds.end());
    to.scores.insert(to.scores.end(), more.scores.begin(), more.scores.end());
    to.seconds.insert(to.seconds.end(), more.seconds.begin(), more.seconds.end());
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

std::string to_json(std::vector<learned> const& all) {
    auto text = json::array();
    for (learned const& l : all) text.push_back(as_json(l));
    return text.dump(1) + "\n";
}

std::vector<learned> learned_in(std::string const& text, std::string const& from) {
    std::vector<learned> all;
    try {
        for (json const& one : json::parse(text)) all.push_back(learned_of(one));
    } catch (std::exception const& why) {
        throw felt::error(from + ": no scores of learned networks: " + why.what());
    }
    return all;
}

void add(std::vector<learned>& all, learned const& more, std::string const& from) {
    auto const at = std::find_if(all.begin(), all.end(),
                                 [&](learned const& l) { return l.of.network == more.of.network; });
    if (at == all.end()) return all.push_back(more);
    auto const facts = [](learned const& l) {
        return std::tuple(l.of.measure, l.train, l.test, l.of.batch);
    };
    std::string const of = from + ": " + more.of.network;
    if (facts(*at) != facts(more)) throw felt::error(of + " is not the same lesson");
    for (way const& w : more.ways) {
        auto const same = std::find_if(at->ways.begin(), at->ways.end(),
                                       [&](way const& other) { return other.by == w.by; });
        if (same == at->ways.end()) at->ways.push_back(w);
        else add(*same, w, of + " by " + w.by);
    }
}

std::string beside_torch(learned const& l) {
    way const *ours = find(l, "Felt"), *peer = find(l, "PyTorch");
    if (ours == nullptr || peer == nullptr) return "";
    double const apart = ours->mean() - peer->mean(), deviation = peer->deviation();
    std::string text = l.of.network + ": Felt is " + four_digits(std::abs(apart)) +
                       (apart < 0 ? " below" : " above") + " PyTorch";
    if (deviation <= 0) return text + ", of whose deviation one seed says nothing\n";
    double const times = std::abs(apart) / deviation;
    std::ostringstream rounded;
    rounded << std::fixed << std::setprecision(2) << times;
    return text + ", " + rounded.str() +
           " of its standard deviations: " + (times <= 1 ? "within one\n" : "not within one\n");
}

learned_files::learned_files(job const& j, std::vector<std::string> const& networks)
    : out_(j.out_given || j.force ? support::fs::path(j.out) : support::free_folder(j.out),
           j.force),
      json_(out_.add("learned.json")) {
    for (auto const& name : networks) charts_.push_back(out_.add(name + "-learned.svg"));
    out_.prepare();
}

void learned_files::write(std::vector<learned> const& all) const {
    support::write_file(json_, to_json(all));
    for (std::size_t k = 0; k < all.size(); ++k) support::write_file(charts_[k], chart_of(all[k]));
}

void learned_files::report(std::vector<learned> const& all) const {
    std::cout << "\n";
    print(all, std::cout);
    std::cout << "\n";
    out_.list(std::cout);
}

int add_learned(job const& j) {
    std::vector<learned> all;
    for (std::string const& file : j.add) {
        auto const bytes = support::read_file(file);
        for (learned const& l : learned_in({bytes.begin(), bytes.end()}, file)) add(all, l, file);
    }
    std::vector<std::string> names;
    for (learned const& l : all) names.push_back(l.of.network);
    learned_files const files(j, names);
    files.write(all);
    files.report(all);
    return 0;
}

}  // namespace networks
