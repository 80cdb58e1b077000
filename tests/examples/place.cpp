// SPDX-License-Identifier: BSD-3-Clause
//
// Which place an example computes in.
#include "scratch.hpp"
#include <support/place.hpp>
#include <doctest/doctest.h>

namespace {

struct fake : support::place {
    bool gpu = false;
    explicit fake(bool has) : gpu(has) {}
    std::string name() const override { return gpu ? "gpu" : "threads"; }
    bool has_gpu() const override { return gpu; }
};

}  // namespace

TEST_CASE("auto is the device if that is a GPU") {
    support::place const host;
    fake const gpu(true), threads(false);
    auto const name = [&](char const* space, support::place const* device) {
        return support::chosen_place(space, host, device).name();
    };
    CHECK(name("host", &gpu) == "host");
    CHECK(name("device", &gpu) == "gpu");
    CHECK(name("device", &threads) == "threads");
    CHECK(name("auto", &gpu) == "gpu");
    CHECK(name("auto", &threads) == "host");
    CHECK(name("auto", nullptr) == "host");
    std::string said;
    try {
        name("device", nullptr);
    } catch (felt::error const& e) {
        said = e.what();
    }
    CHECK(test::has(said, "--space device: this program was built without the device"));
}

TEST_CASE("a place's results are near enough or not") {
    support::place const host;
    CHECK(support::agrees(host, 1e-7, 1e-6));
    CHECK_FALSE(support::agrees(host, 1e-5, 1e-6));
    CHECK_FALSE(support::agrees(host, std::nan(""), 1e-6));
}

TEST_CASE("a clock of the host has no copies") {
    support::space_watch<felt::Host> const watch;
    CHECK(watch.seconds() >= 0);
    CHECK(watch.transferred() == 0);
}
