// SPDX-License-Identifier: BSD-3-Clause
//
// Dictionaries are learned on the device as on the host, to rounding; and a run goes on in the
// other space.
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <fista/learn.hpp>

namespace {

using felt::index_t;
using fista::matrix_f;

constexpr index_t count = 600;

struct run {
    fista::place const& at;
    matrix_f x = 0.2f * felt::normal<float>({fista::pixels, count}, 3);
    fista::learning_run<float> r;
    std::unique_ptr<fista::trainer> by = {};

    run(fista::place const& p, fista::learning const& how)
        : at(p),
          r{fista::learner<float>(how, fista::random_dictionary<float>(fista::pixels, 121, 2)), 1} {
        at.threads(0);
    }
    void iterate(int n, index_t batch) {
        by = at.learn(r.learner.how(), r.learner.W(), x);
        for (int k = 0; k < n; ++k) r.note(by->round(r.rounds(), batch), batch);
        r.learner.W() = by->W();
    }
};

double apart(matrix_f const& a, matrix_f const& b) {
    return double(float(norm2(a - b))) / double(float(norm2(b)));
}

// Few steps: where a code is nearly 0, rounding decides.
std::vector<fista::learning> const ways = {
    {.lambda = 0.1, .steps = 8, .columns = 200, .seed = 5},
    {.lambda = 0.1, .ridge = 1e-2, .steps = 8, .columns = 0, .seed = 5},
    {.lambda = 0.1, .steps = 8, .seed = 5, .step = "backtracking"},
    {.lambda = 0.4, .steps = 4, .study = true, .seed = 5}};

}  // namespace

TEST_CASE("objectives and dictionaries agree with the host's") {
    REQUIRE(fista::device() != nullptr);
    for (auto const& how : ways) {
        for (index_t const batch : {count, index_t{150}}) {
            run here(fista::host(), how), there(*fista::device(), how);
            here.iterate(2, batch), there.iterate(2, batch);
            CHECK(there.r.objective[1] == doctest::Approx(here.r.objective[1]).epsilon(1e-4));
            CHECK(there.r.nonzeros[1] == doctest::Approx(here.r.nonzeros[1]).epsilon(1e-2));
            CHECK(apart(there.r.learner.W(), here.r.learner.W()) < 1e-2);
            CHECK(there.by->code(there.x).objective ==
                  doctest::Approx(here.by->code(here.x).objective).epsilon(1e-4));
            CHECK(apart(there.by->codes(), here.by->codes()) < 1e-2);
        }
    }
}

TEST_CASE("a state saved in one space goes on in the other, and in its own bit for bit") {
    test::scratch_folder const folder;
    auto const file = (folder / "state.npz").string();
    for (fista::place const* first : {&fista::host(), fista::device()}) {
        auto const& second = first == fista::device() ? fista::host() : *fista::device();
        run whole(*first, ways[0]), begun(*first, ways[0]);
        run same(*first, ways[0]), other(second, ways[0]);
        whole.iterate(3, 200), begun.iterate(2, 200);
        felt::save_npz(file, fista::to_npz(begun.r, "patches"));
        for (run* r : {&same, &other}) {
            fista::from_npz(felt::load_npz(file), r->r);
            r->iterate(1, 200);
            CHECK(r->r.rounds() == 3);
        }
        CHECK(same.r.objective == whole.r.objective);
        CHECK(apart(same.r.learner.W(), whole.r.learner.W()) == 0);
        CHECK(other.r.objective[2] == doctest::Approx(whole.r.objective[2]).epsilon(1e-4));
        CHECK(apart(other.r.learner.W(), whole.r.learner.W()) < 1e-2);
    }
}

TEST_CASE("fused and unfused agree there, and a round is timed beside the copies") {
    run there(*fista::device(), ways[0]);
    there.iterate(1, count);
    auto const c = there.by->compared(0.1, 100);
    CHECK(c.apart < 1e-4);
    CHECK(c.width == 100);
    CHECK(c.blocked > 0);
    CHECK(c.steps.fused.bytes == 0);
    matrix_f const before = there.by->W();
    auto const p = there.by->parts();
    CHECK(p.percent("codes (FISTA)") > 0);
    CHECK(p.percent("dictionary") > 0);
    CHECK(p.percent("transfers") > 0);
    CHECK(bool(felt::all(there.by->W() == before)));
}
