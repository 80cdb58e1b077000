// SPDX-License-Identifier: BSD-3-Clause
//
// Several processes, or ranks 0 .. size - 1, that compute together:
//
//   felt::sum(ranks, x);         x <- sum over ranks of x, with the same bits on all
//   felt::broadcast(ranks, x);   x <- x of rank 0
//   auto const r = ranks.start_sum(std::span(x));  ...  r->wait();    // meanwhile something else
//
// All ranks ask for the same operations in the same order. What stands behind it is alone (one
// rank), threads.hpp, mpi.hpp or nccl.hpp; a program is compiled once for all of them.
#pragma once
#include <felt/core/concepts.hpp>
#include <felt/core/errors.hpp>
#include <felt/core/layout.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace felt::inline FELT_ABI {

class communicator {
public:
    // A sum under way. Its elements are left alone until done() is true or wait() has returned;
    // it advances at the latest when one of them is called.
    class request {
    public:
        virtual ~request() = default;
        virtual bool done() = 0;
        virtual void wait() = 0;
    };
    using request_ptr = std::unique_ptr<request>;

    virtual ~communicator() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual bool of_device_memory() const { return false; }  // what the spans show

    virtual request_ptr start_sum(std::span<float>) = 0;
    virtual request_ptr start_sum(std::span<double>) = 0;
    virtual request_ptr start_sum(std::span<index_t>) = 0;
    virtual void broadcast(std::span<std::byte>) = 0;
    virtual void barrier() = 0;

    bool is_first() const { return rank() == 0; }  // who prints and writes

    // Ends all ranks, with the message on the error output and a status that is not 0.
    [[noreturn]] void abort(std::string const& message) {
        end_all(message);
        std::exit(1);
    }

    virtual void end_all(std::string const& message) = 0;  // what abort() does
};

// A program on its own. Whatever is asked is done.
class alone_t final : public communicator {
public:
    struct done_t final : request {
        bool done() override { return true; }
        void wait() override {}
    };

    int rank() const override { return 0; }
    int size() const override { return 1; }
    request_ptr start_sum(std::span<float>) override { return std::make_unique<done_t>(); }
    request_ptr start_sum(std::span<double>) override { return std::make_unique<done_t>(); }
    request_ptr start_sum(std::span<index_t>) override { return std::make_unique<done_t>(); }
    void broadcast(std::span<std::byte>) override {}
    void barrier() override {}
    void end_all(std::string const& message) override { std::cerr << message << std::endl; }
};
inline alone_t alone;

namespace detail {
// The elements of a span, a vector, a tensor of the host. Throws shape_error if there are gaps.
template <class X>
auto elements_of(X&& x) {
    if constexpr (strided_array<X>) {
        if (span_of(x.extents(), x.strides()) != x.size()) {
            throw shape_error("ranks: the elements have gaps, " + to_string(x.strides()) + " in " +
                              to_string(x.extents()));
        }
    }
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
}
}  // namespace detail

template <class X>
    requires(!element<std::remove_cvref_t<X>>)
void sum(communicator& ranks, X&& x) {
    ranks.start_sum(detail::elements_of(x))->wait();
}
template <element T>
T sum(communicator& ranks, T x) {
    sum(ranks, std::span(&x, 1));
    return x;
}
template <class X>
    requires(!element<std::remove_cvref_t<X>>)
void broadcast(communicator& ranks, X&& x) {
    static_assert(std::is_trivially_copyable_v<std::remove_cvref_t<decltype(*x.data())>>);
    ranks.broadcast(std::as_writable_bytes(detail::elements_of(x)));
}
template <element T>
T broadcast(communicator& ranks, T x) {
    broadcast(ranks, std::span(&x, 1));
    return x;
}

// x of every rank, by rank.
template <element T>
std::vector<T> gathered(communicator& ranks, T x) {
    std::vector<T> all(static_cast<std::size_t>(ranks.size()));
    all[static_cast<std::size_t>(ranks.rank())] = x;
    sum(ranks, all);
    return all;
}

}  // namespace felt::inline FELT_ABI
