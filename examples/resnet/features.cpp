// SPDX-License-Identifier: BSD-3-Clause
#include <resnet/features.hpp>
#include <felt/npy_format.hpp>
#include <felt/npz.hpp>
#include <resnet/data.hpp>
#include <resnet/report.hpp>
#include <support/outputs.hpp>
#include <iostream>

namespace resnet {

matrix_f features_of(place const& at, shape const& s, vector_f const& theta,
                     vector_f const& running, pictures const& p) {
    shape wide = s;
    wide.classes = s.features();
    layers<> const l(wide);
    vector_f seen({l.trained.size()});
    std::copy_n(theta.data(), l.w.offset, seen.data());
    auto w = l.w.in(seen);
    w = felt::one_hot<float>(felt::iota<index_t>({wide.classes}), wide.classes);
    auto const by = at.read(wide, std::min<index_t>(50, p.count()));
    by->start(seen, running);
    shown some(p, by->count());
    matrix_f all({p.count(), wide.classes});
    for (index_t i = 0; i < p.count(); i += by->count()) {
        index_t const n = some.fill(i);
        matrix_f const y = by->logits(felt::fused, some.view());
        std::copy_n(y.data(), n * wide.classes, all.data() + i * wide.classes);
    }
    return all;
}

linear_classifier::linear_classifier(matrix_f const& x, felt::Tensor<index_t, 1> const& y,
                                     index_t classes, index_t steps)
    : mean_({1, x.extent(1)}), inverse_({1, x.extent(1)}), w_({classes, x.extent(1) + 1}) {
    index_t const m = x.extent(0), n = x.extent(1);
    mean_ = felt::mean<0>(x, felt::keepdims);
    inverse_ = 1 / sqrt(felt::mean<0>(square(x - mean_), felt::keepdims) + 1e-6f);
    matrix_f const seen = felt::concat<1>((x - mean_) * inverse_, felt::full<float>({m, 1}, 1));
    matrix_f p({m, classes}), d({m, classes});
    auto const hit = felt::one_hot<float>(felt::view(y), classes);
    felt::sgd<float> optimiser(vector_f({w_.size()}));
    // A bound of the curvature is half the mean square of a row, n + 1.
    optimiser.options(
        {.rate = 1 / static_cast<double>(n + 1), .momentum = 0.9, .weight_decay = 1e-3});
    for (index_t i = 0; i < steps; ++i) {
        optimiser.step([&](vector_f const& theta, vector_f& gradient) {
            auto const w = felt::view(theta.data(), {classes, n + 1});
            auto g = felt::view(gradient.data(), {classes, n + 1});
            p = felt::log_softmax<1>(felt::einsum<"nf,kf->nk">(seen, w));
            d = (exp(p) - hit) * (1 / static_cast<float>(m));
            g = felt::einsum<"nk,nf->kf">(d, seen);
            return -double(float(sum(p * hit))) / static_cast<double>(m);
        });
    }
    w_ = felt::view(optimiser.x().data(), {classes, n + 1});
}

matrix_f linear_classifier::logits(matrix_f const& x) const {
    index_t const n = x.extent(1);
    auto const w = slice(w_, felt::all(), felt::range(0, n));
    auto const b = slice(w_, felt::all(), n);
    return felt::einsum<"nf,kf->nk">((x - mean_) * inverse_, w) + b;
}

namespace {

felt::Tensor<index_t, 1> labels_of(pictures const& p) {
    felt::Tensor<index_t, 1> y({p.count()});
    for (index_t i = 0; i < p.count(); ++i) y(i) = p.label(i);
    return y;
}

void write_npy(path const& file, matrix_f const& x) {
    std::string const head = felt::detail::npy_head({"<f4", false, {x.extent(0), x.extent(1)}});
    auto const bytes = static_cast<std::size_t>(x.size()) * sizeof(float);
    support::write_file(file, head + std::string(reinterpret_cast<char const*>(x.data()), bytes));
}

}  // namespace

int features(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    std::string const from = j.resume.empty() ? j.import_from : j.resume;
    if (from.empty()) {
        throw felt::error("--features is of a network that has learned: --import or --resume FILE");
    }
    felt::npz const file = felt::load_npz(from);
    setting s = chosen(j, j.resume.empty() ? setting{} : setting_of(file));
    support::outputs out(j);
    path const to = out.add_file(j.features);
    out.prepare();
    at.threads(j.threads);
    data const d = load(j, s);
    if (j.resume.empty()) s.classes = file.array("fc.weight").extents.at(0);
    layers<> const l(shape_of(s));
    vector_f theta({l.trained.size()}), running({l.running.size()});
    l.trained.get(file, theta), l.running.get(file, running);
    matrix_f const x = features_of(at, shape_of(s), theta, running, *d.train);
    matrix_f const others = features_of(at, shape_of(s), theta, running, *d.test);
    write_npy(to, x);
    std::cout << s.name() << " sees " << x.extent(1) << " values in each of " << x.extent(0)
              << " images: " << d.train->source() << "\n";
    linear_classifier const by(x, labels_of(*d.train), d.train->classes());
    std::cout << "right by a softmax on them: "
              << support::three_digits(ranked(by.logits(x), *d.train).top1) << " % of these, "
              << support::three_digits(ranked(by.logits(others), *d.test).top1) << " % of "
              << others.extent(0) << " images held out\n\n";
    out.list(std::cout);
    return 0;
}

}  // namespace resnet
