// SPDX-License-Identifier: BSD-3-Clause
//
// Training runs: what is saved and resumed, the pictures of each step, rates, the command line.
#include "scratch.hpp"
#include <felt/npz.hpp>
#include <resnet/learner.hpp>
#include <resnet/options.hpp>
#include <resnet/report.hpp>
#include <resnet/training.hpp>
#include <doctest/doctest.h>
#include <set>

namespace {

using felt::index_t;

// A small network on generated shapes.
struct small_run {
    resnet::setting how;
    resnet::small_pictures pictures;
    resnet::training t;

    explicit small_run(index_t images = 40, index_t batch = 8, index_t epochs = 3,
                       index_t width = 4)
        : how(setting_of(batch, epochs, width)),
          pictures(support::generated_shapes(static_cast<std::size_t>(images), 1)),
          t(how, pictures, 7) {}

    static resnet::setting setting_of(index_t batch, index_t epochs, index_t width) {
        resnet::setting s;
        s.layers = 8, s.width = width, s.batch = batch, s.epochs = epochs;
        return s;
    }

    void steps(int n) {
        auto const by =
            resnet::host().train(shape_of(how), how.batch, std::move(t.optimiser), t.running, {});
        resnet::batches next(pictures, how.batch, {0, how.batch}, t.seed);
        for (int i = 0; i < n; ++i) {
            auto const o = resnet::options_at(how, by->iteration(), t.per_epoch());
            t.costs.push_back(by->step(felt::fused, next.next(by->iteration()), o));
        }
        t.running = by->running(), t.optimiser = by->stop();
    }
    std::string bytes(test::scratch_folder const& folder) {
        felt::save_npz((folder / "state.npz").string(), to_npz(t));
        return test::read_bytes(folder / "state.npz");
    }
};

resnet::command read(std::vector<char const*> words) {
    words.insert(words.begin(), "felt_resnet");
    return resnet::read_command(static_cast<int>(words.size()), words.data());
}

std::vector<float> picture(resnet::pictures const& p, index_t i,
                           std::uint64_t const* seed = nullptr) {
    std::vector<float> v(static_cast<std::size_t>(3 * p.side() * p.side()));
    if (seed == nullptr) p.plain(i, v.data());
    else p.varied(i, {*seed}, v.data());
    return v;
}

}  // namespace

TEST_CASE("a run that was saved and resumed equals an unbroken one, byte for byte") {
    test::scratch_folder const folder;
    small_run whole, broken, resumed;
    REQUIRE(whole.t.per_epoch() == 5);
    whole.steps(9);
    broken.steps(6);  // in the second epoch
    broken.bytes(folder);
    from_npz(felt::load_npz((folder / "state.npz").string()), resumed.t);
    CHECK(resumed.t.optimiser.iteration() == 6);
    CHECK(resumed.t.costs.size() == 6);
    resumed.steps(3);
    CHECK(resumed.bytes(folder) == whole.bytes(folder));
    CHECK(bool(felt::any(whole.t.running != broken.t.running)));
}

TEST_CASE("a state is a file to import, and one of other sizes is refused by name") {
    small_run run, other;
    run.steps(2);
    auto const file = to_npz(run.t);
    resnet::import_into(other.t, file);
    CHECK(bool(felt::all(other.t.optimiser.x() == run.t.optimiser.x())));
    CHECK(bool(felt::all(other.t.running == run.t.running)));
    CHECK(other.t.optimiser.iteration() == 0);
    resnet::setting s = run.how;
    s.width = 6;
    resnet::training wide(s, run.pictures, 7);
    CHECK(test::has(test::message_of([&] { resnet::import_into(wide, file); }), "conv1.weight"));
    CHECK(resnet::setting_of(file).layers == 8);
    CHECK(resnet::setting_of(file).width == 4);
    CHECK(resnet::setting_of(file).schedule == "steps");
    CHECK(resnet::setting_of(file).batch_norm == "synchronised");
    other.t.data += 1;
    CHECK(test::has(test::message_of([&] { from_npz(file, other.t); }), "other data"));
}

TEST_CASE("a step says where its time goes, by stage, if it is asked, and is the same step") {
    small_run plain, watched;
    auto const train = [](small_run& r, support::profile* p) {
        auto const by = resnet::host().train(shape_of(r.how), 8, felt::sgd<float>(r.t.optimiser),
                                             r.t.running, {});
        resnet::batches next(r.pictures, 8, {0, 8}, 1);
        by->watch(p);
        by->step(felt::fused, next.next(0), {.rate = 0.1});
        by->watch(nullptr);
        by->step(felt::fused, next.next(1), {.rate = 0.1});
        return by->theta();
    };
    support::profile p;
    CHECK(bool(felt::all(train(watched, &p) == train(plain, nullptr))));
    std::vector<std::string> names;
    for (support::share const& s : p.shares()) names.push_back(s.name);
    CHECK(names == std::vector<std::string>{"forward, stem", "forward, stage 1", "forward, stage 2",
                                            "forward, stage 3", "head, both ways",
                                            "backward, stage 3", "backward, stage 2",
                                            "backward, stage 1", "backward, stem", "update"});
}

