// SPDX-License-Identifier: BSD-3-Clause
//
// The one source of the examples that sees MPI.
#include <felt/distributed/mpi.hpp>
#include <support/ranks.hpp>

namespace support {

namespace {

struct mpi_run : session {
    felt::mpi_session const own;
    felt::mpi_ranks all;

    felt::communicator& ranks() override { return all; }
};

}  // namespace

std::unique_ptr<session> mpi() { return std::make_unique<mpi_run>(); }

}  // namespace support
