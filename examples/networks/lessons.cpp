// SPDX-License-Identifier: BSD-3-Clause
//
// What there is to be learned.
#include <networks/catalogue.hpp>
#include <networks/learn.hpp>
#include <support/principal.hpp>

namespace networks {

namespace {

constexpr std::uint64_t data_seed = 1;  // of what is generated: one set for all seeds of a lesson

amount amount_of(job const& j) {
    amount n = j.quick ? amount{2000, 500} : amount{};
    if (j.samples > 0) n.train = j.samples;
    return n;
}

data_set mnist_of(job const& j) { return mnist(j.data, amount_of(j), data_seed); }
data_set digit_rows_of(job const& j) {
    auto set = mnist_of(j);
    for (samples* s : {&set.train, &set.test}) s->extents = {s->x.extent(1)};
    return set;
}
data_set small_mnist_of(job const& j) { return small_mnist(j.data, amount_of(j), data_seed); }
data_set cifar_of(job const& j) { return cifar10(j.data, amount_of(j), data_seed); }
data_set yacht_of(job const& j) { return yacht_hulls(j.data, data_seed); }
// In as many principal components of what is learned from as have 99 % of the variance.
data_set yacht_components_of(job const& j) {
    auto set = yacht_of(j);
    auto const components = support::principal(set.train.x, 0.99);
    for (samples* s : {&set.train, &set.test})
        s->x = components.of(s->x), s->extents = {s->x.extent(1)};
    set.source += ", " + std::to_string(set.train.x.extent(1)) + " principal components";
    return set;
}
// The last tenth is for validation in the benchmark, which learns from the others.
data_set profiles_of(job const& j) {
    auto set = p1b1_profiles(j.data, data_seed, j.quick ? p1b1_size{1000, 200, 600} : p1b1_size{});
    index_t const n = set.train.count() * 9 / 10;
    felt::Tensor<float, 2> first({n, set.train.x.extent(1)}, felt::uninitialized);
    std::copy_n(set.train.x.data(), first.size(), first.data());
    samples const& all = set.train;
    return {{all.extents, std::move(first), {}, {}, all.classes}, std::move(set.test), set.source};
}

template <data_set (*Set)(job const& j)>
std::vector<data_set> sets_by(job const& j) {
    std::vector<data_set> one;
    one.push_back(Set(j));
    return one;
}
std::vector<data_set> reports_of(job const& j) { return p3b1_reports(j.data, data_seed); }

std::vector<lesson> all_lessons() {
    rule const momentum{rule::sgd, .01, .9, 0}, decayed{rule::sgd, .01, .9, 1e-4};
    return {
        {"softmax", "accuracy", sets_by<digit_rows_of>, 100, 2, {rule::sgd, .5}, 3, 1000},
        {"keras-dense", "accuracy", sets_by<small_mnist_of>, 32, 5, {rule::sgd, .01}, 3},
        {"trial",
         "accuracy",
         sets_by<mnist_of>,
         50,
         1,
         {rule::adam, 1e-4},
         1,
         0,
         ".9668 TensorFlow, .9756 Keras (document 001)"},
        {"keras-cnn",
         "accuracy",
         sets_by<mnist_of>,
         128,
         12,
         {rule::adadelta, 1},
         1,
         0,
         ".9925 (Keras, with 64 filters)"},
        {"alexnet-r", "accuracy", sets_by<cifar_of>, 100, 20, momentum, 3},
        {"resnet-20", "accuracy", sets_by<cifar_of>, 100, 10, decayed, 3},
        {"resnet-56", "accuracy", sets_by<cifar_of>, 100, 10, decayed, 1},
        {"yacht", "correlation", sets_by<yacht_of>, 41, 200, {rule::adam, .01}, 3},
        {"yacht-pca", "correlation", sets_by<yacht_components_of>, 41, 200, {rule::adam, .01}, 3},
        {"p1b1",
         "correlation",
         sets_by<profiles_of>,
         100,
         3,
         {rule::adam, .001},
         1,
         0,
         ".7808 (document 003, after 100 epochs)"},
        {"p3b1",
         "geometric mean of F1",
         reports_of,
         10,
         10,
         {rule::sgd, .01},
         3,
         0,
         ".5637 (document 003)",
         learn_tasks,
         1},
        {"transfer",
         "accuracy",
         sets_by<mnist_of>,
         50,
         30,
         {rule::sgd, .1},
         3,
         0,
         "",
         learn_transfer,
         0,
         false},
    };
}

}  // namespace

felt::nn::net network_of(lesson const& l, samples const& s) {
    if (l.network == "p1b1") return make_p1b1(s.extents[0]);
    if (l.network == "p3b1") return make_p3b1(s.classes);
    return find(l.network == "yacht-pca" ? "yacht" : l.network).make();
}

index_t steps_of(lesson const& l, index_t train) {
    index_t const all = train / l.batch * l.epochs;
    return l.steps > 0 ? std::min(l.steps, all) : all;
}

std::vector<lesson> lessons(job const& j) {
    auto all = all_lessons();
    for (lesson& l : all) {
        if (j.quick) l.epochs = std::min(l.epochs, std::max(2, l.epochs / 4)), l.seeds = 1;
        if (j.epochs > 0) l.epochs = j.epochs, l.steps = 0;
        if (j.seeds > 0) l.seeds = j.seeds;
        l.first_seed = j.first_seed;
        if (j.batch > 0) l.batch = j.batch;
    }
    return all;
}

}  // namespace networks
