// SPDX-License-Identifier: BSD-3-Clause
#include <networks/subject.hpp>

namespace networks {

template <class F>
auto subject::with_samples(F const& f) {
    if (entry_.as == shown::images) return f(images_);
    return entry_.as == shown::series ? f(series_) : f(rows_);
}

subject::subject(entry const& e, index_t batch) : net_(e.make()), batch_(batch), entry_(e) {
    auto const& n = e.sample;
    switch (e.as) {
        case shown::rows:
            rows_ = felt::uniform<float>({batch, n[0]}, 1);
            break;
        case shown::images:
            images_ = 0.1f * felt::normal<float>({batch, n[0], n[1], n[2]}, 1);
            break;
        case shown::words:
            rows_ = felt::cast<float>(felt::randint({n[0], batch}, 0, 10000, 1));
            break;
        case shown::series:
            series_ = felt::uniform<float>({n[0], batch, n[1]}, 1);
            break;
    }
    with_samples([&](auto const& x) { net_.prepare(x.extents()); });
    auto const y = net_.out().as<2>();
    if (e.labelled) labels_ = felt::randint({y.extents()[0]}, 0, y.extents()[1], 2);
    else values_ = felt::uniform<float>(y.extents(), 2);
    theta_ = net_.initial(3);
    g_ = vector(theta_.extents());
}

void subject::infer(felt::nn::mode how) {
    if (!deployed_) deployed_ = net_.fold(theta_);
    with_samples([&](auto const& x) { net_.infer(how, x, *deployed_); });
}
void subject::forward(felt::nn::mode how) {
    with_samples([&](auto const& x) { net_.forward(how, x, theta_); });
}
double subject::gradient(felt::nn::mode how) {
    deployed_.reset();
    return with_samples([&](auto const& x) {
        if (entry_.labelled)
            return net_.cost(how, x, felt::nn::cross_entropy(felt::view(labels_)), theta_, g_);
        return net_.cost(how, x, felt::nn::mean_square(felt::view(values_)), theta_, g_);
    });
}
void subject::step(felt::nn::mode how) {
    gradient(how);
    felt::nn::in_mode(how, [&](auto h) { run(h, assign(theta_, theta_ - 1e-4f * g_)); });
}

}  // namespace networks
