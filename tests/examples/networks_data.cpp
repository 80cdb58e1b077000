// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <networks/candle.hpp>
#include <doctest/doctest.h>
#include <zlib.h>
#include <cmath>

using felt::index_t;
using labels = felt::Tensor<index_t, 1>;

namespace {

void write_gzipped(test::fs::path const& file, std::string const& bytes) {
    gzFile const to = gzopen(file.c_str(), "wb");
    gzwrite(to, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(to);
}

// `rows` of so many features: k / 1000 for feature k, and row r's own number first.
std::string features(int rows, int columns = 400) {
    std::string text;
    for (int r = 0; r < rows; ++r) {
        text += std::to_string(r);
        for (int k = 1; k < columns; ++k) text += "," + std::to_string(k / 1000.0);
        text += "\n";
    }
    return text;
}

struct reports {
    test::scratch_folder folder;
    std::string data = folder.path.string();

    reports() {
        for (std::string const task : {"task0_0_", "task1_0_", "task2_0_"}) {
            test::write_bytes(folder / ("p3b1/" + task + "train_feature.csv"), features(3));
            test::write_bytes(folder / ("p3b1/" + task + "train_label.csv"), "0\n1\n0\n");
            test::write_bytes(folder / ("p3b1/" + task + "test_feature.csv"), features(2));
            test::write_bytes(folder / ("p3b1/" + task + "test_label.csv"), "1\n0\n");
        }
    }
    std::string message() {
        return test::message_of([&] { networks::p3b1_reports(data, 1); });
    }
};

}  // namespace

TEST_CASE("profiles come from P1B1's files, scaled by gene over both") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "P1B1.dev.train.csv",
                      "case_id,cancer_type,g1,g2,g3\na,brca,1,4,7\nb,luad,3,8,7\n");
    write_gzipped(folder / "P1B1.dev.test.csv.gz", "case_id,cancer_type,g1,g2,g3\nc,brca,5,6,7\n");
    auto const set = networks::p1b1_profiles(folder.path.string(), 1);
    CHECK(set.source == (folder / "P1B1.dev.train.csv").string());
    CHECK(set.train.extents == std::vector<index_t>{3});
    using table = felt::Tensor<float, 2>;
    CHECK(bool(felt::all(set.train.x == table::of({{0, 0, 0}, {0.5, 1, 0}}))));
    CHECK(bool(felt::all(set.test.x == table::of({{1, 0.5, 0}}))));
    CHECK(&set.train.targets() == &set.train.x);
    test::write_bytes(folder / "P1B1.dev.train.csv",
                      "case_id,cancer_type,g1,g2,g3\na,brca,1,4,7\nb,luad,3,8,seven\n");
    CHECK(test::message_of([&] { networks::p1b1_profiles(folder.path.string(), 1); }) ==
          (folder / "P1B1.dev.train.csv").string() +
              ": line 3, column 5: 'seven' is no finite number");
}

TEST_CASE("profiles of one file without the other, or with other genes, are an error") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "P1B1.train.csv", "case_id,g1,g2\na,1,4\nb,3,8\n");
    auto const message = [&] {
        return test::message_of([&] { networks::p1b1_profiles(folder.path.string(), 1); });
    };
    CHECK(test::has(message(), "no P1B1.test.csv (or .gz)"));
    test::write_bytes(folder / "P1B1.test.csv", "case_id,g1\nc,5\n");
    CHECK(message() ==
          (folder / "P1B1.test.csv").string() + ": line 1 names 1 columns of numbers, expected 2");
    test::write_bytes(folder / "P1B1.test.csv", "case_id,g1,g2\nc,5,6\n");
    CHECK(message() == "");
}

TEST_CASE("generated profiles have the shape asked for, in [0, 1], and follow from the seed") {
    test::scratch_folder const folder;
    std::string const none = folder.path.string();
    auto const set = networks::p1b1_profiles(none, 5, {30, 10, 200});
    CHECK(set.source == "generated profiles");
    CHECK(set.train.x.extents() == felt::extents<2>{{30, 200}});
    CHECK(set.test.x.extents() == felt::extents<2>{{10, 200}});
    CHECK(float(felt::min(set.train.x)) >= 0);
    CHECK(float(felt::max(set.train.x)) <= 1);
    auto const again = networks::p1b1_profiles(none, 5, {30, 10, 200});
    CHECK(bool(felt::all(again.train.x == set.train.x)));
    CHECK(networks::correlation(networks::p1b1_profiles(none, 6, {30, 10, 200}).train.x,
                                set.train.x) < 0.5);
}