TEST_CASE("on generated shapes a network learns") {
    small_run run(600, 25, 12, 16);
    run.steps(110);
    CHECK(run.t.costs.front() > 2);
    CHECK(run.t.costs.back() < 0.85 * run.t.costs.front());
    resnet::small_pictures const others(support::generated_shapes(150, 2), run.pictures.normal());
    auto const by = resnet::host().read(shape_of(run.how), 64);  // the last part is not full
    by->start(run.t.optimiser.x(), run.t.running);
    auto const a = resnet::tested(*by, felt::fused, others);
    CHECK(a.top1 > 18);
    CHECK(a.top5 > 70);
    CHECK(a.top5 > a.top1);
}

TEST_CASE("pictures have mean 0 and deviation 1 by colour, those held out by the same numbers") {
    resnet::small_pictures const p(support::generated_shapes(50, 3));
    double sum[3] = {}, squares[3] = {};
    for (index_t i = 0; i < p.count(); ++i) {
        auto const v = picture(p, i);
        for (std::size_t k = 0; k < v.size(); ++k) {
            sum[k % 3] += double{v[k]}, squares[k % 3] += double{v[k]} * double{v[k]};
        }
    }
    for (int c = 0; c < 3; ++c) {
        CHECK(std::abs(sum[c] / (50 * 1024)) < 1e-4);
        CHECK(squares[c] / (50 * 1024) == doctest::Approx(1).epsilon(1e-4));
    }
    resnet::small_pictures const others(support::generated_shapes(5, 3), p.normal());
    CHECK(picture(others, 4) == picture(p, 4));
}

TEST_CASE("a picture is varied by a shift, zeros and a mirror, and there are all of them") {
    support::colour_set set = support::generated_shapes(1, 5);
    for (std::size_t k = 0; k < set.pixels.size(); ++k) set.pixels[k] = std::uint8_t(k % 251 + 1);
    resnet::small_pictures const p(set);
    auto const plain = picture(p, 0);
    std::set<std::vector<float>> seen;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) seen.insert(picture(p, 0, &seed));
    CHECK(seen.size() == 9 * 9 * 2);
    auto const shifted = [&](index_t down, index_t right, bool mirrored) {
        std::vector<float> v;
        for (index_t i = 0; i < 32; ++i) {
            for (index_t j = 0; j < 32; ++j) {
                index_t const y = i - down, x = (mirrored ? 31 - j : j) - right;
                for (index_t c = 0; c < 3; ++c) {
                    bool const inside = y >= 0 && y < 32 && x >= 0 && x < 32;
                    v.push_back(inside ? plain[static_cast<std::size_t>((y * 32 + x) * 3 + c)] : 0);
                }
            }
        }
        return v;
    };
    CHECK(seen.count(plain) == 1);
    CHECK(seen.count(shifted(4, -4, false)) == 1);
    CHECK(seen.count(shifted(-3, 2, true)) == 1);
    CHECK(seen.count(shifted(5, 0, false)) == 0);
}

TEST_CASE("a part of a batch is what it is in the whole") {
    resnet::small_pictures const p(support::generated_shapes(40, 1));
    resnet::batches whole(p, 8, {0, 8}, 3), part(p, 8, {2, 5}, 3), other(p, 8, {0, 8}, 4);
    for (index_t step : {0, 4, 5, 11}) {
        auto const a = whole.next(step), b = part.next(step), c = other.next(step);
        auto const rows = slice(a.x, felt::range(2, 5), felt::all(), felt::all(), felt::all());
        CHECK(bool(felt::all(rows == b.x)));
        CHECK(a.y(2) == b.y(0));
        CHECK(bool(felt::any(a.x != c.x)));
    }
}

TEST_CASE("an epoch takes every image once, in an order of its own") {
    auto const a = resnet::shuffled(100, 1, 0), b = resnet::shuffled(100, 1, 1);
    CHECK(a == resnet::shuffled(100, 1, 0));
    CHECK(a != b);
    CHECK(std::set(a.begin(), a.end()).size() == 100);
}

TEST_CASE("the rate falls after half and after three quarters, and may warm up") {
    resnet::setting s;
    s.epochs = 40;
    auto const at = [&](index_t step) { return resnet::options_at(s, step, 10); };
    CHECK(at(0).rate == doctest::Approx(0.1));
    CHECK(at(199).rate == doctest::Approx(0.1));
    CHECK(at(200).rate == doctest::Approx(0.01));
    CHECK(at(300).rate == doctest::Approx(0.001));
    CHECK(at(399).rate == doctest::Approx(0.001));
    CHECK(at(0).momentum == 0.9);
    CHECK(at(200).momentum == doctest::Approx(0.09));  // the rate is in v
    CHECK(at(201).momentum == 0.9);
    CHECK(at(0).weight_decay == 1e-4);
    s.schedule = "warm-up";
    CHECK(at(0).rate == doctest::Approx(0.01 + 0.009));
    CHECK(at(9).rate == doctest::Approx(0.1));
    CHECK(at(10).rate == doctest::Approx(0.1));
    CHECK(at(200).rate == doctest::Approx(0.01));
}

