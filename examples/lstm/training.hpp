// SPDX-License-Identifier: BSD-3-Clause
//
// A training run and its file: what a resumed run needs to go on as if it had never stopped, the
// state of the layers among it.
#pragma once
#include <lstm/corpus.hpp>
#include <lstm/learner.hpp>
#include <lstm/setting.hpp>
#include <support/fingerprint.hpp>

namespace lstm {

struct training {
    setting how;
    std::uint64_t seed = 1;
    std::int64_t data = 0;  // fingerprint of the text
    index_t per_epoch = 0;
    net& model;
    felt::sgd<float> optimiser;
    std::vector<double> costs = {};                      // of each step, before it, in nat a token
    std::vector<double> tested = {}, perplexities = {};  // after these many steps
    felt::communicator* ranks = &felt::alone;            // who share each batch

    training(setting const& s, net& m, vector_f start, corpus const& text, std::uint64_t from)
        : how(s),
          seed(from),
          data(support::fingerprint(std::as_bytes(std::span(text.text())))),
          per_epoch(text.windows()),
          model(m),
          optimiser(std::move(start), {.rate = s.rate}) {
        if (per_epoch < 1) throw felt::error("the text is shorter than one batch");
    }

    index_t total() const { return how.iterations > 0 ? how.iterations : how.epochs * per_epoch; }
    // Where it stands when no step is made.
    index_t iteration() const { return optimiser.iteration(); }
    vector_f const& theta() const { return optimiser.x(); }

    void step(trainer& by, corpus& text) {
        index_t const k = by.iteration() % per_epoch;
        costs.push_back(by.step(text.window(k), k == 0) / static_cast<double>(how.steps));
    }
};

// The rows of all ranks, of which each has its own; and these of those.
template <class V>
felt::Tensor<float, 2> all_rows(training const& t, V const& own) {
    auto const rows = felt::shard_of(t.how.batch, *t.ranks);
    felt::Tensor<float, 2> all({rows.of, own.extent(1)});
    slice(all, felt::range(rows.begin, rows.end), felt::all()) = own;
    felt::sum(*t.ranks, all);
    return all;
}
template <class V>
void own_rows(training const& t, felt::Tensor<float, 2> const& all, V own) {
    auto const rows = felt::shard_of(t.how.batch, *t.ranks);
    own = slice(all, felt::range(rows.begin, rows.end), felt::all());
}

// All ranks make it, one of them may write it.
inline felt::npz to_npz(training& t) {
    felt::npz file;
    support::put_name(file, "setting", t.how.name);
    file.put("batch", t.how.batch), file.put("steps", t.how.steps);
    file.put("hidden", t.how.hidden), file.put("rate", t.how.rate);
    file.put("seed", static_cast<std::int64_t>(t.seed)), file.put("data", t.data);
    support::put_list(file, "costs", t.costs);
    support::put_list(file, "tested", t.tested);
    support::put_list(file, "perplexities", t.perplexities);
    support::put_parts(file, t.optimiser);
    t.model.each_state([&](std::string const& name, auto const& state) {
        file.put("state." + name, all_rows(t, state));
    });
    return file;
}

// What was saved, but for how long to train.
inline setting setting_of(felt::npz const& file) {
    std::vector<std::string> const names = {"words", "characters"};
    setting s = setting_of(support::name_in(file, "setting", names));
    s.batch = support::count_in(file, "batch");
    s.steps = support::count_in(file, "steps");
    s.hidden = support::width_in(file, "hidden");
    s.rate = file.scalar<double>("rate");
    return s;
}

// Goes on from `file`; t has been made for the same setting and text.
inline void from_npz(felt::npz const& file, training& t) {
    support::check_data(file, t.data, "training on another text");
    support::get_parts(file, t.optimiser);
    t.costs = support::list_in(file, "costs", static_cast<std::size_t>(t.iteration()));
    t.tested = file.values<double>("tested");
    t.perplexities = support::list_in(file, "perplexities", t.tested.size());
    t.model.each_state([&](std::string const& name, auto const& state) {
        felt::Tensor<float, 2> all({t.how.batch, state.extent(1)});
        file.get("state." + name, all);
        own_rows(t, all, state);
    });
}

}  // namespace lstm
