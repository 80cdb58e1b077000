// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient of all ranks from the gradients of each, summed while the backward pass goes on:
//
//   felt::gradient_buckets<float> buckets(ranks, theta.size());
//   for (each step) {
//       buckets.begin(gradient, rows.weight());    // gradient <- sum over ranks of weight gradient
//       ...                                        // the last layer's part is written:
//       buckets.ready(from);                       // elements from .. end are final
//       ...                                        // and so on to the first layer
//       buckets.finish();                          // gradient has the sum
//   }
//
// The flat gradient, first layer first, is cut from its end backwards into buckets: a small one, so
// that the first sum starts early, and then larger ones, which use the network well (Li et al.,
// "PyTorch distributed", 2020). The sum of a bucket starts when all of it is final. ready() and
// progress() also move on what was started, for MPI works only when it is called.
#pragma once
#include <felt/distributed/communicator.hpp>
#include <felt/tensor/tensor.hpp>
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace felt::inline FELT_ABI {

struct bucket_options {
    index_t first = index_t{1} << 20, bytes = index_t{4} << 20;
};

// What the sums of `steps` steps have cost, in seconds.
struct bucket_times {
    index_t steps = 0, bytes = 0;
    double total = 0;    // from the start of a step's first sum to the end of its last
    double exposed = 0;  // of these, spent waiting: nothing else was left to do

    double overlap() const { return total > 0 ? 1 - exposed / total : 0; }
};

// What the buckets of a space do beside sums; device_buckets.hpp has the Device's. A space whose
// memory the communicator does not take is staged through the host.
template <class Space>
struct bucket_space;
template <>
struct bucket_space<Host> {
    static constexpr bool is_host = true;
    template <class T>
    static void scale(T* x, index_t n, T by) {
        for (index_t i = 0; i < n; ++i) x[i] *= by;
    }
    static void wait() {}
};

template <class T, class Space = Host>
class gradient_buckets {
public:
    gradient_buckets(communicator& ranks, index_t size, bucket_options const& o = {})
        : ranks_(ranks), size_(size) {
        if (ranks.of_device_memory() && bucket_space<Space>::is_host) {
            throw error("gradient_buckets: the communicator sums memory of a device");
        }
        auto const elements = [](index_t bytes) {
            return std::max<index_t>(1, bytes / static_cast<index_t>(sizeof(T)));
        };
        index_t n = elements(o.first);
        for (index_t end = size; end > 0; n = elements(o.bytes)) {
            index_t const begin = std::max<index_t>(0, end - n);
            buckets_.push_back({begin, end});
            end = begin;
        }
        if (is_staged() && ranks.size() > 1) staging_.resize(static_cast<std::size_t>(size));
    }

    communicator& ranks() const { return ranks_; }
    index_t count() const { return static_cast<index_t>(buckets_.size()); }
    bucket_times const& times() const { return times_; }

    // Of a step. The gradient stays where it is until finish(); a rank's part weighs `weight` in
    // the sum: 1 / ranks by default, the mean. With weight 1 nothing is multiplied.
    void begin(Tensor<T, 1, Space>& gradient, std::optional<double> weight = std::nullopt) {
        if (gradient.size() != size_) {
            throw shape_error("gradient_buckets: a gradient of " + std::to_string(gradient.size()) +
                              " elements, not " + std::to_string(size_));
        }
        data_ = gradient.data();
        weight_ = static_cast<T>(weight.value_or(1. / ranks_.size()));
        for (bucket& b : buckets_) {
            if (b.sum) end(b);  // of a step that was given up
        }
        from_ = size_, started_any_ = false;
        for (bucket& b : buckets_) b.missing = b.end - b.begin, b.is_started = false;
    }

    // Elements from .. to - 1 are final. Said once of each, in any order, alike on all ranks.
    void ready(index_t from, index_t to) {
        if (from < 0 || from > to || to > size_) fail_ready(from, to);
        for (bucket& b : buckets_) {
            b.missing -= std::max<index_t>(0, std::min(b.end, to) - std::max(b.begin, from));
            if (b.missing < 0) fail_ready(from, to);
        }
        start_complete();
        progress();
    }
    // So are all elements at and after `from`, of which those after the last `from` are new.
    void ready(index_t from) {
        if (from < 0 || from > from_) fail_ready(from, from_);
        ready(from, std::exchange(from_, from));
    }

    void progress() {
        for (bucket& b : buckets_) {
            if (b.sum && b.sum->done()) end(b);
        }
    }

    // What was not said to be ready is, now.
    void finish() {
        for (bucket& b : buckets_) b.missing = 0;
        start_complete();
        if (!started_any_) return;
        bucket_space<Space>::wait();  // so that what is waited for is the sums alone
        progress();
        auto const begin = clock::now();
        for (bucket& b : buckets_) {
            if (b.sum) end(b);
        }
        bucket_space<Space>::wait();
        note_times(begin);
    }

private:
    using clock = std::chrono::steady_clock;
    struct bucket {
        index_t begin = 0, end = 0, missing = 0;
        bool is_started = false;
        communicator::request_ptr sum = nullptr;
    };

    bool is_staged() const { return !bucket_space<Space>::is_host && !ranks_.of_device_memory(); }

    [[noreturn]] void fail_ready(index_t from, index_t to) const {
        throw shape_error("gradient_buckets: elements " + std::to_string(from) + " .. " +
                          std::to_string(to) + " of " + std::to_string(size_) +
                          " are no part of the gradient, or were ready already");
    }

    void start_complete() {
        for (bucket& b : buckets_) {
            if (b.missing == 0 && !std::exchange(b.is_started, true)) start(b);
        }
    }
    void start(bucket& b) {
        auto const n = b.end - b.begin;
        if (weight_ != T(1)) bucket_space<Space>::scale(data_ + b.begin, n, weight_);
        if (ranks_.size() == 1) return;
        if (!std::exchange(started_any_, true)) began_ = clock::now();
        b.sum = ranks_.start_sum(std::span(summed(b), static_cast<std::size_t>(n)));
        times_.bytes += n * static_cast<index_t>(sizeof(T));
    }

    // Where the communicator finds a bucket.
    T* summed(bucket const& b) {
        T* const x = data_ + b.begin;
        if constexpr (bucket_space<Space>::is_host) {
            return x;
        } else {
            if (!is_staged()) return x;
            T* const y = staging_.data() + b.begin;
            bucket_space<Space>::to_host(y, x, b.end - b.begin);
            return y;
        }
    }

    void end(bucket& b) {
        b.sum->wait();
        b.sum.reset();
        if constexpr (!bucket_space<Space>::is_host) {
            T const* const y = staging_.data() + b.begin;
            if (is_staged()) bucket_space<Space>::from_host(data_ + b.begin, y, b.end - b.begin);
        }
        ended_ = clock::now();
    }
    void note_times(clock::time_point waited_from) {
        using seconds = std::chrono::duration<double>;
        times_.total += seconds(ended_ - began_).count();
        times_.exposed += seconds(std::max(ended_, waited_from) - waited_from).count();
        ++times_.steps;
    }

    communicator& ranks_;
    index_t size_, from_ = 0;
    std::vector<bucket> buckets_;
    std::vector<T> staging_;
    T* data_ = nullptr;
    T weight_ = 1;
    bool started_any_ = false;
    bucket_times times_;
    clock::time_point began_, ended_;
};

}  // namespace felt::inline FELT_ABI
