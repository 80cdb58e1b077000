// SPDX-License-Identifier: BSD-3-Clause
//
// Dictionaries are learned on several ranks, here threads, as on one, to rounding.
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>
#include <fista/learn.hpp>

namespace {

using felt::index_t;
using fista::matrix_f;

constexpr index_t count = 602;

struct result {
    std::vector<double> objective, gap, nonzeros;
    matrix_f W;
};

result learn(int size, fista::learning how, index_t batch, int rounds) {
    result out;
    matrix_f const x = 0.2f * felt::normal<float>({fista::pixels, count}, 3);
    felt::run_ranks(size, [&](felt::communicator& ranks) {
        fista::learning own = how;
        own.ranks = &ranks;
        fista::learning_run<float> r{
            fista::learner<float>(own, fista::random_dictionary<float>(fista::pixels, 121, 2)), 1};
        auto const by = fista::host().learn(own, r.learner.W(), x);
        for (int k = 0; k < rounds; ++k) {
            r.note(by->round(r.rounds(), batch), batch);
            support::check_same(ranks, by->W(), "dictionaries");
        }
        if (ranks.is_first()) out = {r.objective, r.gap, r.nonzeros, by->W()};
    });
    return out;
}

double apart(matrix_f const& a, matrix_f const& b) {
    return double(float(norm2(a - b))) / double(float(norm2(b)));
}

// Few steps: where a code is nearly 0, rounding decides.
std::vector<fista::learning> const ways = {
    {.lambda = 0.1, .steps = 8, .columns = 200, .seed = 5},
    {.lambda = 0.1, .ridge = 1e-2, .steps = 8, .columns = 0, .seed = 5},
    {.lambda = 0.4, .steps = 4, .study = true, .seed = 5}};

}  // namespace

TEST_CASE("two, three and four ranks with some of the patches are one rank with all") {
    for (auto const& how : ways) {
        for (index_t const batch : {count, index_t{150}}) {
            auto const one = learn(1, how, batch, 2);
            for (int size : {2, 3, 4}) {
                auto const several = learn(size, how, batch, 2);
                for (std::size_t k = 0; k < 2; ++k) {
                    CHECK(several.objective[k] == doctest::Approx(one.objective[k]).epsilon(1e-4));
                    CHECK(several.nonzeros[k] == doctest::Approx(one.nonzeros[k]).epsilon(1e-2));
                }
                CHECK(several.gap[0] == doctest::Approx(one.gap[0]).epsilon(1e-3));
                CHECK(apart(several.W, one.W) < 1e-2);
            }
        }
    }
}

TEST_CASE("an atom that no code uses becomes the same sample, whoever has it") {
    fista::learning const how{.lambda = 1e3, .steps = 2, .columns = 0, .seed = 5};
    auto const one = learn(1, how, count, 1);
    CHECK(one.nonzeros[0] == 0);
    CHECK(double(float(norm2(one.W))) > 1);
    for (int size : {2, 4}) CHECK(apart(learn(size, how, count, 1).W, one.W) == 0);
}
