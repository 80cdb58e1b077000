// SPDX-License-Identifier: BSD-3-Clause
//
// What the examples' support does where there are several ranks.
#include <support/ranks.hpp>
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <felt/distributed/threads.hpp>
#include <support/outputs.hpp>
#include <support/state.hpp>
#include <support/step_sum.hpp>
#include <cstring>
#include <mutex>
#include <sstream>

namespace {

using felt::index_t;

// An environment variable, for as long as this lives.
struct variable {
    char const* name;
    variable(char const* n, char const* value) : name(n) { setenv(n, value, 1); }
    variable(variable const&) = delete;
    ~variable() { unsetenv(name); }
};

}  // namespace

TEST_CASE("a program knows whether it was started as one of several") {
    CHECK(support::launched().size == 1);
    {
        variable const rank("PMI_RANK", "3"), size("PMI_SIZE", "8");
        CHECK(support::launched().rank == 3);
        CHECK(support::launched().size == 8);
        variable const own("OMPI_COMM_WORLD_RANK", "1"), all("OMPI_COMM_WORLD_SIZE", "2");
        CHECK(support::launched().rank == 1);
        CHECK(support::launched().size == 2);
    }
    variable const rank("SLURM_PROCID", "5");
    CHECK(support::launched().size == 1);  // in a batch script, not under srun
    variable const size("SLURM_STEP_NUM_TASKS", "6");
    CHECK(support::launched().rank == 5);
    CHECK(support::launched().size == 6);
}

TEST_CASE("started once, or asked to be on its own, it does not ask for MPI") {
    support::job j;
    CHECK(support::joined(j) == nullptr);
    variable const rank("PMI_RANK", "0"), size("PMI_SIZE", "8");
    j.distributed = "none";
    CHECK(support::joined(j) == nullptr);
    CHECK(j.ranks == &felt::alone);
}

TEST_CASE("what rank 0 has read of a state is on all ranks") {
    felt::npz file;
    file.put("count", std::int64_t{7});
    file.put("costs", {2}, std::vector<double>{0.5, 0.25});
    file.put("x", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    file.put("none", {0}, std::vector<float>{});
    felt::run_ranks(3, [&](felt::communicator& ranks) {
        felt::npz own;
        if (ranks.is_first()) own = file;
        support::broadcast(ranks, own);
        CHECK(own.arrays.size() == 4);
        CHECK(own.scalar<std::int64_t>("count") == 7);
        CHECK(own.values<double>("costs") == std::vector<double>{0.5, 0.25});
        CHECK(own.array("x").extents == std::vector<index_t>{2, 3});
        CHECK(own.values<float>("x") == std::vector<float>{1, 2, 3, 4, 5, 6});
        CHECK(own.array("none").extents == std::vector<index_t>{0});
    });
}

TEST_CASE("rank 0 writes: the others neither look at the folder nor list files") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "a.txt", "old");
    felt::run_ranks(2, [&](felt::communicator& ranks) {
        support::job j;
        j.ranks = &ranks;
        j.out = folder.path.string(), j.out_given = true;
        j.save = (folder / "s.npz").string(), j.save_every = 5;
        support::outputs out(j);
        out.add("a.txt");
        if (ranks.is_first()) {
            CHECK_THROWS_AS(out.prepare(), felt::io_error);
        } else {
            std::ostringstream text;
            out.prepare();
            out.list(text);
            CHECK(!test::has(text.str(), "a.txt"));
        }
        CHECK(support::saves(j) == ranks.is_first());
        CHECK(support::is_due(j, 10));
        CHECK(!support::is_due(j, 11));
        CHECK(support::saves_after(j, 10) == ranks.is_first());
    });
}

TEST_CASE("parameters that differ between ranks are an error on all of them") {
    std::mutex guard;
    int told = 0;
    felt::run_ranks(3, [&](felt::communicator& ranks) {
        std::vector<float> x(5, 1);
        support::check_same(ranks, x, "parameters");
        if (ranks.rank() == 2) x[4] = std::nextafter(1.f, 2.f);
        try {
            support::check_same(ranks, x, "parameters");
        } catch (felt::error const& e) {
            std::lock_guard<std::mutex> const lock(guard);
            told += std::strcmp(e.what(), "parameters on rank 2 differ from those on rank 0") == 0;
        }
    });
    CHECK(told == 3);
}

// J = sum over all rows of x_i row_i, whose parts are written by two statements.
TEST_CASE("a step sums cost and gradient while its statements run") {
    felt::run_ranks(4, [](felt::communicator& ranks) {
        support::step_sum<felt::Host> sum(ranks, 10);
        felt::Tensor<float, 1> g({10});
        auto const rank = static_cast<float>(ranks.rank());
        for (int step = 1; step <= 2; ++step) {
            double const cost = sum(g, [&](auto how) {
                run(how, assign(slice(g, felt::range(6, 10)), felt::iota<float>(4) + rank));
                run(how, assign(slice(g, felt::range(0, 6)), rank * felt::iota<float>(6)));
                return 2. * ranks.rank();
            });
            CHECK(cost == 12);
            for (index_t i = 0; i < 10; ++i) {
                CHECK(double(g(i)) == (i < 6 ? 6. * double(i) : 4. * double(i - 6) + 6));
            }
            CHECK(sum.times().steps == step);
            CHECK_FALSE(sum.is_interrupted());
        }
        std::ostringstream text;
        support::report_ranks(ranks, sum.times(), 1, text);
        CHECK(test::has(text.str(), "4 ranks: 500 ms a step; sums of 40 B"));
    });
}

TEST_CASE("all ranks stop when one has been told to") {
    support::catch_interrupts();
    felt::run_ranks(3, [](felt::communicator& ranks) {
        support::step_sum<felt::Host> sum(ranks, 1);
        felt::Tensor<float, 1> g({1});
        sum(g, [&](auto) {
            ranks.barrier();
            if (ranks.rank() == 1) std::raise(SIGTERM);
            return 0.;
        });
        CHECK(sum.is_interrupted());
    });
    CHECK(support::interrupted_status() == 143);
    support::catch_interrupts();
    CHECK(support::interrupted_status() == 130);  // where another rank was told
}

TEST_CASE("what is for one rank is refused on several") {
    felt::run_ranks(2, [](felt::communicator& ranks) {
        support::job j;
        j.ranks = &ranks;
        support::of_one_rank(j, "--reference", false);
        CHECK_THROWS_WITH_AS(support::of_one_rank(j, "--reference", true),
                             "--reference is for one rank, not 2", felt::error);
    });
}
