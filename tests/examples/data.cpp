// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/data.hpp>
#include <doctest/doctest.h>

namespace {

// $FELT_DATA for one test.
struct data_variable {
    explicit data_variable(std::string const& value) { setenv("FELT_DATA", value.c_str(), 1); }
    ~data_variable() { unsetenv("FELT_DATA"); }
};

}  // namespace

TEST_CASE("what the user names is the only place looked at") {
    data_variable const variable("/elsewhere");
    CHECK(support::data_folders("d", "mnist") == std::vector<test::fs::path>{"d/mnist", "d"});
    CHECK(support::data_folders("", "mnist") ==
          std::vector<test::fs::path>{"/elsewhere/mnist", "/elsewhere", "data/mnist", "data"});
}

TEST_CASE("an empty variable is no variable") {
    data_variable const variable("");
    CHECK(support::data_folders("", "x") == std::vector<test::fs::path>{"data/x", "data"});
}

TEST_CASE("files are found in the set's folder or its parent, plain or gzipped") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "set/a", "");
    test::write_bytes(folder / "set/b.gz", "");
    test::write_bytes(folder / "c", "");
    std::string const root = folder.path.string();
    using paths = std::vector<test::fs::path>;
    CHECK(support::find_files(root, "set", {"a", "b"}) ==
          paths{folder / "set/a", folder / "set/b.gz"});
    CHECK(support::find_files(root, "set", {"c"}) == paths{folder / "c"});
    data_variable const variable(root);
    CHECK(support::find_files("", "set", {"a"}) == paths{folder / "set/a"});
}

TEST_CASE("a set that is not there is an error only where the user has named a folder") {
    test::scratch_folder const folder;
    data_variable const variable(folder.path.string());
    CHECK_FALSE(support::find_files("", "set", {"no such file"}).has_value());
    CHECK(test::message_of([&] { support::find_files(folder.path.string(), "set", {"a", "b"}); }) ==
          "no a, b (or .gz) in " + (folder / "set").string() + ", " + folder.path.string());
}

TEST_CASE("half a set is an error that names what is missing") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "set/a", "");
    data_variable const variable(folder.path.string());
    CHECK(test::message_of([&] { support::find_files("", "set", {"a", "b", "c"}); }) ==
          (folder / "set").string() + ": no b, c (or .gz); expected are a, b, c");
}
