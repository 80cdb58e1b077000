// SPDX-License-Identifier: BSD-3-Clause
#include <felt/distributed/device_buckets.hpp>
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>

using felt::index_t, felt::Device, felt::Host;

namespace {

// A communicator that says it takes memory of the device, which here is the host's.
struct there final : felt::communicator {
    felt::communicator& own;

    explicit there(felt::communicator& c) : own(c) {}
    int rank() const override { return own.rank(); }
    int size() const override { return own.size(); }
    bool of_device_memory() const override { return true; }
    request_ptr start_sum(std::span<float> x) override { return own.start_sum(x); }
    request_ptr start_sum(std::span<double> x) override { return own.start_sum(x); }
    request_ptr start_sum(std::span<index_t> x) override { return own.start_sum(x); }
    void broadcast(std::span<std::byte> x) override { own.broadcast(x); }
    void barrier() override { own.barrier(); }
    void end_all(std::string const& message) override { own.end_all(message); }
};

void check_mean(felt::communicator& ranks) {
    felt::gradient_buckets<float, Device> buckets(ranks, 100, {.first = 40, .bytes = 128});
    for (int step = 0; step < 2; ++step) {
        felt::Tensor<float, 1, Device> g({100});
        g = felt::iota<float>(100) + static_cast<float>(ranks.rank());
        buckets.begin(g);
        buckets.ready(60);
        buckets.ready(0);
        buckets.finish();
        auto const here = felt::to<Host>(g);
        for (index_t i = 0; i < 100; ++i)
            CHECK(here(i) == doctest::Approx(static_cast<double>(i + 1)));
    }
    CHECK(buckets.times().bytes == 800);
}

}  // namespace

TEST_CASE("a gradient on the device is summed through the host") { felt::run_ranks(3, check_mean); }

TEST_CASE("or where it lies, by who takes memory of the device, which the host's is not") {
    felt::run_ranks(3, [](felt::communicator& ranks) {
        there device(ranks);
        check_mean(device);
        CHECK_THROWS_AS(felt::gradient_buckets<float>(device, 10), felt::error);
    });
}
