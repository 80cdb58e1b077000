// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <felt/npz.hpp>
#include <networks/learn_report.hpp>
#include <networks/learn_torch.hpp>
#include <nlohmann/json.hpp>
#include <iostream>
#include <sstream>

using felt::index_t;
using nlohmann::json;

namespace {

networks::lesson lesson_of(char const* name, networks::job const& j) {
    for (auto const& l : networks::lessons(j))
        if (l.network == name) return l;
    throw felt::error(name);
}

networks::learned yacht(std::vector<int> seeds, std::vector<std::vector<double>> scores,
                        std::string const& by = "Felt") {
    networks::learned l{{}, "generated hulls", 246, 62, {{by, seeds, scores, {.5}}}};
    l.of.network = "yacht", l.of.measure = "correlation", l.of.batch = 41;
    return l;
}

// In the place of a Python: shows nothing to PyTorch, but says these scores.
struct fake_python {
    test::scratch_folder folder;
    std::string name = (folder / "python").string();

    explicit fake_python(std::string const& scores) {
        test::write_bytes(folder / "scores.json", scores);
        test::write_bytes(
            name, "#!/bin/sh\ncd " + folder.path.string() +
                      "\necho \"$@\" >> asked\n"
                      "case $2 in learn) cp \"$3/lesson.json\" . && cat scores.json\nesac\n");
        test::fs::permissions(name, test::fs::perms::owner_all);
    }
};

networks::job lesson_job(test::scratch_folder const& folder) {
    networks::job j;
    j.names = {"yacht"}, j.data = "/nowhere", j.epochs = 2, j.seeds = 2, j.first_seed = 3;
    j.out_given = j.quiet = true, j.out = (folder / "out").string();
    return j;
}

template <class F>
std::string error_of(F f) {
    try {
        f();
    } catch (felt::error const& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a lesson is written with its samples, and how parameters begin and steps are made") {
    test::scratch_folder const folder;
    networks::job const j = lesson_job(folder);
    networks::write_lesson(lesson_of("yacht", j), j, folder / "yacht");
    auto const all = json::parse(test::read_bytes(folder / "yacht/lesson.json"));
    CHECK(all["rule"] ==
          json{{"kind", "adam"}, {"rate", .01}, {"beta1", .9}, {"beta2", .999}, {"epsilon", 1e-8}});
    CHECK(all["epochs"] == 2);
    CHECK(all["first_seed"] == 3);
    CHECK(all["seeds"] == 2);
    auto const& task = all["tasks"][0];
    CHECK(task["extents"] == json{6});
    CHECK(task["parameters"].size() == 4);
    CHECK(task["parameters"][0] ==
          json{{"name", "0.weight"}, {"extents", {8, 6}}, {"begin", "glorot"}, {"value", 0.}});
    CHECK(task["parameters"][1]["begin"] == "equal");
    auto const data = felt::load_npz((folder / "yacht/0.npz").string());
    auto const set = networks::yacht_hulls("/nowhere", 1);
    felt::Tensor<float, 2> x(set.train.x.extents()), y(set.test.values.extents());
    data.get("train_x", x), data.get("test_y", y);
    CHECK(bool(felt::all(x == set.train.x)));
    CHECK(bool(felt::all(y == set.test.values)));
}

TEST_CASE("lessons are written into folders of their names, and what has none is said") {
    test::scratch_folder const folder;
    networks::job j = lesson_job(folder);
    j.names = {"transfer", "yacht-pca"}, j.lessons = (folder / "lessons").string(), j.quick = true;
    std::ostringstream said;
    auto* const before = std::cout.rdbuf(said.rdbuf());
    networks::write_lessons(j);
    std::cout.rdbuf(before);
    CHECK(said.str() == "transfer: PyTorch has no lesson of this\n" +
                            (folder / "lessons/yacht-pca").string() + "\n");
    CHECK(test::fs::exists(folder / "lessons/yacht-pca/0.npz"));
    CHECK_FALSE(test::fs::exists(folder / "lessons/transfer"));
}

TEST_CASE("tasks have files of their own, and what reproduces its samples has no targets") {
    test::scratch_folder const folder;
    networks::job j = lesson_job(folder);
    j.quick = true;
    networks::write_lesson(lesson_of("p3b1", j), j, folder / "p3b1");
    auto const all = json::parse(test::read_bytes(folder / "p3b1/lesson.json"));
    CHECK(all["shared_layers"] == 1);
    REQUIRE(all["tasks"].size() == 3);
    CHECK(all["tasks"][2]["classes"] == 4);
    CHECK(felt::load_npz((folder / "p3b1/2.npz").string()).array("train_y").extents[0] == 1200);
    networks::write_lesson(lesson_of("p1b1", j), j, folder / "p1b1");
    auto const profiles = felt::load_npz((folder / "p1b1/0.npz").string());
    CHECK(profiles.array("train_x").extents == std::vector<index_t>{900, 600});
    CHECK_FALSE(profiles.contains("train_y"));
}

TEST_CASE("PyTorch learns the same lesson beside, in a process of its own") {
    fake_python const python(networks::to_json({yacht({3, 4}, {{.1, .5}, {.2, .7}}, "PyTorch")}));
    test::scratch_folder const folder;
    networks::job j = lesson_job(folder);
    j.python = python.name;
    CHECK(networks::learn(j) == 0);
    auto const lesson = json::parse(test::read_bytes(python.folder / "lesson.json"));
    CHECK(lesson["network"] == "yacht");
    auto const asked = test::read_bytes(python.folder / "asked");
    CHECK(test::has(asked, "-c import numpy, torch\n"));
    std::string const words = asked.substr(asked.find(" learn ") + 7);
    CHECK(words.ends_with(" --quiet\n"));
    CHECK_FALSE(test::fs::exists(words.substr(0, words.find(' '))));  // the folder is gone
    auto const all = networks::learned_in(test::read_bytes(folder / "out/learned.json"), "");
    REQUIRE(all.size() == 1);
    REQUIRE(all[0].ways.size() == 2);
    CHECK(all[0].ways[0].seeds == std::vector<int>{3, 4});
    CHECK(all[0].ways[0].scores[1].size() == 2);
    CHECK(all[0].ways[1].by == "PyTorch");
    CHECK(all[0].ways[1].mean() == doctest::Approx(.6));
}

TEST_CASE("a Python without PyTorch is an error before anything is learned") {
    test::scratch_folder const folder;
    networks::job j = lesson_job(folder);
    j.python = "/nonexistent/python";
    CHECK(error_of([&] { networks::learn(j); }) ==
          "--python /nonexistent/python: has no PyTorch and NumPy");
    CHECK_FALSE(test::fs::exists(folder / "out/learned.json"));
    for (std::string const said : {"", "[]", "[{\"network\": \"yacht\"}]"}) {
        CAPTURE(said);
        fake_python const python(said);
        j.python = python.name;
        CHECK(test::has(error_of([&] { networks::learn_by_torch(lesson_of("yacht", j), j); }),
                        said == "[]" ? "PyTorch learned no yacht"
                                     : "what PyTorch learns of yacht by --python " + j.python +
                                           ": no scores of learned networks"));
    }
}

TEST_CASE("seeds that were learned apart are added up") {
    test::scratch_folder const folder;
    networks::job j;
    auto const put = [&](char const* name, networks::learned const& l) {
        test::write_bytes(folder / name, networks::to_json({l}));
        j.add.push_back((folder / name).string());
    };
    put("a", yacht({1}, {{.1, .5}})), put("b", yacht({2}, {{.2, .7}}));
    put("c", yacht({1, 2}, {{.1, .5}, {.2, .9}}, "PyTorch"));
    j.out_given = true, j.out = (folder / "out").string();
    CHECK(networks::add_learned(j) == 0);
    auto const all = networks::learned_in(test::read_bytes(folder / "out/learned.json"), "");
    REQUIRE(all.size() == 1);
    CHECK(all[0].ways[0].seeds == std::vector<int>{1, 2});
    CHECK(all[0].ways[0].mean() == doctest::Approx(.6));
    CHECK(all[0].ways[1].scores.size() == 2);
    CHECK(test::fs::exists(folder / "out/yacht-learned.svg"));
}

TEST_CASE("what cannot be added is named") {
    std::vector<networks::learned> all = {yacht({1, 2}, {{.5}, {.6}})};
    auto const message = [&](networks::learned const& l) {
        return error_of([&] { networks::add(all, l, "f.json"); });
    };
    CHECK(message(yacht({2}, {{.5}})) == "f.json: yacht by Felt: seed 2 is there already");
    CHECK(message(yacht({3}, {{.5, .6}})) == "f.json: yacht by Felt has other numbers of epochs");
    auto other = yacht({3}, {{.5}});
    other.of.batch = 10;
    CHECK(message(other) == "f.json: yacht is not the same lesson");
    CHECK(all[0].ways[0].seeds.size() == 2);
    CHECK(message(yacht({3}, {{.5}})) == "");
    CHECK(all[0].ways[0].seeds.size() == 3);
}

TEST_CASE("a report says how many standard deviations Felt is from PyTorch") {
    auto l = yacht({1, 2}, {{.9}, {.3}});
    CHECK(networks::beside_torch(l) == "");
    l.ways.push_back({"PyTorch", {1, 2}, {{.5}, {.7}}, {}});
    l.ways[0].scores = {{.9}, {.4}};
    CHECK(networks::beside_torch(l) ==
          "yacht: Felt is 0.0500 above PyTorch, 0.35 of its standard "
          "deviations: within one\n");
    l.ways[0].scores = {{.4}, {.4}};
    CHECK(networks::beside_torch(l) ==
          "yacht: Felt is 0.2000 below PyTorch, 1.41 of its standard "
          "deviations: not within one\n");
    l.ways[1].scores = {{.5}};
    CHECK(test::has(networks::beside_torch(l), "of whose deviation one seed says nothing"));
}
