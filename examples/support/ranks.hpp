// SPDX-License-Identifier: BSD-3-Clause
//
// --distributed: a program that mpirun or srun has started several times is one run on as many
// ranks. Rank 0 prints and writes; the others are silent. What is not found without MPI is said and
// ends the program: copies that know nothing of each other would write the same files.
#pragma once
#include <felt/distributed/communicator.hpp>
#include <support/interrupt.hpp>
#include <support/job.hpp>
#include <chrono>
#include <cstdio>
#include <thread>

namespace support {

// What whoever started this program says of it; rank 0 of 1 if it was started by hand.
struct launch {
    int rank = 0, size = 1;
};

inline launch launched() {
    constexpr char const* variables[][2] = {
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},  // Open MPI
        {"PMI_RANK", "PMI_SIZE"},                          // MPICH, Intel MPI
        {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};         // srun
    for (auto const& [rank, size] : variables) {
        char const *const r = std::getenv(rank), *const n = std::getenv(size);
        if (r != nullptr && n != nullptr) return {std::atoi(r), std::atoi(n)};
    }
    return {};
}

// MPI of this process, while it lives.
class session {
public:
    virtual ~session() = default;
    virtual felt::communicator& ranks() = 0;
};
std::unique_ptr<session> mpi();  // mpi.cpp; nullptr without MPI: no_mpi.cpp

// A mistake that all ranks find is said by rank 0, which ends the others before they say it again:
// a launcher tells them so by SIGTERM.
inline void let_first_speak(int rank) {
    for (int i = 0; rank > 0 && i < 40; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (interrupted()) std::_Exit(1);
    }
}

[[noreturn]] inline void fail_once(launch const& here, std::string const& message) {
    if (here.rank == 0) throw felt::error(message);
    let_first_speak(here.rank);
    std::exit(1);
}

// The run that this process is to be a part of; nullptr if it is on its own.
inline std::unique_ptr<session> joined(job& j) {
    launch const here = launched();
    if (j.distributed == "none" || (j.distributed == "auto" && here.size == 1)) return nullptr;
    auto all = mpi();
    if (!all) {
        fail_once(here, (here.size > 1 ? "started " + std::to_string(here.size) +
                                             " times, as ranks of one run"
                                       : std::string("--distributed mpi")) +
                            ": this program was built without MPI (Debian: libopenmpi-dev, "
                            "openmpi-bin). Start it "
                            "once, or let copies run on their own with --distributed none and an "
                            "--out for each");
    }
    j.ranks = &all->ranks();
    if (j.ranks->size() != here.size && here.size > 1) {
        fail_once(here, "started " + std::to_string(here.size) + " times, but MPI knows of " +
                            std::to_string(j.ranks->size()) +
                            ": use the mpirun of the MPI this program was built with; under Slurm, "
                            "srun --mpi=pmix");
    }
    if (j.ranks->is_first()) return all;
    j.quiet = true;
    if (std::freopen("/dev/null", "w", stdout) == nullptr) j.ranks->abort("/dev/null is missing");
    return all;
}

// An option that needs all of a run in one process.
inline void of_one_rank(job const& j, char const* option, bool given) {
    if (given && j.ranks->size() > 1) {
        throw felt::error(std::string(option) + " is for one rank, not " +
                          std::to_string(j.ranks->size()));
    }
}

// Ends all ranks, if there are others.
inline void end_ranks(job const& j, std::string const& message) {
    if (j.ranks->size() == 1) return;
    int const rank = j.ranks->rank();
    let_first_speak(rank);
    j.ranks->abort(rank == 0 ? message : message + " (rank " + std::to_string(rank) + ")");
}

}  // namespace support
