// SPDX-License-Identifier: BSD-3-Clause
//
// A training run and its file: what a resumed run needs to go on as if it had never stopped. The
// parameters are in it under their names, so that it is also a file to import.
#pragma once
#include <felt/nn/initial.hpp>
#include <resnet/batches.hpp>
#include <resnet/layers.hpp>
#include <resnet/setting.hpp>

namespace resnet {

using vector_f = felt::Tensor<float, 1>;

// As PyTorch's residual networks begin: filters normal for the outputs that they have, gamma 1,
// beta 0; the last layer uniform in [-r, r), r = 1 / sqrt(features).
template <class T, class Layout>
felt::Tensor<T, 1> initial_parameters(shape const& s, layers<Layout> const& l, std::uint64_t seed) {
    felt::Tensor<T, 1> theta({l.trained.size()});
    std::uint64_t number = 0;
    auto const start = [&](conv_norm_layer<Layout> const& of) {
        auto w = of.w.in(theta);
        auto gamma = of.gamma.in(theta);
        w = felt::he_normal<T>(w.extents(), felt::fan_out(w.extents()),
                               support::stream_of(seed, number++).next());
        gamma = T(1);
    };
    start(l.stem);
    for (auto const& b : l.blocks) {
        for (auto const& of : b.units) start(of);
        for (auto const& of : b.projection) start(of);
    }
    auto w = l.w.in(theta);
    auto b = l.b.in(theta);
    auto const r = static_cast<T>(1 / std::sqrt(static_cast<double>(s.features())));
    w = (2 * felt::uniform<T>(w.extents(), support::stream_of(seed, number).next()) - 1) * r;
    b = (2 * felt::uniform<T>(b.extents(), support::stream_of(seed, number + 1).next()) - 1) * r;
    return theta;
}

// Means 0, variances 1.
template <class T, class Layout>
felt::Tensor<T, 1> initial_running(layers<Layout> const& l) {
    felt::Tensor<T, 1> running({l.running.size()});
    auto const start = [&](conv_norm_layer<Layout> const& of) {
        auto variance = of.variance.in(running);
        variance = T(1);
    };
    start(l.stem);
    for (auto const& b : l.blocks) {
        for (auto const& of : b.units) start(of);
        for (auto const& of : b.projection) start(of);
    }
    return running;
}

struct training {
    setting how;
    std::uint64_t seed = 1;
    std::int64_t data = 0;  // fingerprint of the images
    index_t images = 0;
    resnet::layers<> layers;
    felt::sgd<float> optimiser;
    vector_f running;
    std::vector<double> costs = {}, right = {};        // of each step's batch; right: in per cent
    std::vector<double> tested = {}, accuracies = {};  // in per cent, after these many steps

    training(setting const& s, pictures const& p, std::uint64_t seed_of_all)
        : how(s),
          seed(seed_of_all),
          data(p.fingerprint()),
          images(p.count()),
          layers(shape_of(s)),
          optimiser(initial_parameters<float>(shape_of(s), layers, seed_of_all)),
          running(initial_running<float>(layers)) {
        if (per_epoch() == 0) throw felt::error("a batch is larger than all images");
    }

    index_t per_epoch() const { return images / how.batch; }
    index_t total() const {
        index_t const all = how.epochs * per_epoch();
        return how.iterations > 0 ? std::min(all, how.iterations) : all;
    }
};

// What can be imported, by torchvision's names.
inline felt::npz to_import(training const& t) {
    felt::npz file;
    t.layers.trained.put(file, t.optimiser.x());
    t.layers.running.put(file, t.running);
    return file;
}
inline void import_into(training& t, felt::npz const& file) {
    vector_f theta(t.optimiser.x().extents());
    t.layers.trained.get(file, theta);
    t.layers.running.get(file, t.running);
    t.optimiser = felt::sgd<float>(std::move(theta));
}

inline felt::npz to_npz(training& t) {
    felt::npz file = to_import(t);
    t.optimiser.each_part([&](std::string const& name, auto& part) {
        if (name != "x") file.put("optimiser." + name, std::as_const(part));
    });
    file.put("layers", t.how.layers), file.put("width", t.how.width);
    file.put("batch", t.how.batch), file.put("epochs", t.how.epochs);
    file.put("side", t.how.side), file.put("classes", t.how.classes);
    file.put("large", std::int64_t{t.how.large});
    file.put("stride_first", std::int64_t{t.how.stride_first});
    file.put("rate", t.how.rate), support::put_name(file, "schedule", t.how.schedule);
    support::put_name(file, "batch-norm", t.how.batch_norm);
    file.put("seed", static_cast<std::int64_t>(t.seed));
    file.put("data", t.data), file.put("images", t.images);
    support::put_list(file, "costs", t.costs), support::put_list(file, "right", t.right);
    support::put_list(file, "tested", t.tested);
    support::put_list(file, "accuracies", t.accuracies);
    return file;
}

inline setting setting_of(felt::npz const& file) {
    setting s;
    s.schedule = support::name_in(file, "schedule", {"steps", "warm-up", "imagenet"});
    s.batch_norm = support::name_in(file, "batch-norm", {"synchronised", "local"});
    s.layers = support::count_in(file, "layers", 4096), s.width = support::width_in(file, "width");
    s.batch = support::count_in(file, "batch"), s.epochs = support::count_in(file, "epochs");
    s.rate = file.scalar<double>("rate");
    s.side = support::count_in(file, "side", 65536), s.classes = support::count_in(file, "classes");
    s.large = file.scalar<std::int64_t>("large") != 0;
    s.stride_first = file.scalar<std::int64_t>("stride_first") != 0;
    return s;
}

// Goes on from `file`; t has been made for the same network and data.
inline void from_npz(felt::npz const& file, training& t) {
    support::check_data(file, t.data, "training on other data");
    t.seed = static_cast<std::uint64_t>(file.scalar<std::int64_t>("seed"));
    import_into(t, file);
    t.optimiser.each_part([&]<class P>(std::string const& name, P& part) {
        if constexpr (felt::element<P>) part = support::part_in<P>(file, "optimiser." + name);
        else if (name != "x") file.get("optimiser." + name, part);
    });
    auto const steps = static_cast<std::size_t>(t.optimiser.iteration());
    t.costs = support::list_in(file, "costs", steps);
    bool const counted = !file.values<double>("right").empty();  // by who trains
    t.right = support::list_in(file, "right", counted ? steps : 0);
    t.tested = file.values<double>("tested");
    t.accuracies = support::list_in(file, "accuracies", t.tested.size());
}

}  // namespace resnet
