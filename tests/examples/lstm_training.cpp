// SPDX-License-Identifier: BSD-3-Clause
//
// Training runs: what is saved and resumed, clipping, the command line.
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <felt/npz.hpp>
#include <lstm/options.hpp>
#include <lstm/training.hpp>

namespace {

using felt::index_t;

struct small_run {
    lstm::shape size;
    lstm::setting how;
    lstm::corpus text;
    lstm::net model;
    lstm::training t;

    explicit small_run(int last = 1)
        : size{12, 8, 2, {}},
          how{"characters", 4, 6, 8, 3, 0, 2, 0.5},
          text(numbers(last), 6, 4),
          model(size, 6, 4),
          t(how, model, lstm::net::initial_parameters(size, 7), text, 7) {}

    static std::vector<int> numbers(int last) {
        std::vector<int> list(150, last);
        for (std::size_t i = 0; i + 1 < list.size(); ++i) list[i] = static_cast<int>(i * i % 12);
        return list;
    }
    void steps(int n) {
        lstm::trainer_in<felt::Host> by(size, how.steps, how.batch, t.how.clip, model,
                                        std::move(t.optimiser));
        for (int i = 0; i < n; ++i) t.step(by, text);
        t.optimiser = by.stop();
    }
    std::string bytes(test::scratch_folder const& folder) {
        felt::save_npz((folder / "state.npz").string(), to_npz(t));
        return test::read_bytes(folder / "state.npz");
    }
};

lstm::command read(std::vector<char const*> words) {
    words.insert(words.begin(), "felt_lstm");
    return lstm::read_command(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("a run that was saved and resumed equals an unbroken one, byte for byte") {
    test::scratch_folder const folder;
    small_run whole, broken, resumed;
    REQUIRE(whole.t.per_epoch == 6);
    whole.steps(15);
    broken.steps(8);  // in the second epoch, with a state to carry
    broken.bytes(folder);
    from_npz(felt::load_npz((folder / "state.npz").string()), resumed.t);
    CHECK(resumed.t.iteration() == 8);
    resumed.steps(7);
    CHECK(resumed.bytes(folder) == whole.bytes(folder));
    CHECK(bool(felt::any(whole.t.theta() != broken.t.theta())));
}

TEST_CASE("a step is no longer than rate times the limit of the gradient") {
    small_run r;
    auto const before = r.t.theta();
    r.steps(1);
    CHECK(double(norm2(r.t.theta() - before)) < 2 * 0.5 * 1.001);
    CHECK(r.t.costs.at(0) == doctest::Approx(std::log(12.0)).epsilon(0.05));
}

TEST_CASE("training lowers the cost") {
    small_run r;
    r.how.clip = 5;
    r.steps(120);
    CHECK(r.t.costs.back() < r.t.costs.front() - 0.3);
}

TEST_CASE("a state of another text, or of something else, is not resumed") {
    small_run a, other(2);
    auto const file = to_npz(a.t);
    CHECK_THROWS_AS(from_npz(file, other.t), felt::io_error);
    CHECK(lstm::setting_of(file).steps == 6);
    CHECK(lstm::setting_of(file).rate == 2);
    CHECK_THROWS_AS(lstm::setting_of(felt::npz{}), felt::io_error);
}

TEST_CASE("a text shorter than a batch is an error") {
    lstm::corpus text({1, 2, 3}, 6, 4);
    small_run r;
    CHECK_THROWS_AS(
        lstm::training(r.how, r.model, lstm::net::initial_parameters(r.size, 1), text, 1),
        felt::error);
}

TEST_CASE("options go over what the setting has, and a resumed run keeps what was saved") {
    auto const c = read({"--setting", "characters", "--steps", "64", "--rate", "0.5"});
    REQUIRE_FALSE(c.status);
    auto const s = lstm::chosen(c.what, {}, "words");
    CHECK(s.name == "characters");
    CHECK(s.steps == 64);
    CHECK(s.rate == 0.5);
    CHECK(lstm::chosen(read({}).what, {}, "words").hidden == 256);
    lstm::job resumed = read({"--steps", "64"}).what;
    resumed.resume = "state.npz";
    CHECK_THROWS_AS(lstm::chosen(resumed, {}, "words"), felt::io_error);
    CHECK(read({"--cell", "gru"}).status.value_or(0) != 0);
    CHECK(read({"--help"}).status == 0);
}
