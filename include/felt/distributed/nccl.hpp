// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks with a GPU each, whose memory NCCL sums: over NVLink or the network, without the host.
//
//   felt::nccl_ranks gpus(ranks);          // ranks: over MPI; each has chosen its own GPU before
//   felt::gradient_buckets<float, felt::Device> buckets(gpus, theta.size());
//
// Sums run in a stream of their own. A sum waits for what this thread's stream has been asked, and
// whoever waits for the sum is that stream, not the host. NCCL sums in the order that its ring or
// tree has, for all ranks the same: each result is computed once and handed round.
#pragma once
#include <felt/device/stream.hpp>
#include <felt/distributed/communicator.hpp>
#include <nccl.h>

namespace felt::inline FELT_ABI {

namespace detail {

inline void check_nccl(ncclResult_t r, char const* operation) {
    if (r == ncclSuccess || r == ncclInProgress) return;
    throw device_error(std::string(operation) + ": " + ncclGetErrorString(r));
}

template <class T>
inline constexpr ncclDataType_t nccl_type = ncclInt8;
template <>
inline constexpr ncclDataType_t nccl_type<float> = ncclFloat32;
template <>
inline constexpr ncclDataType_t nccl_type<double> = ncclFloat64;
template <>
inline constexpr ncclDataType_t nccl_type<index_t> = ncclInt64;

class cuda_event {
public:
    cuda_event() {
        device::check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "event");
    }
    cuda_event(cuda_event const&) = delete;
    ~cuda_event() { (void)cudaEventDestroy(event_); }

    void record(cudaStream_t s) { device::check(cudaEventRecord(event_, s), "event"); }
    void make_wait(cudaStream_t s) const {
        device::check(cudaStreamWaitEvent(s, event_, 0), "event");
    }
    bool done() const {
        cudaError_t const e = cudaEventQuery(event_);
        if (e != cudaErrorNotReady) device::check(e, "sum");
        else (void)cudaGetLastError();  // CUDA keeps it as it keeps errors
        return e == cudaSuccess;
    }

private:
    cudaEvent_t event_;
};

}  // namespace detail

class nccl_ranks final : public communicator {
public:
    explicit nccl_ranks(communicator& hosts) : hosts_(hosts) {
        ncclUniqueId id{};
        if (hosts.is_first()) detail::check_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
        hosts.broadcast(std::as_writable_bytes(std::span(&id, 1)));
        detail::check_nccl(ncclCommInitRank(&own_, hosts.size(), id, hosts.rank()),
                           "ncclCommInitRank");
    }
    nccl_ranks(nccl_ranks const&) = delete;
    ~nccl_ranks() override { (void)ncclCommDestroy(own_); }

    int rank() const override { return hosts_.rank(); }
    int size() const override { return hosts_.size(); }
    bool of_device_memory() const override { return true; }
    request_ptr start_sum(std::span<float> x) override { return start(x); }
    request_ptr start_sum(std::span<double> x) override { return start(x); }
    request_ptr start_sum(std::span<index_t> x) override { return start(x); }
    void broadcast(std::span<std::byte> x) override {
        follow_this_thread();
        detail::check_nccl(
            ncclBroadcast(x.data(), x.data(), x.size(), ncclInt8, 0, own_, stream_.handle()),
            "ncclBroadcast");
        pending(stream_.handle()).wait();
        synchronize();
    }
    void barrier() override {
        synchronize();
        stream_.wait();
        hosts_.barrier();
    }
    void end_all(std::string const& message) override { hosts_.end_all(message); }

private:
    class pending final : public request {
    public:
        explicit pending(cudaStream_t s) { event_.record(s); }
        bool done() override { return event_.done(); }
        void wait() override { event_.make_wait(device::stream_of_this_thread()); }

    private:
        detail::cuda_event event_;
    };

    void follow_this_thread() {
        detail::cuda_event ready;
        ready.record(device::stream_of_this_thread());
        ready.make_wait(stream_.handle());
    }

    template <class T>
    request_ptr start(std::span<T> x) {
        follow_this_thread();
        detail::check_nccl(ncclAllReduce(x.data(), x.data(), x.size(), detail::nccl_type<T>,
                                         ncclSum, own_, stream_.handle()),
                           "ncclAllReduce");
        return std::make_unique<pending>(stream_.handle());
    }

    communicator& hosts_;
    stream stream_;
    ncclComm_t own_ = nullptr;
};

}  // namespace felt::inline FELT_ABI
