// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks as processes, on one machine or many, over MPI: target felt::mpi. Included by one source
// of a program:
//
//   felt::mpi_session const session;       // MPI_Init .. MPI_Finalize
//   felt::mpi_ranks ranks;                 // of all processes that mpirun or srun has started
//
// The same bits on all ranks: MPI 3.1, section 5.9.6, requires that all processes receive
// identical results. For another number of ranks they may differ by rounding. A failure inside MPI
// ends the job with MPI's own message, which is what MPI does unless told otherwise.
#pragma once
#include <felt/distributed/communicator.hpp>
#include <mpi.h>
#include <algorithm>
#include <exception>
#include <limits>

namespace felt::inline FELT_ABI {

// MPI of this process, for the thread that makes it.
class mpi_session {
public:
    mpi_session() {
        int has = 0, level = MPI_THREAD_SINGLE;
        MPI_Initialized(&has);
        if (has != 0) return;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
        owns_ = true;
    }
    mpi_session(mpi_session const&) = delete;
    ~mpi_session() {
        if (owns_) MPI_Finalize();
    }

private:
    bool owns_ = false;
};

namespace detail {

template <class T>
MPI_Datatype mpi_type = MPI_DATATYPE_NULL;
template <>
inline MPI_Datatype const mpi_type<float> = MPI_FLOAT;
template <>
inline MPI_Datatype const mpi_type<double> = MPI_DOUBLE;
template <>
inline MPI_Datatype const mpi_type<index_t> = MPI_INT64_T;

// f(piece) for pieces of as many elements as an int counts.
template <class T, class F>
void mpi_pieces(std::span<T> x, F&& f) {
    constexpr std::size_t most = std::size_t{1} << 30;
    for (; x.size() > most; x = x.subspan(most)) f(x.first(most));
    f(x);
}

class mpi_request final : public communicator::request {
public:
    explicit mpi_request(std::vector<MPI_Request> pieces) : pieces_(std::move(pieces)) {}
    mpi_request(mpi_request const&) = delete;

    // MPI may still write to the elements. After an exception the others may never come.
    ~mpi_request() override {
        if (std::uncaught_exceptions() == 0) wait();
    }
    bool done() override {
        int all = 0;
        MPI_Testall(static_cast<int>(pieces_.size()), pieces_.data(), &all, MPI_STATUSES_IGNORE);
        return all != 0;
    }
    void wait() override {
        MPI_Waitall(static_cast<int>(pieces_.size()), pieces_.data(), MPI_STATUSES_IGNORE);
    }

private:
    std::vector<MPI_Request> pieces_;  // null when done
};

}  // namespace detail

class mpi_ranks final : public communicator {
public:
    explicit mpi_ranks(MPI_Comm of = MPI_COMM_WORLD) {
        MPI_Comm_dup(of, &own_);
        MPI_Comm_rank(own_, &rank_);
        MPI_Comm_size(own_, &size_);
    }
    mpi_ranks(mpi_ranks const&) = delete;
    ~mpi_ranks() override {
        if (std::uncaught_exceptions() == 0) MPI_Comm_free(&own_);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    request_ptr start_sum(std::span<float> x) override { return start(x); }
    request_ptr start_sum(std::span<double> x) override { return start(x); }
    request_ptr start_sum(std::span<index_t> x) override { return start(x); }
    void broadcast(std::span<std::byte> x) override {
        detail::mpi_pieces(x, [&](std::span<std::byte> piece) {
            MPI_Bcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0, own_);
        });
    }
    void barrier() override { MPI_Barrier(own_); }
    void end_all(std::string const& message) override {
        std::cerr << message << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

private:
    template <class T>
    request_ptr start(std::span<T> x) {
        std::vector<MPI_Request> pieces;
        detail::mpi_pieces(x, [&](std::span<T> piece) {
            pieces.emplace_back();
            MPI_Iallreduce(MPI_IN_PLACE, piece.data(), static_cast<int>(piece.size()),
                           detail::mpi_type<T>, MPI_SUM, own_, &pieces.back());
        });
        return std::make_unique<detail::mpi_request>(std::move(pieces));
    }

    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
};

}  // namespace felt::inline FELT_ABI
