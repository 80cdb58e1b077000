// SPDX-License-Identifier: BSD-3-Clause
//
// A training step on several ranks. Each has some rows of the batch; its cost and gradient are its
// part of the mean over all, so that the sum over ranks is what one rank would have found:
//
//   support::step_sum<Space> sum(ranks, theta.size());
//   double const cost = sum(gradient, [&](auto how) { return net.cost_and_gradient(how, ..); });
//
// `how` is a way to "run" statements. What one has written of the gradient is summed while the next
// one runs, if every part of the gradient is written once.
#pragma once
#include <felt/distributed/gradient_buckets.hpp>
#include <felt/distributed/shards.hpp>
#include <support/fingerprint.hpp>
#include <support/interrupt.hpp>
#include <support/place.hpp>
#include <functional>

namespace support {

template <class Space>
struct summed {
    felt::gradient_buckets<float, Space>* buckets = nullptr;  // none on one rank
    float const* gradient = nullptr;
    felt::index_t size = 0;

    // Elements of the gradient from y.data on. What has gaps waits for the end of the step.
    template <class S>
    void written(S const& y) const {
        if constexpr (std::is_same_v<typename S::value_type, float>) {
            felt::index_t reach = 1;
            for (std::size_t r = 0; r != S::rank; ++r) reach += (y.e[r] - 1) * y.stride[r];
            std::less<> const before;
            bool const inside = !before(y.data, gradient) && before(y.data, gradient + size);
            if (!inside || reach != y.e.size()) return;
            buckets->ready(y.data - gradient, y.data - gradient + reach);
        }
    }
};
template <class Space, class... S>
void run(summed<Space> how, S const&... s) {
    run(felt::fused, s...);
    if (how.buckets == nullptr) return;
    (how.written(s), ...);
    how.buckets->progress();
}

// x <- its sum over ranks, through the host where it lies elsewhere.
template <class Space, class X>
void sum_over_ranks(felt::communicator& ranks, X& x) {
    using traits = space_traits<Space>;
    if (ranks.size() == 1) return;
    if constexpr (std::is_same_v<Space, felt::Host>) {
        felt::sum(ranks, x);
    } else {
        auto here = traits::fetched(x);
        felt::sum(ranks, here);
        x = traits::placed(here);
    }
}

// In the middle of a cost: a value that all samples have a part in. Other ways know no other ranks.
template <class How, class X>
void sum_in_cost(How, X&) {}
template <class Space, class X>
void sum_in_cost(summed<Space> how, X& x) {
    if (how.buckets != nullptr) sum_over_ranks<Space>(how.buckets->ranks(), x);
}

template <class Space>
class step_sum {
public:
    using vector = felt::Tensor<float, 1, Space>;

    step_sum(felt::communicator& ranks, felt::index_t parameters)
        : ranks_(ranks), buckets_(ranks, parameters) {}

    // The cost over all ranks; the gradient, too.
    template <class Cost>
    double operator()(vector& gradient, Cost&& cost) {
        if (ranks_.size() == 1) return cost(summed<Space>{});
        buckets_.begin(gradient, 1);
        double all[] = {cost(summed<Space>{&buckets_, gradient.data(), gradient.size()}),
                        interrupted() ? 1. : 0.};
        auto const of_cost = ranks_.start_sum(std::span(all));
        buckets_.finish();
        of_cost->wait();
        interrupted_ = all[1] > 0;
        return all[0];
    }

    // All ranks stop after the same step.
    bool is_interrupted() const {
        return ranks_.size() == 1 ? support::interrupted() : interrupted_;
    }
    felt::bucket_times const& times() const { return buckets_.times(); }

private:
    felt::communicator& ranks_;
    felt::gradient_buckets<float, Space> buckets_;
    bool interrupted_ = false;
};

// Throws unless x is the same on all ranks, bit for bit.
template <class X>
void check_same(felt::communicator& ranks, X const& x, std::string const& what) {
    if (ranks.size() == 1) return;
    auto const prints = felt::gathered(ranks, felt::index_t{fingerprint_of(x)});
    for (std::size_t r = 1; r < prints.size(); ++r) {
        if (prints[r] == prints[0]) continue;
        throw felt::error(what + " on rank " + std::to_string(r) + " differ from those on rank 0");
    }
}

// The rows of a rank; there is to be at least one for each.
inline felt::shard rows_of(felt::index_t batch, felt::communicator const& ranks) {
    if (batch < ranks.size()) {
        throw felt::error("a batch of " + std::to_string(batch) + " is too small for " +
                          std::to_string(ranks.size()) + " ranks");
    }
    return felt::shard_of(batch, ranks);
}

// What several ranks have spent: `steps` steps of these seconds.
inline void report_ranks(felt::communicator const& ranks, felt::bucket_times const& t,
                         double seconds, std::ostream& out) {
    if (ranks.size() == 1 || t.steps == 0) return;
    auto const n = static_cast<double>(t.steps);
    out << ranks.size() << " ranks: " << duration(seconds / n) << " a step; sums of "
        << byte_size(static_cast<double>(t.bytes) / n) << " in " << duration(t.total / n)
        << ", waited for " << duration(t.exposed / n) << ": overlap "
        << three_digits(100 * t.overlap()) << " %\n";
}

}  // namespace support
