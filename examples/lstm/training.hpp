// SPDX-License-Identifier: BSD-3-Clause
//
// A training run and its file: what a resumed run needs to go on as if it had never stopped, the
// state of the layers among it.
#pragma once
#include <felt/nn/clip.hpp>
#include <felt/nn/sgd.hpp>
#include <felt/npz_arrays.hpp>
#include <lstm/corpus.hpp>
#include <lstm/net.hpp>
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
    index_t iteration() const { return optimiser.iteration(); }
    vector_f const& theta() const { return optimiser.x(); }

    void step(corpus& text) {
        index_t const k = iteration() % per_epoch;
        if (k == 0) model.reset();
        auto const b = text.window(k);
        optimiser.step([&](vector_f const& theta, vector_f& g) {
            double const cost = model.cost_and_gradient(felt::fused, b, theta, g);
            felt::clip_by_norm(g, how.clip);
            return cost;
        });
        model.carry();
        costs.push_back(optimiser.cost() / static_cast<double>(how.steps));
    }
};

inline felt::npz to_npz(training& t) {
    felt::npz file;
    file.put("setting." + t.how.name, std::int64_t{1});
    file.put("batch", t.how.batch), file.put("steps", t.how.steps);
    file.put("hidden", t.how.hidden), file.put("rate", t.how.rate);
    file.put("seed", static_cast<std::int64_t>(t.seed)), file.put("data", t.data);
    auto const list = [&](char const* name, std::vector<double> const& v) {
        file.put(name, {static_cast<index_t>(v.size())}, v);
    };
    list("costs", t.costs), list("tested", t.tested), list("perplexities", t.perplexities);
    t.optimiser.each_part([&](std::string const& name, auto& part) {
        file.put("optimiser." + name, std::as_const(part));
    });
    t.model.each_state(
        [&](std::string const& name, auto const& state) { file.put("state." + name, state); });
    return file;
}

// What was saved, but for how long to train.
inline setting setting_of(felt::npz const& file) {
    for (char const* name : {"words", "characters"}) {
        if (!file.contains(std::string("setting.") + name)) continue;
        setting s = setting_of(name);
        s.batch = file.scalar<std::int64_t>("batch");
        s.steps = file.scalar<std::int64_t>("steps");
        s.hidden = file.scalar<std::int64_t>("hidden");
        s.rate = file.scalar<double>("rate");
        return s;
    }
    throw felt::io_error(file.file + ": is no saved state of this example");
}

// Goes on from `file`; t has been made for the same setting and text.
inline void from_npz(felt::npz const& file, training& t) {
    if (file.scalar<std::int64_t>("data") != t.data) {
        throw felt::io_error(file.file + ": was saved while training on another text");
    }
    t.costs = file.values<double>("costs");
    t.tested = file.values<double>("tested");
    t.perplexities = file.values<double>("perplexities");
    t.optimiser.each_part([&]<class P>(std::string const& name, P& part) {
        if constexpr (felt::element<P>) part = file.scalar<P>("optimiser." + name);
        else file.get("optimiser." + name, part);
    });
    t.model.each_state(
        [&](std::string const& name, auto const& state) { file.get("state." + name, state); });
}

}  // namespace lstm
