// SPDX-License-Identifier: BSD-3-Clause
//
// A training run and its file: what a resumed run needs to go on as if it had never stopped.
// Random numbers are counted from the seed: the order of epoch e and the draws of step i follow
// from seed and e or i.
#pragma once
#include <cnn/batch.hpp>
#include <cnn/data.hpp>
#include <cnn/setting.hpp>
#include <support/fingerprint.hpp>
#include <variant>

namespace cnn {

using vector_f = felt::Tensor<float, 1>;

struct training {
    setting how;
    std::uint64_t seed = 1;
    std::int64_t data = 0;  // fingerprint of the images
    index_t images = 0;
    std::variant<felt::sgd<float>, felt::adam<float>> optimiser;
    std::vector<double> costs = {};                    // of each step's batch, before the step
    std::vector<double> tested = {}, accuracies = {};  // in per cent, after these many steps

    training(setting const& s, vector_f start, digits const& d, std::uint64_t seed_of_all)
        : how(s),
          seed(seed_of_all),
          data(support::fingerprint_of(d.x)),
          images(d.count()),
          optimiser(felt::sgd<float>(vector_f{})) {
        if (per_epoch() == 0) throw felt::error("a batch is larger than all images");
        if (s.network == "trial") optimiser = felt::adam<float>(std::move(start), trial_rates);
        else optimiser = felt::sgd<float>(std::move(start));
    }

    index_t per_epoch() const { return images / how.batch; }  // a last part of a batch is dropped
    index_t total() const { return how.iterations > 0 ? how.iterations : how.epochs * per_epoch(); }
    index_t iteration() const {
        return std::visit([](auto const& o) { return o.iteration(); }, optimiser);
    }
    vector_f const& theta() const {
        return std::visit([](auto const& o) -> auto const& { return o.x(); }, optimiser);
    }

    // cost(theta, gradient) of this step's batch.
    template <class Cost>
    void step(Cost&& cost) {
        if (auto* const o = std::get_if<felt::sgd<float>>(&optimiser)) {
            o->options(schedule(how, iteration(), per_epoch()));
        }
        std::visit([&](auto& o) { o.step(cost), costs.push_back(o.cost()); }, optimiser);
    }
};

// The images of each step, in this epoch's order.
class batches {
public:
    batches(training const& t, digits const& d)
        : t_(t), d_(d), x_({t.how.batch, 1, 28, 28}), y_({t.how.batch}) {}

    batch<float> next() {
        index_t const i = t_.iteration(), n = t_.how.batch, k = i % t_.per_epoch();
        if (i / t_.per_epoch() != epoch_) {
            epoch_ = i / t_.per_epoch();
            order_ = shuffled(d_.count(), t_.seed, epoch_);
        }
        auto const chosen = slice(order_, felt::range(k * n, (k + 1) * n));
        x_ = felt::gather<0>(d_.x, chosen);
        y_ = felt::gather<0>(d_.y, chosen);
        return {felt::view(std::as_const(x_)), felt::view(std::as_const(y_)),
                support::stream_of(~t_.seed, static_cast<std::uint64_t>(i)).next()};
    }

private:
    training const& t_;
    digits const& d_;
    felt::Tensor<float, 4> x_;
    felt::Tensor<index_t, 1> y_, order_;
    index_t epoch_ = -1;
};

inline felt::npz to_npz(training& t) {
    felt::npz file;
    support::put_name(file, "network", t.how.network);
    support::put_name(file, "layout", t.how.layout);
    file.put("batch", t.how.batch), file.put("filters", t.how.filters);
    file.put("seed", static_cast<std::int64_t>(t.seed));
    file.put("data", t.data), file.put("images", t.images);
    support::put_list(file, "costs", t.costs);
    support::put_list(file, "tested", t.tested);
    support::put_list(file, "accuracies", t.accuracies);
    std::visit([&](auto& o) { support::put_parts(file, o); }, t.optimiser);
    return file;
}

// The network, layout and sizes that were saved; how long to train is not among them.
inline setting setting_of(felt::npz const& file) {
    auto const name = [&](char const* option, std::vector<std::string> const& names) {
        return support::name_in(file, option, names);
    };
    setting s = setting_of(name("network", {"study", "trial", "softmax"}));
    s.layout = name("layout", {"rows", "channels-last"});
    s.batch = file.scalar<std::int64_t>("batch");
    s.filters = file.scalar<std::int64_t>("filters");
    return s;
}

// Goes on from `file`; t has been made for the same network and data.
inline void from_npz(felt::npz const& file, training& t) {
    support::check_data(file, t.data, "training on other data");
    t.seed = static_cast<std::uint64_t>(file.scalar<std::int64_t>("seed"));
    t.costs = file.values<double>("costs");
    t.tested = file.values<double>("tested");
    t.accuracies = file.values<double>("accuracies");
    std::visit([&](auto& o) { support::get_parts(file, o); }, t.optimiser);
}

}  // namespace cnn
