// SPDX-License-Identifier: BSD-3-Clause
//
// The one source of the examples that sees MPI.
#include <felt/distributed/mpi.hpp>
#include <iostream>
#include <support/ranks.hpp>

namespace support {

namespace {

struct mpi_run : session {
    felt::mpi_session const own;
    felt::mpi_ranks all;

    // A launcher that ends a job waits a second, and MPI's own end may take longer: what was said
    // is said before that.
    ~mpi_run() override { std::cout.flush(); }

    felt::communicator& ranks() override { return all; }
};

}  // namespace

std::unique_ptr<session> mpi() { return std::make_unique<mpi_run>(); }

}  // namespace support
