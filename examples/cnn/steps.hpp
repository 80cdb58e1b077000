// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of a training run: the images of each, in an order that follows from the seed and the
// epoch, and the optimiser that the network has. All of it lies in one space.
#pragma once
#include <cnn/batch.hpp>
#include <cnn/setting.hpp>
#include <support/place.hpp>
#include <support/random.hpp>
#include <support/step_sum.hpp>
#include <variant>

namespace cnn {

using vector_f = felt::Tensor<float, 1>;

template <class Space = felt::Host>
using optimiser = std::variant<felt::sgd<float, Space>, felt::adam<float, Space>>;

// What a run's steps follow.
struct course {
    setting how;
    std::uint64_t seed = 1;
    index_t images = 0;
    felt::communicator* ranks = &felt::alone;  // who share each batch

    index_t per_epoch() const { return images / how.batch; }  // a last part of a batch is dropped
    index_t total() const { return how.iterations > 0 ? how.iterations : how.epochs * per_epoch(); }
};

template <class Space>
index_t iteration_of(optimiser<Space> const& o) {
    return std::visit([](auto const& own) { return own.iteration(); }, o);
}
template <class Space>
felt::Tensor<float, 1, Space> const& theta_of(optimiser<Space> const& o) {
    return std::visit([](auto const& own) -> auto const& { return own.x(); }, o);
}

// The cost before the step. cost(theta, gradient) is of this step's batch.
template <class Space, class Cost>
double make_step(course const& c, optimiser<Space>& o, Cost&& cost) {
    if (auto* const own = std::get_if<felt::sgd<float, Space>>(&o)) {
        own->options(schedule(c.how, own->iteration(), c.per_epoch()));
    }
    return std::visit([&](auto& own) { return own.step(cost), own.cost(); }, o);
}

// A permutation of 0 .. n-1 that follows from seed and epoch.
inline felt::Tensor<index_t, 1> shuffled(index_t n, std::uint64_t seed, index_t epoch) {
    felt::Tensor<index_t, 1> order({n});
    order = felt::iota(n);
    auto r = support::stream_of(seed, static_cast<std::uint64_t>(epoch));
    for (index_t i = n; i > 1; --i) {
        auto const k = static_cast<index_t>(r.below(static_cast<std::size_t>(i)));
        std::swap(order(i - 1), order(k));
    }
    return order;
}

// This rank's images of each step, in this epoch's order.
template <class Space>
class batches {
public:
    using images = felt::Tensor<float, 4, Space>;
    using labels = felt::Tensor<index_t, 1, Space>;

    batches(course const& c, images const& x, labels const& y)
        : c_(c),
          own_(support::rows_of(c.how.batch, *c.ranks)),
          all_x_(x),
          all_y_(y),
          x_({own_.size(), 1, 28, 28}),
          y_({own_.size()}) {}

    // Of step i.
    batch<float, Space> next(index_t i) {
        index_t const n = c_.how.batch, k = i % c_.per_epoch();
        if (i / c_.per_epoch() != epoch_) {
            epoch_ = i / c_.per_epoch();
            order_ = support::space_traits<Space>::placed(shuffled(c_.images, c_.seed, epoch_));
        }
        auto const chosen = slice(order_, felt::range(k * n + own_.begin, k * n + own_.end));
        x_ = felt::gather<0>(all_x_, chosen);
        y_ = felt::gather<0>(all_y_, chosen);
        return {felt::view(std::as_const(x_)), felt::view(std::as_const(y_)),
                support::stream_of(~c_.seed, static_cast<std::uint64_t>(i)).next(), own_.begin, n};
    }

private:
    course const& c_;
    felt::shard own_;
    images const& all_x_;
    labels const& all_y_;
    images x_;
    labels y_, order_;
    index_t epoch_ = -1;
};

}  // namespace cnn
