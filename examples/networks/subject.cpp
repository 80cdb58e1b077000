// SPDX-License-Identifier: BSD-3-Clause
#include <networks/subject.hpp>

namespace networks {

subject::subject(entry const& e, index_t batch)
    : net_(e.make()), batch_(batch), labelled_(e.labelled) {
    if (e.sample.size() == 1) {
        rows_ = felt::uniform<float>({batch, e.sample[0]}, 1);
        net_.prepare({batch, e.sample[0]});
    } else {
        images_ = 0.1f * felt::normal<float>({batch, e.sample[0], e.sample[1], e.sample[2]}, 1);
        net_.prepare({batch, e.sample[0], e.sample[1], e.sample[2]});
    }
    auto const y = net_.out().as<2>();
    if (labelled_) labels_ = felt::randint({batch}, 0, y.extents()[1], 2);
    else values_ = felt::uniform<float>(y.extents(), 2);
    theta_ = net_.initial(3);
    g_ = vector(theta_.extents());
}

template <class F>
auto subject::with_samples(F const& f) {
    return images_.size() > 0 ? f(images_) : f(rows_);
}

void subject::infer(felt::nn::mode how) {
    with_samples([&](auto const& x) { net_.infer(how, x, theta_); });
}
void subject::forward(felt::nn::mode how) {
    with_samples([&](auto const& x) { net_.forward(how, x, theta_); });
}
double subject::gradient(felt::nn::mode how) {
    return with_samples([&](auto const& x) {
        if (labelled_)
            return net_.cost(how, x, felt::nn::cross_entropy(felt::view(labels_)), theta_, g_);
        return net_.cost(how, x, felt::nn::mean_square(felt::view(values_)), theta_, g_);
    });
}
void subject::step(felt::nn::mode how) {
    gradient(how);
    felt::nn::in_mode(how, [&](auto h) { run(h, assign(theta_, theta_ - 1e-4f * g_)); });
}

}  // namespace networks