TEST_CASE("reports of three tasks come from their files") {
    reports const files;
    auto const tasks = networks::p3b1_reports(files.data, 1);
    REQUIRE(tasks.size() == 3);
    for (std::size_t t = 0; t < 3; ++t) {
        CHECK(tasks[t].train.x.extents() == felt::extents<2>{{3, 400}});
        CHECK(tasks[t].train.x(2, 0) == 2);
        CHECK(tasks[t].train.x(1, 399) == 0.399f);
        CHECK(bool(felt::all(tasks[t].train.labels == labels::of({0, 1, 0}))));
        CHECK(bool(felt::all(tasks[t].test.labels == labels::of({1, 0}))));
        CHECK(tasks[t].train.classes == networks::p3b1_classes[t]);
    }
}

TEST_CASE("reports that are wrong are named with the place") {
    reports files;
    auto const at = [&](char const* name) {
        return (files.folder / ("p3b1/" + std::string(name))).string();
    };
    test::write_bytes(at("task1_0_test_label.csv"), "0\n2\n");
    CHECK(files.message() ==
          at("task1_0_test_label.csv") + ": line 2, column 1: '2' is not one of 0 .. 1");
    test::write_bytes(at("task1_0_test_label.csv"), "0\n1\n1\n");
    CHECK(files.message() == at("task1_0_test_label.csv") + ": 3 labels for 2 rows of " +
                                 at("task1_0_test_feature.csv"));
    test::write_bytes(at("task1_0_test_label.csv"), "0\n1\n");
    test::write_bytes(at("task2_0_train_feature.csv"), features(3, 399));
    CHECK(files.message() ==
          at("task2_0_train_feature.csv") + ": line 1 has 399 columns, expected 400");
    test::fs::remove(at("task2_0_train_feature.csv"));
    CHECK(test::has(files.message(), "no task2_0_train_feature.csv (or .gz)"));
}

TEST_CASE("generated reports have the shape of the benchmark's") {
    test::scratch_folder const folder;
    auto const tasks = networks::p3b1_reports(folder.path.string(), 3);
    REQUIRE(tasks.size() == 3);
    CHECK(tasks[0].train.count() == 3900);
    CHECK(tasks[0].test.count() == 99);
    CHECK(tasks[1].train.count() == 600);
    CHECK(tasks[1].test.count() == 86);
    CHECK(tasks[2].train.count() == 1200);
    CHECK(tasks[2].test.count() == 68);
    for (auto const& t : tasks) {
        CHECK(t.train.x.extent(1) == 400);
        CHECK(index_t(felt::min(t.train.labels)) == 0);
        CHECK(index_t(felt::max(t.train.labels)) == t.train.classes - 1);
        CHECK(t.train.x(0, 0) != t.test.x(0, 0));
    }
}

// Of class 0: hits 1, said 2, right 1; of class 2: 1, 1, 3; of class 1: 0, 1, 0.
TEST_CASE("F1 by class and of all") {
    auto const s = networks::f1(labels::of({0, 0, 1, 2}), labels::of({0, 2, 2, 2}));
    CHECK(s.micro == doctest::Approx(0.5));
    CHECK(s.macro == doctest::Approx((2. / 3 + 0 + 2. / 4) / 3));
    // What P3B1's README says of its six.
    CHECK(networks::geometric_mean({.2305, .4141, .9186, .9186, .5375, .7206}) ==
          doctest::Approx(0.5611).epsilon(1e-4));
}

TEST_CASE("a correlation is 1 for a line that goes up and -1 for one that goes down") {
    using table = felt::Tensor<float, 2>;
    auto const x = table::of({{1, 2}, {3, 5}});
    table up({2, 2}), down({2, 2});
    up = 2.f * x + 1.f, down = -x;
    CHECK(networks::correlation(x, up) == doctest::Approx(1));
    CHECK(networks::correlation(x, down) == doctest::Approx(-1));
    CHECK(networks::correlation(x, table::of({{1, -1}, {-1, 1}})) ==
          doctest::Approx(1 / std::sqrt(8.75 * 4)).epsilon(1e-6));
}
