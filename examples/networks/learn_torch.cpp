// SPDX-License-Identifier: BSD-3-Clause
#include <felt/npz.hpp>
#include <networks/learn_report.hpp>
#include <networks/learn_torch.hpp>
#include <networks/torch.hpp>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace networks {

namespace {

using nlohmann::json;
using support::fs::path;

json as_json(rule const& r) {
    if (r.kind == rule::adam) {
        auto const o = r.as_adam();
        return {{"kind", "adam"},
                {"rate", o.rate},
                {"beta1", o.beta1},
                {"beta2", o.beta2},
                {"epsilon", o.epsilon}};
    }
    if (r.kind == rule::adadelta) {
        auto const o = r.as_adadelta();
        return {{"kind", "adadelta"}, {"rate", o.rate}, {"rho", o.rho}, {"epsilon", o.epsilon}};
    }
    return {{"kind", "sgd"},
            {"rate", r.rate},
            {"momentum", r.momentum},
            {"weight_decay", r.weight_decay}};
}

// In the order in which PyTorch has them, too.
json parameters_of(felt::nn::net& net, samples const& s) {
    static constexpr char const* kinds[] = {"equal",   "normal", "truncated",
                                            "uniform", "he",     "glorot"};
    auto const& e = s.extents;
    if (e.size() == 3) net.prepare({1, e[0], e[1], e[2]});
    else net.prepare({1, e[0]});
    auto all = json::array();
    auto const& entries = net.parameters().entries();
    for (std::size_t k = 0; k < entries.size(); ++k) {
        auto const& by = net.beginnings()[k];
        all.push_back({{"name", entries[k].name},
                       {"extents", entries[k].extents},
                       {"begin", kinds[by.kind]},
                       {"value", by.value}});
    }
    return all;
}

void put(felt::npz& to, std::string const& part, samples const& s) {
    to.put(part + "_x", s.x);
    if (s.labels.size() > 0) to.put(part + "_y", s.labels);
    if (s.values.size() > 0) to.put(part + "_y", s.values);
}

struct temporary_folder {
    path name = support::fs::temp_directory_path() / ("felt-lesson-" + std::to_string(getpid()));

    ~temporary_folder() {
        std::error_code ignored;
        support::fs::remove_all(name, ignored);
    }
};

}  // namespace

void write_lesson(lesson const& l, job const& j, path const& folder) {
    auto const sets = l.data(j);
    std::error_code error;
    support::fs::create_directories(folder, error);
    if (error) throw felt::io_error(folder.string() + ": cannot be written: " + error.message());
    json all = {
        {"network", l.network}, {"measure", l.measure},     {"source", sets[0].source},
        {"batch", l.batch},     {"published", l.published}, {"epochs", l.epochs},
        {"steps", l.steps},     {"rule", as_json(l.how)},   {"first_seed", l.first_seed},
        {"seeds", l.seeds},     {"threads", j.threads},     {"shared_layers", l.shared_layers}};
    for (std::size_t t = 0; t < sets.size(); ++t) {
        felt::npz data;
        put(data, "train", sets[t].train), put(data, "test", sets[t].test);
        std::string const name = std::to_string(t) + ".npz";
        felt::save_npz((folder / name).string(), data);
        auto net = network_of(l, sets[t].train);
        all["tasks"].push_back({{"data", name},
                                {"extents", sets[t].train.extents},
                                {"classes", sets[t].train.classes},
                                {"parameters", parameters_of(net, sets[t].train)}});
    }
    support::write_file(folder / "lesson.json", all.dump(1) + "\n");
}

learned learn_by_torch(lesson const& l, job const& j) {
    temporary_folder const folder;
    write_lesson(l, j, folder.name);
    std::vector<std::string> words = {"learn", folder.name.string()};
    if (j.quiet) words.push_back("--quiet");
    auto const all = learned_in(torch_says(j.python, words),
                                "what PyTorch learns of " + l.network + " by --python " + j.python);
    if (all.size() != 1) throw felt::error("PyTorch learned no " + l.network);
    return all[0];
}

}  // namespace networks
