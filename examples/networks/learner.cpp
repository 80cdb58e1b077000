// SPDX-License-Identifier: BSD-3-Clause
#include <networks/candle.hpp>
#include <networks/learner.hpp>

namespace networks {

namespace nn = felt::nn;

template <class F>
auto learner::with_batch(F const& f) {
    if (images_.size() > 0) return f(images_);
    return f(rows_);
}

learner::learner(nn::net net, samples const& like, index_t batch, rule const& r, std::uint64_t seed)
    : net_(std::move(net)), batch_(batch), seed_(seed), step_(seed << 32) {
    if (batch > like.count())
        throw felt::shape_error("batches of " + std::to_string(batch) + " from " +
                                std::to_string(like.count()) + " samples");
    auto const& e = like.extents;
    if (e.size() == 3) images_ = decltype(images_)({batch, e[0], e[1], e[2]});
    else rows_ = felt::Tensor<float, 2>({batch, e[0]});
    with_batch([&](auto const& x) { net_.prepare(x.extents()); });
    if (like.classes > 0) labels_ = felt::Tensor<index_t, 1>({batch});
    else values_ = felt::Tensor<float, 2>({batch, like.targets().extent(1)});
    // Parameter k begins by this + k: no two seeds share a stream, nor one with masks or data.
    optimiser_.emplace(optimiser_of(net_.initial(seed << 48), r));
}

learner::optimiser learner::optimiser_of(vector theta, rule const& r) {
    if (r.kind == rule::adam) return felt::adam<float>(std::move(theta), r.as_adam());
    if (r.kind == rule::adadelta) return felt::adadelta<float>(std::move(theta), r.as_adadelta());
    return felt::sgd<float>(std::move(theta), r.as_sgd());
}

// Samples order[from ..], the last of them again where there are no more.
void learner::show(samples const& s, std::vector<index_t> const& order, index_t from) {
    index_t const size = s.x.extent(1);
    float* const x = images_.size() > 0 ? images_.data() : rows_.data();
    auto const last = static_cast<index_t>(order.size()) - 1;
    for (index_t k = 0; k < batch_; ++k) {
        index_t const i = order[static_cast<std::size_t>(std::min(from + k, last))];
        std::copy_n(s.x.data() + i * size, size, x + k * size);
        if (labels_.size() > 0 && s.labels.size() > 0) labels_(k) = s.labels(i);
        if (values_.size() == 0) continue;
        auto const& y = s.targets();
        std::copy_n(y.data() + i * y.extent(1), y.extent(1), values_.data() + k * y.extent(1));
    }
}

double learner::epoch(samples const& s, index_t steps, std::function<void(double)> const& after) {
    auto const order = shuffled(s.count(), seed_, epoch_++);
    index_t const all = s.count() / batch_;
    if (steps == 0 || steps > all) steps = all;
    auto const cost = [&](auto const& theta, auto& g) {
        return with_batch([&](auto const& x) {
            if (labels_.size() > 0)
                return net_.cost(felt::fused, x, nn::cross_entropy(felt::view(labels_)), theta, g,
                                 step_);
            return net_.cost(felt::fused, x, nn::mean_square(felt::view(values_)), theta, g, step_);
        });
    };
    double sum = 0;
    for (index_t k = 0; k < steps; ++k) {
        show(s, order, k * batch_);
        double const now =
            std::visit([&](auto& own) { return own.step(cost), own.cost(); }, *optimiser_);
        ++step_;
        if (!std::isfinite(now))
            throw felt::error("the cost of step " + std::to_string(step_ - (seed_ << 32)) +
                              " is no finite number");
        sum += now;
        if (after) after(now);
    }
    return sum / static_cast<double>(steps);
}

felt::Tensor<float, 2> learner::outputs(samples const& s) {
    std::vector<index_t> order(static_cast<std::size_t>(s.count()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<index_t>(i);
    felt::Tensor<float, 2> all({s.count(), net_.out().as<2>().extents()[1]}, felt::uninitialized);
    for (index_t from = 0; from < s.count(); from += batch_) {
        show(s, order, from);
        with_batch([&](auto const& x) { net_.infer(felt::fused, x, parameters()); });
        index_t const n = std::min(batch_, s.count() - from);
        felt::view(all.data() + from * all.extent(1), {n, all.extent(1)}) =
            felt::slice(net_.out().as<2>(), felt::range(0, n), felt::all());
    }
    return all;
}

learner::vector const& learner::parameters() const {
    return std::visit([](auto const& own) -> vector const& { return own.x(); }, *optimiser_);
}
void learner::put_first(vector const& some) {
    auto const put = [&]<class P>(std::string const& name, P& part) {
        if constexpr (std::is_same_v<P, vector>)
            if (name == "x") std::copy_n(some.data(), some.size(), part.data());
    };
    std::visit([&](auto& own) { own.each_part(put); }, *optimiser_);
}

felt::Tensor<index_t, 1> classes_of(felt::Tensor<float, 2> const& outputs) {
    return felt::argmax<1>(outputs);
}
double score(felt::Tensor<float, 2> const& outputs, samples const& s) {
    if (s.classes == 0) return correlation(outputs, s.targets());
    return static_cast<double>(index_t(felt::count_nonzero(felt::argmax<1>(outputs) == s.labels))) /
           static_cast<double>(s.count());
}

}  // namespace networks
