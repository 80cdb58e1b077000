// SPDX-License-Identifier: BSD-3-Clause
#include <networks/samples.hpp>
#include <support/cifar.hpp>
#include <support/images.hpp>
#include <support/numbers.hpp>
#include <support/scaling.hpp>

namespace networks {

namespace {

using support::fs::path;

// Planar pixels as rows of (h, w, c) in [0, 1].
template <class Set>
samples images_of(Set const& set, index_t channels, index_t rows, index_t columns) {
    std::vector<std::uint8_t> const &pixels = set.pixels, &labels = set.labels;
    auto const count = static_cast<index_t>(labels.size());
    index_t const plane = rows * columns, size = channels * plane;
    samples s;
    s.extents = {channels, rows, columns}, s.classes = 10;
    s.x = felt::Tensor<float, 2>({count, size}, felt::uninitialized);
    s.labels = felt::Tensor<index_t, 1>({count});
    for (index_t i = 0; i < count; ++i) {
        std::uint8_t const* const from = pixels.data() + i * size;
        float* const to = s.x.data() + i * size;
        for (index_t c = 0; c < channels; ++c)
            for (index_t p = 0; p < plane; ++p)
                to[p * channels + c] = static_cast<float>(from[c * plane + p]) / 255.f;
        s.labels(i) = labels[static_cast<std::size_t>(i)];
        if (s.labels(i) > 9)
            throw felt::io_error(set.source + ": image " + std::to_string(i) + " has label " +
                                 std::to_string(s.labels(i)));
    }
    return s;
}
samples digits_of(support::image_set const& set) {
    return images_of(set, 1, static_cast<index_t>(set.rows), static_cast<index_t>(set.columns));
}
std::size_t unsigned_of(index_t n) { return static_cast<std::size_t>(n); }

// To --data DIR what is not there is no error here: other networks learn from other sets.
bool has_file(std::string const& data, std::string const& set, std::string const& name) {
    auto const folders = support::data_folders(data, set);
    return std::any_of(folders.begin(), folders.end(), [&](path const& folder) {
        return support::find_file(folder, name).has_value();
    });
}
bool has_cifar(std::string const& data) {
    auto folders = support::data_folders(data, "cifar10");
    for (path const& folder : support::data_folders(data, "cifar-10-batches-bin"))
        folders.push_back(folder);
    return std::any_of(folders.begin(), folders.end(), [](path const& folder) {
        return !support::binary_files(folder, "data_batch_").empty() ||
               !support::binary_files(folder, "train").empty();
    });
}

// 14 speeds of each of 22 hulls: resistance grows steeply with the Froude number, the more so the
// shorter a hull is for its displacement.
felt::Tensor<float, 2> generated_hulls(std::uint64_t seed) {
    felt::Tensor<float, 2> t({22 * 14, 7});
    for (index_t i = 0; i < t.extent(0); ++i) {
        auto r = support::stream_of(seed, static_cast<std::uint64_t>(i / 14));
        double const buoyancy = r.uniform(-5, 0), prismatic = r.uniform(0.53, 0.6);
        double const length = r.uniform(4.3, 5.1), draught = r.uniform(2.8, 5.4);
        double const beam = r.uniform(2.7, 3.6),
                     froude = 0.125 + 0.025 * static_cast<double>(i % 14);
        double const hull = (0.6 + 5 * (prismatic - 0.53)) * 5 / length * (1 + 0.03 * buoyancy) *
                            (1 + 0.05 * (beam - 3)) * (1 - 0.03 * (draught - 4));
        double const resistance = 60 * hull * std::exp(14 * (froude - 0.45));
        double const row[] = {buoyancy, prismatic, length, draught, beam, froude, resistance};
        for (index_t k = 0; k < 7; ++k) t(i, k) = static_cast<float>(row[k]);
    }
    return t;
}

// Rows [from, to) by the order: inputs and the last column.
samples rows_of(felt::Tensor<float, 2> const& t, std::vector<index_t> const& order, index_t from,
                index_t to) {
    index_t const inputs = t.extent(1) - 1;
    samples s;
    s.extents = {inputs};
    s.x = felt::Tensor<float, 2>({to - from, inputs});
    s.values = felt::Tensor<float, 2>({to - from, 1});
    for (index_t i = from; i < to; ++i) {
        index_t const row = order[unsigned_of(i)];
        for (index_t k = 0; k < inputs; ++k) s.x(i - from, k) = t(row, k);
        s.values(i - from, 0) = t(row, inputs);
    }
    return s;
}

}  // namespace

data_set mnist(std::string const& data, amount const& n, std::uint64_t seed) {
    auto const train = unsigned_of(n.train_of(60000)), test = unsigned_of(n.test_of(10000));
    bool const is_there = has_file(data, "mnist", "train-images-idx3-ubyte");
    auto const part = [&](std::string const& name, std::size_t count) {
        if (is_there) return support::load_digits(data, name, count, seed);
        return support::generated_digits(count, seed ^ (name == "train" ? 0 : 0x746573746b3031));
    };
    auto const first = part("train", train);
    return {digits_of(first), digits_of(part("t10k", test)), first.source};
}

data_set small_mnist(std::string const& data, amount const& n, std::uint64_t seed) {
    auto const set = mnist(data, n, seed);
    auto const smaller = [](samples const& whole) {
        felt::Tensor<float, 2> x({whole.count(), 100}, felt::uninitialized);
        for (index_t i = 0; i < whole.count(); ++i) {
            for (index_t p = 0; p < 100; ++p) {
                float const* const at =
                    whole.x.data() + i * 784 + (4 + p / 10 * 2) * 28 + 4 + p % 10 * 2;
                x(i, p) = (at[0] + at[1] + at[28] + at[29]) / 4;
            }
        }
        return samples{{100}, std::move(x), whole.labels, {}, whole.classes};
    };
    return {smaller(set.train), smaller(set.test), set.source + ", 10 x 10"};
}
data_set cifar10(std::string const& data, amount const& n, std::uint64_t seed) {
    auto const train = unsigned_of(n.train_of(50000)), test = unsigned_of(n.test_of(10000));
    bool const is_there = has_cifar(data);
    auto const part = [&](std::string const& name, std::size_t count) {
        if (is_there) return support::load_colours(data, name, count, seed);
        return support::generated_shapes(
            std::min<std::size_t>(count, name == "train" ? 4000 : 1000),
            seed ^ (name == "train" ? 0 : 0x746573746b3031));
    };
    auto const first = part("train", train), second = part("test", test);
    return {images_of(first, 3, 32, 32), images_of(second, 3, 32, 32), first.source};
}

// The first 246 of 308 rows in a random order are to learn from.
data_set yacht_hulls(std::string const& data, std::uint64_t seed) {
    std::string const name = "yacht_hydrodynamics.data";
    felt::Tensor<float, 2> t;
    std::string source = "generated hulls";
    if (has_file(data, "yacht", name)) {
        auto const file = support::find_files(data, "yacht", {name})->front();
        auto const read = support::read_numbers(file, {.separator = ' ', .columns = 7});
        t = felt::Tensor<float, 2>({read.rows, read.columns});
        std::copy(read.values.begin(), read.values.end(), t.data());
        source = file.string();
    } else {
        t = generated_hulls(seed);
    }
    support::min_max({&t}, -1, 1).apply(t);
    auto const order = shuffled(t.extent(0), seed, 0);
    index_t const train = t.extent(0) * 4 / 5;
    return {rows_of(t, order, 0, train), rows_of(t, order, train, t.extent(0)), source};
}

std::vector<index_t> shuffled(index_t n, std::uint64_t seed, std::uint64_t epoch) {
    std::vector<index_t> order(unsigned_of(n));
    for (index_t i = 0; i < n; ++i) order[unsigned_of(i)] = i;
    auto r = support::stream_of(seed, epoch);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[r.below(i)]);
    return order;
}

}  // namespace networks
