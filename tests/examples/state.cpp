// SPDX-License-Identifier: BSD-3-Clause
//
// What the saved states of all examples have in common.
#include "scratch.hpp"
#include <felt/nn/lbfgs.hpp>
#include <felt/nn/sgd.hpp>
#include <support/state.hpp>
#include <doctest/doctest.h>

namespace {

struct setting {
    char const* name;
    int size;
};
constexpr setting settings[] = {{"small", 1}, {"large", 9}};

}  // namespace

TEST_CASE("a run begins without a state, or takes over the seed of one") {
    test::scratch_folder const folder;
    support::job j;
    CHECK(support::state_of(j).arrays.empty());
    CHECK(j.seed == 1);
    felt::npz file;
    file.put("seed", std::int64_t{-5});
    j.resume = (folder / "s.npz").string();
    felt::save_npz(j.resume, file);
    support::state_of(j);
    CHECK(j.seed == static_cast<std::uint64_t>(-5));
}

TEST_CASE("a name is found among those that may be, else the file is another") {
    felt::npz file;
    file.file = "s.npz";
    auto const said = [&] {
        return test::message_of([&] { support::setting_in(file, settings); });
    };
    CHECK(said() == "s.npz: is no saved state of this example");
    support::put_name(file, "setting", "huge");
    CHECK(said() == "s.npz: is no saved state of this example");
    support::put_name(file, "setting", "large");
    CHECK(support::setting_in(file, settings) == "large");
    CHECK(support::setting_for(settings, "large").size == 9);
    CHECK_THROWS_AS(support::setting_for(settings, "huge"), felt::error);
}

TEST_CASE("what is given goes over a setting, but not over what was saved") {
    support::job j;
    int size = 9;
    support::lay_over(j, "--size", 0, size);
    CHECK(size == 9);
    support::lay_over(j, "--size", 4, size);
    CHECK(size == 4);
    support::lay_over(j, "--size", true, 0, size);
    CHECK(size == 0);
    j.resume = "s.npz";
    double rate = 0.5;
    support::lay_over(j, "--rate", 0., rate);
    support::lay_over(j, "--rate", 0.5, rate);
    CHECK(test::message_of([&] { support::lay_over(j, "--rate", 0.25, rate); }) ==
          "s.npz: was saved with --rate 0.5, not 0.25");
    CHECK(rate == 0.5);
}

TEST_CASE("an optimiser goes on as it was, on the same data only") {
    felt::Tensor<float, 1> start({3});
    felt::sgd<float> a(start, {.rate = 0.5}), b(start, {.rate = 0.5});
    a.step([](auto const&, auto& g) {
        g = 1.f;
        return 2.;
    });
    felt::npz file;
    support::put_parts(file, a);
    support::put_list(file, "costs", {2, 1});
    support::get_parts(file, b);
    CHECK(b.iteration() == 1);
    CHECK(b.x()(2) == -0.5f);
    CHECK(file.values<double>("costs") == std::vector<double>{2, 1});
    CHECK(support::list_in(file, "costs", 2) == std::vector<double>{2, 1});
    file.put("data", std::int64_t{7});
    CHECK_NOTHROW(support::check_data(file, 7, "training on other data"));
    CHECK(
        test::has(test::message_of([&] { support::check_data(file, 8, "training on other data"); }),
                  "was saved while training on other data"));
}

TEST_CASE("what a state says of its sizes is compared with what is in it") {
    felt::npz file;
    file.file = "s.npz";
    auto const said = [](auto const& f) { return test::message_of(f); };
    support::put_list(file, "costs", {2, 1});
    CHECK(said([&] { (void)support::list_in(file, "costs", 3); }) ==
          "s.npz: array 'costs' has 2 values, not 3");
    file.put("batch", std::int64_t{0});
    CHECK(said([&] { (void)support::count_in(file, "batch"); }) ==
          "s.npz: 'batch' is 0, not 1 .. 2147483647");
    file.put("hidden", std::int64_t{3});  // of 4 values in all
    CHECK(said([&] { (void)support::width_in(file, "hidden"); }) ==
          "s.npz: 'hidden' is 3, not 1 .. 2");
    file.put("batch", std::int64_t{7}), file.put("hidden", std::int64_t{2});
    CHECK(support::count_in(file, "batch") == 7);
    CHECK(support::width_in(file, "hidden") == 2);

    felt::Tensor<float, 1> const start({3});
    felt::lbfgs<float> a(start), b(start);
    a.start([](auto const&, auto& g) { return g = 1.f, 2.; });
    support::put_parts(file, a);
    support::get_parts(file, b);
    file.put("optimiser.pairs", std::int64_t{1} << 40);
    CHECK(test::has(said([&] { support::get_parts(file, b); }),
                    "s.npz: 'optimiser.pairs' is 1099511627776, and the file has "));
    file.put("optimiser.pairs", std::int64_t{0}), file.put("optimiser.iteration", std::int64_t{-1});
    CHECK(test::has(said([&] { support::get_parts(file, b); }), "'optimiser.iteration' is -1"));
}
