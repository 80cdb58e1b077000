// SPDX-License-Identifier: BSD-3-Clause
//
// Training runs: what is saved and resumed, the order of images, schedules, the command line.
#include "scratch.hpp"
#include <cnn/instances.hpp>
#include <cnn/net.hpp>
#include <cnn/options.hpp>
#include <cnn/training.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;

// The study's network, smaller, on generated digits.
struct run_of_study {
    cnn::study_shape net{28, 6, 9, 4, 10};
    cnn::setting how;
    cnn::digits d;
    cnn::net<float> model;
    cnn::training t;

    explicit run_of_study(index_t images = 160, index_t batch = 32)
        : how{"study", batch, 6, 3, 0},
          d(cnn::load_digits("", "train", images, 1)),
          model(net, batch),
          t(how, model.layers().initial(7), d, 7) {}

    void steps(int n) {
        cnn::batches next(t, d.x, d.y);
        for (int i = 0; i < n; ++i) {
            auto const b = next.next(t.iteration());
            t.costs.push_back(make_step(t, t.optimiser, [&](auto const& theta, auto& g) {
                return model.cost_and_gradient(felt::fused, b, theta, g);
            }));
        }
    }
    std::string bytes(test::scratch_folder const& folder) {
        felt::save_npz((folder / "state.npz").string(), to_npz(t));
        return test::read_bytes(folder / "state.npz");
    }
};

struct no_data {
    test::scratch_folder folder;
    no_data() { setenv("FELT_DATA", folder.path.c_str(), 1); }
    ~no_data() { unsetenv("FELT_DATA"); }
};

cnn::command read(std::vector<char const*> words) {
    words.insert(words.begin(), "felt_cnn");
    return cnn::read_command(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("a run that was saved and resumed equals an unbroken one, byte for byte") {
    no_data const nothing;
    test::scratch_folder const folder;
    run_of_study whole, broken, resumed;
    REQUIRE(whole.t.per_epoch() == 5);
    whole.steps(14);
    broken.steps(7);  // in the second epoch
    broken.bytes(folder);
    from_npz(felt::load_npz((folder / "state.npz").string()), resumed.t);
    CHECK(resumed.t.iteration() == 7);
    CHECK(resumed.t.costs.size() == 7);
    resumed.steps(7);
    CHECK(resumed.bytes(folder) == whole.bytes(folder));
    CHECK(bool(felt::any(whole.t.theta() != broken.t.theta())));
}

TEST_CASE("on generated digits the network learns") {
    no_data const nothing;
    run_of_study run(1024, 64);
    run.steps(64);
    felt::Tensor<index_t, 1> said({512});
    cnn::digits const others = cnn::load_digits("", "t10k", 512, 1);
    run.model.classify(felt::fused, others.images(0, 512), run.t.theta(), felt::view(said));
    CHECK(index_t(sum(said == others.y)) > 350);
    CHECK(run.t.costs.back() < 0.6 * run.t.costs.front());
    CHECK(others.source == "generated digits");
    CHECK(support::fingerprint_of(others.y) != support::fingerprint_of(run.d.y));
}

TEST_CASE("a state knows its network, its sizes and its data") {
    no_data const nothing;
    run_of_study run, other;
    run.steps(1);
    auto const file = to_npz(run.t);
    auto const s = cnn::setting_of(file);
    CHECK(s.network == "study");
    CHECK(s.batch == 32);
    CHECK(s.filters == 6);
    other.t.data += 1;
    CHECK(test::has(test::message_of([&] { from_npz(file, other.t); }), "other data"));
    CHECK(test::has(test::message_of([&] { cnn::setting_of(felt::npz{}); }), "no saved state"));
}

TEST_CASE("a state of a version whose parameters lay in another order is refused") {
    no_data const nothing;
    run_of_study run;
    auto file = to_npz(run.t);
    file.file = "s.npz";
    for (char const* layout : {"layout.rows", "layout.channels-last"}) {
        auto old = file;
        old.put(layout, std::int64_t{1});
        CHECK_THROWS_WITH_AS(
            cnn::setting_of(old),
            "s.npz: was saved by an older version, whose parameters lie in another order",
            felt::io_error);
    }
}

TEST_CASE("an epoch takes every image once, in an order of its own") {
    auto const a = cnn::shuffled(100, 1, 0), b = cnn::shuffled(100, 1, 1),
               c = cnn::shuffled(100, 1, 0);
    CHECK(bool(felt::all(a == c)));
    CHECK(bool(felt::any(a != b)));
    std::vector<int> seen(100, 0);
    for (index_t i = 0; i < 100; ++i) ++seen[static_cast<std::size_t>(a(i))];
    CHECK(seen == std::vector<int>(100, 1));
}

TEST_CASE("rates and momenta are the study's") {
    cnn::setting const s = cnn::setting_of("study");
    CHECK(cnn::schedule(s, 0, 234).rate == 0.1);
    CHECK(cnn::schedule(s, 18, 234).momentum == 0.5);
    CHECK(cnn::schedule(s, 19, 234).momentum == 0.95);
    CHECK(cnn::schedule(s, 233, 234).rate == 0.1);
    CHECK(cnn::schedule(s, 234, 234).rate == 0.05);
    CHECK(cnn::schedule(s, 701, 234).rate == 0.025);
    CHECK(cnn::schedule(cnn::setting_of("softmax"), 900, 600).rate == 0.5);
}

TEST_CASE("without arguments the run is short; asked for, it is the study's") {
    auto const plain = read({});
    CHECK_FALSE(plain.status.has_value());
    CHECK(plain.what.images == 8000);
    CHECK(plain.what.out == "felt-out/cnn");
    CHECK(cnn::chosen(plain.what, {}).epochs == 3);
    CHECK(read({"--epochs", "3"}).what.images == 0);
    CHECK(read({"--data", "d"}).what.images == 0);
    CHECK(read({"--images", "500"}).what.images == 500);
    CHECK(read({"--check"}).what.check);
}

TEST_CASE("options are laid over the network's own") {
    auto const c = read({"--network", "trial", "--batch", "20", "-n", "9"});
    auto const s = cnn::chosen(c.what, {});
    CHECK(s.network == "trial");
    CHECK(s.batch == 20);
    CHECK(s.iterations == 9);
    cnn::job j;
    j.resume = "s.npz";
    j.epochs = 5;
    CHECK(cnn::chosen(j, s).epochs == 5);
    CHECK(cnn::chosen(j, s).batch == 20);
    j.network = "study";
    CHECK(test::has(test::message_of([&] { cnn::chosen(j, s); }), "was saved with --network"));
}

TEST_CASE("what the command line cannot mean is refused") {
    auto* const errors = std::cerr.rdbuf(nullptr);
    CHECK(read({"--network", "large"}).status.value_or(0) != 0);
    CHECK(read({"--layout", "rows"}).status.value_or(0) != 0);
    CHECK(read({"--epochs", "0"}).status.value_or(0) != 0);
    CHECK(read({"--init-filters", "no such file"}).status.value_or(0) != 0);
    std::cerr.rdbuf(errors);
}

TEST_CASE("a batch larger than all images is refused") {
    no_data const nothing;
    CHECK_THROWS_AS(run_of_study(20, 32), felt::error);
}
