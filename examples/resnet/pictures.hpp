// SPDX-License-Identifier: BSD-3-Clause
//
// Labelled pictures as a network is shown them, one at a time: (side, side, 3), normalised by the
// mean and the deviation of each colour.
#pragma once
#include <support/cifar.hpp>
#include <support/fingerprint.hpp>
#include <felt/felt.hpp>

namespace resnet {

using felt::index_t;

struct normalisation {
    float mean[3] = {}, inverse[3] = {1, 1, 1};  // inverse: 1 / deviation

    float operator()(std::size_t colour, float value) const {
        return (value - mean[colour]) * inverse[colour];
    }
};

class pictures {
public:
    virtual ~pictures() = default;
    virtual index_t count() const = 0;
    virtual index_t classes() const = 0;
    virtual index_t side() const = 0;
    virtual index_t label(index_t i) const = 0;
    virtual std::string const& source() const = 0;
    virtual std::int64_t fingerprint() const = 0;

    // As it is, and changed at random in ways that leave what it shows.
    virtual void plain(index_t i, float* to) const = 0;
    virtual void varied(index_t i, support::random_stream r, float* to) const = 0;
};

// CIFAR-10's and their like: shifted by up to 4 pixels, with zeros (the mean colour) around them,
// and mirrored half of the time.
class small_pictures : public pictures {
public:
    explicit small_pictures(support::colour_set set, normalisation const& n)
        : set_(std::move(set)), normal_(n) {}
    // By the colours of its own pictures.
    explicit small_pictures(support::colour_set set)
        : set_(std::move(set)), normal_(normal_of(set_)) {}

    index_t count() const override { return static_cast<index_t>(set_.count); }
    index_t classes() const override { return static_cast<index_t>(set_.classes); }
    index_t side() const override { return static_cast<index_t>(set_.side); }
    index_t label(index_t i) const override { return set_.labels[static_cast<std::size_t>(i)]; }
    std::string const& source() const override { return set_.source; }
    std::int64_t fingerprint() const override {
        return support::fingerprint(std::as_bytes(std::span(set_.pixels)));
    }
    normalisation const& normal() const { return normal_; }

    void plain(index_t i, float* to) const override { write(i, to, 0, 0, false); }
    void varied(index_t i, support::random_stream r, float* to) const override {
        auto const down = static_cast<index_t>(r.below(9)) - 4;
        auto const right = static_cast<index_t>(r.below(9)) - 4;
        write(i, to, down, right, r.uniform() < 0.5);
    }

private:
    void write(index_t i, float* to, index_t down, index_t right, bool mirrored) const {
        index_t const n = side();
        std::uint8_t const* const own = &set_.pixels[static_cast<std::size_t>(i) * set_.size()];
        for (index_t row = 0; row < n; ++row) {
            for (index_t column = 0; column < n; ++column, to += 3) {
                index_t const y = row - down, across = mirrored ? n - 1 - column : column;
                index_t const x = across - right;
                bool const inside = y >= 0 && y < n && x >= 0 && x < n;
                for (std::size_t c = 0; c < 3; ++c) {
                    auto const at = (static_cast<index_t>(c) * n + y) * n + x;
                    to[c] = inside ? normal_(c, static_cast<float>(own[at])) : 0.f;
                }
            }
        }
    }

    static normalisation normal_of(support::colour_set const& set) {
        normalisation n;
        std::size_t const plane = set.side * set.side;
        for (std::size_t c = 0; c < 3; ++c) {
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < set.count; ++i) {
                std::uint8_t const* const at = &set.pixels[i * set.size() + c * plane];
                for (std::size_t p = 0; p < plane; ++p) {
                    sum += at[p], squares += static_cast<double>(at[p]) * at[p];
                }
            }
            auto const count = static_cast<double>(std::max<std::size_t>(1, set.count * plane));
            double const mean = sum / count, variance = squares / count - mean * mean;
            n.mean[c] = static_cast<float>(mean);
            n.inverse[c] = static_cast<float>(1 / std::sqrt(std::max(variance, 1.)));
        }
        return n;
    }

    support::colour_set set_;
    normalisation normal_;
};

}  // namespace resnet
