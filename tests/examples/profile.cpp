// SPDX-License-Identifier: BSD-3-Clause
//
// Profiles and their pictures, the map of counts, and features from files.
#include "scratch.hpp"
#include <support/features.hpp>
#include <support/heatmap.hpp>
#include <support/profile_report.hpp>
#include <doctest/doctest.h>
#include <sstream>

using felt::index_t;

TEST_CASE("a name that comes again adds up, and shares are of the whole") {
    support::profile p;
    p.add("pool", 1), p.add("other", 2), p.add("pool", 1);
    CHECK(p.shares().size() == 2);
    CHECK(p.total() == 4);
    CHECK(p.percent("pool") == 50);
    CHECK(p.percent("nothing") == 0);
    CHECK(support::profile{}.percent("pool") == 0);
}

TEST_CASE("every run() is a lap of its own, and is carried out") {
    felt::Tensor<float, 1> x({4}), y({4});
    x = 2.f;
    std::vector<double> seconds;
    support::laps const how{&seconds};
    run(how, assign(y, x * x));
    run(how, assign(x, y + 1), assign(y, x));
    CHECK(seconds.size() == 2);
    CHECK(seconds[0] > 0);
    CHECK(y(3) == 5);
}

TEST_CASE("the first of the repeated steps only warms up") {
    support::profile p;
    int calls = 0;
    double const times = support::repeated(p, [&](support::profile& to) {
        to.add("step", ++calls == 1 ? 100 : 1);
        to.time("wait", [] {
            support::stopwatch const watch;
            while (watch.seconds() < 0.3) {
            }
        });
    });
    CHECK(calls == int(times) + 1);
    CHECK(times >= 3);
    CHECK(p.shares()[0].seconds == times);
}

TEST_CASE("tables and charts of a profile hold its names and the published shares") {
    support::profile p;
    p.add("filter_convolve", 0.03), p.add("softmax", 0.01);
    std::vector<support::published_share> const study = {{"filter_convolve", 47.8, 25.8}};
    std::ostringstream out;
    support::print_operations(p, study, 10, out);
    support::print_stages(p, 10, out);
    std::ostringstream alone;
    support::print_operations(p, 10, alone);
    CHECK(test::has(alone.str(), "unfused, by operation"));
    CHECK(test::has(alone.str(), "75.0 %"));
    CHECK_FALSE(test::has(alone.str(), "study"));
    CHECK(test::has(out.str(), "filter_convolve"));
    CHECK(test::has(out.str(), "75.0 %         47.8 %       25.8 %"));
    CHECK(test::has(out.str(), "4.00"));  // all of it, ms a step
    auto const bars = support::operations_chart("t", p, study);
    CHECK(bars.places == std::vector<std::string>{"filter_convolve", "softmax"});
    CHECK(bars.groups[0].values == std::vector<double>{75, 25});
    CHECK(bars.groups[2].values == std::vector<double>{25.8, 0});
    CHECK(test::has(support::to_svg(bars), "share of a training step (%)"));
    auto const pie = support::pie_of("t", p, 10);
    CHECK(pie.slices[1].value == doctest::Approx(1));
}

TEST_CASE("a pie has eight slices at the most, and loses nothing") {
    support::profile p;
    for (int i = 0; i < 8; ++i) p.add("part " + std::to_string(i), 1 + i % 3);
    CHECK(support::pie_of("t", p, 1).slices.size() == 8);
    p.add("last", 5), p.add("small", 0.5);
    auto const pie = support::pie_of("t", p, 1);
    CHECK(pie.slices.size() <= 8);
    CHECK(pie.slices.back().name == "all others");
    double sum = 0;
    for (auto const& s : pie.slices) sum += s.value;
    CHECK(sum == doctest::Approx(1e3 * p.total()));
}

TEST_CASE("a map of counts names what is and what was said, and is darkest where all are") {
    support::heat_map const map{"t", "said", "is", {"a", "b"}, {{4, 0}, {1, 3}}};
    std::string const svg = support::to_svg(map);
    CHECK(test::has(svg, ">said<"));
    CHECK(test::has(svg, support::detail::shade(1)));
    CHECK(test::has(svg, support::detail::shade(0.5)));  // a quarter of its row
    CHECK(test::has(svg, ">4<"));
    CHECK_FALSE(test::has(svg, ">0<"));
    CHECK(support::detail::shade(0) == "#ffffff");
    CHECK(support::detail::shade(1) == "#0072b2");
    CHECK_FALSE(test::has(support::to_svg(support::heat_map{"t", "x", "y", {"a"}, {{0}}}), "nan"));
}

TEST_CASE("features are read from the autoencoder's .npz and from a .npy of either order") {
    test::scratch_folder const folder;
    felt::npz file;
    file.put("W1", felt::Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}}));
    file.put("b1", felt::Tensor<float, 1>::of({7, 8}));
    felt::save_npz((folder / "f.npz").string(), file);
    auto const a = support::load_features(folder / "f.npz");
    CHECK(a.count == 2);
    CHECK(a.size == 3);
    CHECK(a.values == std::vector<float>{1, 2, 3, 4, 5, 6});

    double const columns[] = {1, 4, 2, 5, 3, 6};
    std::string bytes = felt::detail::npy_head({"<f8", true, {2, 3}});
    bytes.append(reinterpret_cast<char const*>(columns), sizeof columns);
    test::write_bytes(folder / "f.npy", bytes);
    CHECK(support::load_features(folder / "f.npy").values == a.values);
}

TEST_CASE("files that hold no features are refused with a reason") {
    test::scratch_folder const folder;
    auto const said = [&](std::string const& bytes) {
        test::write_bytes(folder / "f.npy", bytes);
        return test::message_of([&] { support::load_features(folder / "f.npy"); });
    };
    CHECK(test::has(said("short"), "no .npy file"));
    std::string const head = felt::detail::npy_head({"<f4", false, {2, 3}});
    CHECK(test::has(said(head + "four"), "4 bytes of elements"));
    CHECK(test::has(said(felt::detail::npy_head({"<i8", false, {1, 1}}) + "12345678"), "<i8"));
    CHECK(test::has(said(felt::detail::npy_head({"<f4", false, {1}}) + "1234"), "not (features"));
}
