// SPDX-License-Identifier: BSD-3-Clause
//
// The pictures of each step, in an order that follows from the seed and the epoch. How picture k of
// a batch is varied follows from the seed, the step and k: a part of the batch is the same wherever
// the rest of it is computed.
#pragma once
#include <resnet/net.hpp>
#include <resnet/pictures.hpp>
#include <numeric>

namespace resnet {

using batch_f = batch<float>;

// Rows of a batch.
struct rows {
    index_t begin, end;
    index_t count() const { return end - begin; }
};

// A permutation of 0 .. n-1 that follows from seed and epoch.
inline std::vector<index_t> shuffled(index_t n, std::uint64_t seed, index_t epoch) {
    std::vector<index_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), index_t{0});
    auto r = support::stream_of(seed, static_cast<std::uint64_t>(epoch));
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[r.below(i)]);
    return order;
}

// Some pictures with what they show, as tensors.
class shown {
public:
    shown(pictures const& p, index_t count)
        : pictures_(p), x_({count, 3, p.side(), p.side()}), y_({count}) {}

    batch_f view() const { return {felt::view(x_), felt::view(y_)}; }
    index_t count() const { return y_.size(); }
    float* place(index_t k) { return x_.data() + k * (x_.size() / count()); }

    // Pictures from, from + 1, ..; after the last one come zeros. How many there are.
    index_t fill(index_t from) {
        index_t const n = std::min(count(), pictures_.count() - from);
        for (index_t k = 0; k < n; ++k) {
            pictures_.plain(from + k, place(k));
            y_(k) = pictures_.label(from + k);
        }
        std::fill(place(n), x_.data() + x_.size(), 0.f);
        return n;
    }
    void set(index_t k, index_t i, support::random_stream r) {
        pictures_.varied(i, r, place(k));
        y_(k) = pictures_.label(i);
    }

private:
    pictures const& pictures_;
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x_;
    felt::Tensor<index_t, 1> y_;
};

class batches {
public:
    // Those rows of each batch of `of` pictures.
    batches(pictures const& p, index_t of, rows own, std::uint64_t seed)
        : pictures_(p), of_(of), own_(own), seed_(seed), shown_(p, own.count()) {}

    index_t per_epoch() const { return pictures_.count() / of_; }  // the rest is left out

    // Of step i.
    batch_f next(index_t i) {
        if (i / per_epoch() != epoch_) {
            epoch_ = i / per_epoch();
            order_ = shuffled(pictures_.count(), seed_, epoch_);
        }
        for (index_t k = own_.begin; k < own_.end; ++k) {
            auto const at = static_cast<std::size_t>(i % per_epoch() * of_ + k);
            auto const number = static_cast<std::uint64_t>(i * of_ + k);
            shown_.set(k - own_.begin, order_[at], support::stream_of(~seed_, number));
        }
        return shown_.view();
    }

private:
    pictures const& pictures_;
    index_t of_;
    rows own_;
    std::uint64_t seed_;
    shown shown_;
    std::vector<index_t> order_;
    index_t epoch_ = -1;
};

}  // namespace resnet
