// SPDX-License-Identifier: BSD-3-Clause
//
// A training run and its file: what a resumed run needs to go on as if it had never stopped.
// Random numbers are counted from the seed: the order of epoch e and the draws of step i follow
// from seed and e or i.
#pragma once
#include <cnn/data.hpp>
#include <cnn/steps.hpp>
#include <support/fingerprint.hpp>

namespace cnn {

struct training : course {
    std::int64_t data = 0;  // fingerprint of the images
    cnn::optimiser<> optimiser;
    std::vector<double> costs = {};                    // of each step's batch, before the step
    std::vector<double> tested = {}, accuracies = {};  // in per cent, after these many steps

    training(setting const& s, vector_f start, digits const& d, std::uint64_t seed_of_all)
        : course{s, seed_of_all, d.count()},
          data(support::fingerprint_of(d.x)),
          optimiser(felt::sgd<float>(vector_f{})) {
        if (per_epoch() == 0) throw felt::error("a batch is larger than all images");
        if (s.network == "trial") optimiser = felt::adam<float>(std::move(start), trial_rates);
        else optimiser = felt::sgd<float>(std::move(start));
    }

    // Where it stands when no step is made.
    index_t iteration() const { return iteration_of(optimiser); }
    vector_f const& theta() const { return theta_of(optimiser); }
};

inline felt::npz to_npz(training& t) {
    felt::npz file;
    support::put_name(file, "network", t.how.network);
    file.put("batch", t.how.batch), file.put("filters", t.how.filters);
    file.put("seed", static_cast<std::int64_t>(t.seed));
    file.put("data", t.data), file.put("images", t.images);
    support::put_list(file, "costs", t.costs);
    support::put_list(file, "tested", t.tested);
    support::put_list(file, "accuracies", t.accuracies);
    std::visit([&](auto& o) { support::put_parts(file, o); }, t.optimiser);
    return file;
}

// The network and the sizes that were saved; how long to train is not among them.
inline setting setting_of(felt::npz const& file) {
    setting s = setting_of(support::name_in(file, "network", {"study", "trial", "softmax"}));
    if (file.contains("layout.rows") || file.contains("layout.channels-last")) {
        throw felt::io_error(
            file.file + ": was saved by an older version, whose parameters lie in another order");
    }
    s.batch = support::count_in(file, "batch");
    s.filters = support::count_in(file, "filters", 65536);
    return s;
}

// Goes on from `file`; t has been made for the same network and data.
inline void from_npz(felt::npz const& file, training& t) {
    support::check_data(file, t.data, "training on other data");
    t.seed = static_cast<std::uint64_t>(file.scalar<std::int64_t>("seed"));
    std::visit([&](auto& o) { support::get_parts(file, o); }, t.optimiser);
    t.costs = support::list_in(file, "costs", static_cast<std::size_t>(t.iteration()));
    t.tested = file.values<double>("tested");
    t.accuracies = support::list_in(file, "accuracies", t.tested.size());
}

}  // namespace cnn