TEST_CASE("of photographs the rate grows with the batch, whoever computes it, and warms up") {
    auto const at = [](index_t batch, index_t step) {
        return resnet::options_at(resnet::large_setting(batch), step, 10);
    };
    for (index_t step : {0, 60}) {
        CHECK(at(8, step).rate == doctest::Approx(0.0125));
        CHECK(at(32, step).rate == doctest::Approx(0.0125));
    }
    CHECK(at(256, 0).rate == doctest::Approx(0.0125 * (0.1 / 5 * 7 + 1)));
    CHECK(at(256, 49).rate == doctest::Approx(0.1));
    CHECK(at(256, 299).rate == doctest::Approx(0.1));
    CHECK(at(256, 300).rate == doctest::Approx(0.01));
    CHECK(at(256, 299).momentum == doctest::Approx(0.9));
    CHECK(at(256, 300).momentum == doctest::Approx(0.09));  // the rate is in what is kept
    CHECK(at(256, 301).momentum == doctest::Approx(0.9));
}

TEST_CASE("ResNet-20 and ResNet-50 have the parameters that they have elsewhere") {
    CHECK(resnet::layers<>(resnet::cifar(20)).trained.size() == 269722);
    CHECK(resnet::layers<>(resnet::cifar(56)).trained.size() == 853018);
    CHECK(resnet::layers<>(resnet::resnet50()).trained.size() == 25557032);
}

TEST_CASE("the first parameters are He's, and depend on the seed alone") {
    resnet::shape const s = resnet::cifar(20);
    resnet::layers<> const l(s);
    auto const a = resnet::initial_parameters<float>(s, l, 1);
    auto const w = l.blocks[8].units[1].w.in(a);
    CHECK(float(mean(square(w))) == doctest::Approx(2. / (64 * 9)).epsilon(0.03));
    CHECK(bool(felt::all(l.stem.gamma.in(a) == 1.f)));
    CHECK(bool(felt::all(l.stem.beta.in(a) == 0.f)));
    CHECK(float(max(abs(l.w.in(a)))) <= 0.125f);
    CHECK(bool(felt::all(a == resnet::initial_parameters<float>(s, l, 1))));
    CHECK(bool(felt::any(a != resnet::initial_parameters<float>(s, l, 2))));
    auto const running = resnet::initial_running<float>(l);
    CHECK(bool(felt::all(l.stem.mean.in(running) == 0.f)));
    CHECK(bool(felt::all(l.blocks[3].units[1].variance.in(running) == 1.f)));
}

TEST_CASE("without arguments the run is short; asked for, it is the paper's") {
    auto const plain = read({});
    CHECK_FALSE(plain.status.has_value());
    CHECK(plain.what.brief);
    CHECK(resnet::chosen(plain.what, {}).layers == 8);
    auto const real = read({"--data", "d", "--epochs", "164"});
    CHECK_FALSE(real.what.brief);
    CHECK(resnet::chosen(real.what, {}).layers == 20);
    CHECK(resnet::chosen(real.what, {}).batch == 128);
    CHECK(resnet::chosen(real.what, {}).epochs == 164);
    CHECK(read({"--imagenet", "--stride-first"}).what.stride_first);
    CHECK(read({"--check"}).what.check);
    CHECK(resnet::chosen(read({"--batch-norm", "local"}).what, {}).batch_norm == "local");
}

TEST_CASE("what the command line cannot mean is refused") {
    auto* const errors = std::cerr.rdbuf(nullptr);
    CHECK(read({"--layers", "21"}).status.value_or(0) != 0);
    CHECK(read({"--layers", "2"}).status.value_or(0) != 0);
    CHECK(read({"--schedule", "sometimes"}).status.value_or(0) != 0);
    CHECK(read({"--import", "no such file"}).status.value_or(0) != 0);
    CHECK(read({"--rate", "0"}).status.value_or(0) != 0);
    CHECK(read({"--batch-norm", "global"}).status.value_or(0) != 0);
    std::cerr.rdbuf(errors);
    resnet::job j;
    j.resume = "s.npz", j.layers = 56;
    CHECK(test::has(test::message_of([&] { resnet::chosen(j, {}); }),
                    "was saved with --layers 20, not 56"));
}

TEST_CASE("a batch larger than all images is refused") {
    CHECK_THROWS_AS(small_run(7, 8), felt::error);
}
