// SPDX-License-Identifier: BSD-3-Clause
#include <networks/candle.hpp>
#include <support/data.hpp>
#include <support/numbers.hpp>
#include <support/random.hpp>
#include <support/scaling.hpp>
#include <map>

namespace networks {

namespace {

using matrix = felt::Tensor<float, 2>;

// The files, if one of them is in a folder that is looked in; then all of them must be.
std::optional<std::vector<support::fs::path>> files_of(std::string const& data,
                                                       std::string const& set,
                                                       std::vector<std::string> const& names) {
    for (auto const& folder : support::data_folders(data, set))
        for (auto const& name : names)
            if (support::find_file(folder, name)) return support::find_files(data, set, names);
    return std::nullopt;
}

matrix matrix_of(support::number_table const& t) {
    matrix x({t.rows, t.columns}, felt::uninitialized);
    std::copy(t.values.begin(), t.values.end(), x.data());
    return x;
}

samples profiles(matrix x) {
    samples s;
    s.extents = {x.extent(1)};
    s.x = std::move(x);
    return s;
}

std::optional<data_set> read_profiles(std::string const& data) {
    for (std::string const version : {".dev", ""}) {
        auto const files = files_of(
            data, "p1b1", {"P1B1" + version + ".train.csv", "P1B1" + version + ".test.csv"});
        if (!files) continue;
        support::numbers_format as{.header = true, .text = {"case_id", "cancer_type"}};
        auto const train = support::read_numbers((*files)[0], as);
        as.columns = train.columns;
        return data_set{profiles(matrix_of(train)),
                        profiles(matrix_of(support::read_numbers((*files)[1], as))),
                        (*files)[0].string()};
    }
    return std::nullopt;
}

// A case is a point in the plane, near that of its kind of cancer, and a gene a plane over it,
// with noise; expression is never below 0.
matrix generated_profiles(index_t cases, index_t genes, std::uint64_t seed, std::uint64_t part) {
    matrix place({cases, 2});
    for (index_t i = 0; i < cases; ++i) {
        auto r = support::stream_of(seed + part, static_cast<std::uint64_t>(i));
        auto kind = support::stream_of(seed, r.below(10));
        for (index_t k = 0; k < 2; ++k)
            place(i, k) = static_cast<float>(kind.normal() + 0.3 * r.normal());
    }
    matrix slope({2, genes}), x({cases, genes}, felt::uninitialized);
    slope = felt::normal<float>(slope.extents(), seed + 1);
    auto const level = 8.f * felt::uniform<float>({genes}, seed + 2);
    x = felt::relu(felt::matmul(place, slope) + level +
                   0.7f * felt::normal<float>(x.extents(), seed + 3 + part));
    return x;
}

// A class is a point of 20 dimensions that all tasks show in the same 400 features; some classes
// are rare.
samples generated_reports(std::size_t task, index_t count, std::uint64_t seed, std::uint64_t part) {
    index_t const classes = p3b1_classes[task], factors = 20;
    matrix z({count, factors}), shown({factors, p3b1_features});
    samples s;
    s.extents = {p3b1_features}, s.classes = classes;
    s.labels = felt::Tensor<index_t, 1>({count});
    for (index_t i = 0; i < count; ++i) {
        auto r = support::stream_of(seed + 10 * (task + 1) + part, static_cast<std::uint64_t>(i));
        double const u = r.uniform();
        s.labels(i) = static_cast<index_t>(static_cast<double>(classes) * u * u);
        auto centre =
            support::stream_of(seed + 100 + task, static_cast<std::uint64_t>(s.labels(i)));
        for (index_t k = 0; k < factors; ++k)
            z(i, k) = static_cast<float>(0.5 * centre.normal() + r.normal());
    }
    shown = 0.25f * felt::normal<float>(shown.extents(), seed);
    s.x = matrix({count, p3b1_features});
    s.x = felt::matmul(z, shown) +
          0.5f * felt::normal<float>(s.x.extents(), seed + 200 + 10 * task + part);
    return s;
}

samples reports(support::fs::path const& features, support::fs::path const& labels,
                index_t classes) {
    samples s;
    s.extents = {p3b1_features}, s.classes = classes;
    s.x = matrix_of(
        support::read_numbers(features, {.columns = static_cast<std::size_t>(p3b1_features)}));
    auto const all = support::read_labels(labels, classes);
    if (static_cast<index_t>(all.size()) != s.count())
        throw felt::io_error(labels.string() + ": " + std::to_string(all.size()) + " labels for " +
                             std::to_string(s.count()) + " rows of " + features.string());
    s.labels = felt::Tensor<index_t, 1>({s.count()});
    std::copy(all.begin(), all.end(), s.labels.data());
    return s;
}

}  // namespace

data_set p1b1_profiles(std::string const& data, std::uint64_t seed, p1b1_size const& n) {
    auto set = read_profiles(data);
    if (!set)
        set = data_set{profiles(generated_profiles(n.train, n.features, seed, 0)),
                       profiles(generated_profiles(n.test, n.features, seed, 1000)),
                       "generated profiles"};
    auto const to_one = support::min_max({&set->train.x, &set->test.x});
    to_one.apply(set->train.x), to_one.apply(set->test.x);
    return std::move(*set);
}

std::vector<data_set> p3b1_reports(std::string const& data, std::uint64_t seed) {
    static constexpr index_t train[] = {3900, 600, 1200}, test[] = {99, 86, 68};
    std::vector<data_set> tasks;
    for (std::size_t t = 0; t < 3; ++t) {
        std::string const begin = "task" + std::to_string(t) + "_0_";
        auto const files = files_of(data, "p3b1",
                                    {begin + "train_feature.csv", begin + "train_label.csv",
                                     begin + "test_feature.csv", begin + "test_label.csv"});
        if (files) {
            auto const& f = *files;
            tasks.push_back({reports(f[0], f[1], p3b1_classes[t]),
                             reports(f[2], f[3], p3b1_classes[t]), f[0].string()});
        } else {
            tasks.push_back({generated_reports(t, train[t], seed, 0),
                             generated_reports(t, test[t], seed, 5), "generated reports"});
        }
    }
    return tasks;
}

f1_scores f1(felt::Tensor<index_t, 1> const& said, felt::Tensor<index_t, 1> const& right) {
    struct counts {
        double hits = 0, said = 0, right = 0;
    };
    std::map<index_t, counts> classes;
    f1_scores s;
    for (index_t i = 0; i < right.size(); ++i) {
        ++classes[said(i)].said, ++classes[right(i)].right;
        if (said(i) != right(i)) continue;
        ++classes[right(i)].hits;
        s.micro += 1 / static_cast<double>(right.size());
    }
    for (auto const& [label, c] : classes)
        s.macro += 2 * c.hits / (c.said + c.right) / static_cast<double>(classes.size());
    return s;
}

double geometric_mean(std::vector<double> const& v) {
    double sum = 0;
    for (double x : v) sum += std::log(x) / static_cast<double>(v.size());
    return std::exp(sum);
}

double correlation(matrix const& x, matrix const& y) {
    auto const a = felt::cast<double>(x), b = felt::cast<double>(y);
    double const ma = felt::mean(a), mb = felt::mean(b);
    double const ab = felt::sum((a - ma) * (b - mb));
    double const aa = felt::sum(felt::square(a - ma)), bb = felt::sum(felt::square(b - mb));
    return ab / std::sqrt(aa * bb);
}

}  // namespace networks
