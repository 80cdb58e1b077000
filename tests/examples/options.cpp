// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <support/options.hpp>
#include <support/outputs.hpp>
#include <doctest/doctest.h>
#include <sstream>

namespace {

struct parsed {
    support::job o;
    std::optional<int> status;
    std::string out;
};

parsed parse(std::vector<char const*> words) {
    CLI::App app{"An example."};
    parsed p;
    support::add_options(app, p.o, "ae", {{"felt_ae --data DIR", "what it does"}});
    words.insert(words.begin(), "felt_ae");
    std::ostringstream out;
    auto* const normal = std::cout.rdbuf(out.rdbuf());
    auto* const errors = std::cerr.rdbuf(out.rdbuf());
    p.status = support::parse(app, static_cast<int>(words.size()), words.data());
    std::cout.rdbuf(normal);
    std::cerr.rdbuf(errors);
    p.out = out.str();
    return p;
}

}  // namespace

TEST_CASE("without arguments everything has its default") {
    auto const p = parse({});
    CHECK_FALSE(p.status.has_value());
    CHECK(p.o.out == "felt-out/ae");
    CHECK(p.o.data == "");
    CHECK(p.o.seed == 1);
    CHECK(p.o.iterations == 0);
    CHECK_FALSE(p.o.force);
    CHECK_FALSE(p.o.quiet);
}

TEST_CASE("the common options are read") {
    auto const p = parse({"--data", "d", "--out=o", "-n", "7", "--seed", "9", "--threads", "2",
                          "--save", "s.npz", "--force", "--quiet", "--check", "--profile"});
    CHECK_FALSE(p.status.has_value());
    CHECK(p.o.data == "d");
    CHECK(p.o.out == "o");
    CHECK(p.o.iterations == 7);
    CHECK(p.o.seed == 9);
    CHECK(p.o.threads == 2);
    CHECK(p.o.save == "s.npz");
    CHECK((p.o.force && p.o.quiet && p.o.check && p.o.profile));
}

TEST_CASE("help teaches, and mistakes are refused with a reason") {
    auto const help = parse({"--help"});
    CHECK(help.status == 0);
    CHECK(test::has(help.out, "felt_ae --data DIR   what it does"));
    CHECK(test::has(help.out, "felt-out/ae"));
    for (auto const& wrong : std::vector<std::vector<char const*>>{{"--unknown"},
                                                                   {"--seed", "many"},
                                                                   {"--threads", "0"},
                                                                   {"--iterations", "-3"},
                                                                   {"--resume", "no such file"}}) {
        auto const p = parse(wrong);
        REQUIRE(p.status.has_value());
        CHECK(*p.status != 0);
        CHECK(test::has(p.out, wrong[0]));
    }
}

TEST_CASE("nothing that exists is replaced unasked, and all of it is named before any work") {
    test::scratch_folder const folder;
    support::outputs fresh(folder / "out");
    fresh.add("a.png");
    CHECK_NOTHROW(fresh.prepare());
    test::write_bytes(folder / "out/a.png", "precious");
    test::write_bytes(folder / "out/b.svg", "precious");
    support::outputs again(folder / "out");
    again.add("a.png");
    again.add("b.svg");
    again.add("c.npz");
    std::string const message = test::message_of([&] { again.prepare(); });
    CHECK(test::has(message, "a.png, "));
    CHECK(test::has(message, "b.svg exist already"));
    CHECK_FALSE(test::has(message, "c.npz"));
    CHECK(test::has(message, "--force"));
    support::outputs forced(folder / "out", true);
    forced.add("a.png");
    CHECK_NOTHROW(forced.prepare());
    CHECK(test::read_bytes(folder / "out/a.png") == "precious");
}

TEST_CASE("without a name every run has a folder of its own") {
    test::scratch_folder const folder;
    std::string const first = (folder / "ae").string();
    CHECK(support::free_folder(first) == first);
    test::fs::create_directories(first);
    test::fs::create_directories(first + "-2");
    CHECK(support::free_folder(first) == first + "-3");
}

TEST_CASE("the state that a run goes on from may be replaced by its next one") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "s.npz", "state");
    test::write_bytes(folder / "t.npz", "other");
    support::outputs same(folder / "out");
    same.add_file(folder / "s.npz", folder / "out/../s.npz");
    CHECK(test::has(test::message_of([&] { same.prepare(); }), "s.npz exists already"));
    test::fs::create_directories(folder / "out");
    support::outputs resumed(folder / "out");
    resumed.add_file(folder / "s.npz", folder / "out/../s.npz");
    CHECK_NOTHROW(resumed.prepare());
    support::outputs other(folder / "out");
    other.add_file(folder / "t.npz", folder / "s.npz");
    CHECK(test::has(test::message_of([&] { other.prepare(); }), "t.npz exists already"));
}

TEST_CASE("a place that cannot be written is refused before any work") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "file", "");
    support::outputs out(folder / "file");
    out.add("a.png");
    CHECK(test::has(test::message_of([&] { out.prepare(); }), "file/a.png: cannot be written"));
}

TEST_CASE("what was written is listed with its size, what was not is not") {
    test::scratch_folder const folder;
    support::outputs out(folder / "out");
    auto const a = out.add("a.png");
    out.add("b.svg");
    out.prepare();
    support::write_file(a, std::string(300, 'x'));
    std::ostringstream text;
    out.list(text);
    CHECK(test::has(text.str(), a.string() + "   300 B\n"));
    CHECK_FALSE(test::has(text.str(), "b.svg"));
}

TEST_CASE("a first signal sets a flag and leaves the second to its default") {
    support::catch_interrupts();
    CHECK_FALSE(support::interrupted());
    std::raise(SIGTERM);
    CHECK(support::interrupted());
    CHECK(support::interrupted_status() == 143);
    CHECK((std::signal(SIGTERM, SIG_DFL) == SIG_DFL));
    support::catch_interrupts();
    CHECK_FALSE(support::interrupted());
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

TEST_CASE("an error becomes one line and status 1") {
    std::ostringstream out;
    auto* const errors = std::cerr.rdbuf(out.rdbuf());
    int const status =
        support::guarded("felt_ae", []() -> int { throw felt::io_error("x: gone"); });
    std::cerr.rdbuf(errors);
    CHECK(status == 1);
    CHECK(out.str() == "felt_ae: x: gone\n");
    CHECK(support::guarded("felt_ae", [] { return 3; }) == 3);
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}
