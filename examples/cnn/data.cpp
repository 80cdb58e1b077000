// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and shuffling of digits.
#include <cnn/data.hpp>

namespace cnn {

digits load_digits(std::string const& data, std::string const& part, index_t count,
                   std::uint64_t seed) {
    auto const set = support::load_digits(data, part, static_cast<std::size_t>(count), seed);
    if (set.rows != 28 || set.columns != 28) {
        throw felt::io_error(set.source + ": images of " + std::to_string(set.rows) + " x " +
                             std::to_string(set.columns) + ", not 28 x 28");
    }
    digits d{felt::Tensor<float, 4>({set.count, 1, 28, 28}), felt::Tensor<index_t, 1>({set.count}),
             set.source};
    for (std::size_t i = 0; i < set.pixels.size(); ++i) {
        d.x.data()[i] = static_cast<float>(set.pixels[i]) / 255.f;
    }
    for (std::size_t i = 0; i < set.count; ++i) {
        if (set.labels[i] > 9) {
            throw felt::io_error(set.source + ": image " + std::to_string(i) + " has label " +
                                 std::to_string(set.labels[i]));
        }
        d.y.data()[i] = set.labels[i];
    }
    return d;
}

felt::Tensor<index_t, 1> shuffled(index_t n, std::uint64_t seed, index_t epoch) {
    felt::Tensor<index_t, 1> order({n});
    order = felt::iota(n);
    auto r = support::stream_of(seed, static_cast<std::uint64_t>(epoch));
    for (index_t i = n; i > 1; --i) {
        auto const k = static_cast<index_t>(r.below(static_cast<std::size_t>(i)));
        std::swap(order(i - 1), order(k));
    }
    return order;
}

}  // namespace cnn
