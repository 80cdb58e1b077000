// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks as threads of one process, for tests and for a look at what a program does:
//
//   felt::run_ranks(4, [](felt::communicator& ranks) { .. });
//
// The k-th operation of every rank is one operation: whoever comes last does it for all, the sum
// in the order of the ranks, so that the bits do not depend on who that is. An exception on one
// rank ends the others where they wait, and is thrown on.
#pragma once
#include <felt/distributed/communicator.hpp>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <typeinfo>

namespace felt::inline FELT_ABI {

namespace detail {

// Where threads meet: operation k is kept from the first that asks for it to the last that leaves.
class meeting {
public:
    using parts_t = std::vector<std::span<std::byte>>;

    explicit meeting(int size) : size_(static_cast<std::size_t>(size)) {}

    // Brings a rank's part of operation k; the last one to come calls act(parts of all ranks).
    template <class Act>
    void come(index_t k, int rank, std::type_info const& kind, std::span<std::byte> part,
              Act&& act) {
        std::lock_guard<std::mutex> const lock(guard_);
        check_others();
        operation& o = under_way_[k];
        if (o.come == 0) o.parts.resize(size_), o.kind = &kind;
        o.parts[static_cast<std::size_t>(rank)] = part;
        check_alike(o, rank, kind, part);
        if (++o.come < size_) return;
        act(o.parts);
        o.done = true;
        changed_.notify_all();
    }
    bool done(index_t k) {
        std::lock_guard<std::mutex> const lock(guard_);
        check_others();
        return under_way_.at(k).done;
    }
    void wait(index_t k) {
        std::unique_lock<std::mutex> lock(guard_);
        changed_.wait(lock, [&] { return under_way_.at(k).done || !failure_.empty(); });
        if (!under_way_.at(k).done) check_others();
    }
    void leave(index_t k) {
        std::lock_guard<std::mutex> const lock(guard_);
        auto const found = under_way_.find(k);
        if (found == under_way_.end()) return;
        if (!found->second.done) note_failure("a rank leaves a sum that is under way");
        if (++found->second.left == size_) under_way_.erase(found);
    }
    void fail(std::string const& why) {
        std::lock_guard<std::mutex> const lock(guard_);
        note_failure(why);
    }

private:
    struct operation {
        parts_t parts;
        std::type_info const* kind = nullptr;
        std::size_t come = 0, left = 0;
        bool done = false;
    };

    void note_failure(std::string const& why) {
        if (failure_.empty()) failure_ = why;
        changed_.notify_all();
    }
    void check_others() const {
        if (!failure_.empty()) throw error(failure_);
    }
    void check_alike(operation const& o, int rank, std::type_info const& kind,
                     std::span<std::byte> part) {
        for (auto const& other : o.parts) {
            if (other.data() == nullptr || (*o.kind == kind && other.size() == part.size()))
                continue;
            note_failure("rank " + std::to_string(rank) + " asks for another operation, or for " +
                         std::to_string(part.size()) + " bytes where another rank has " +
                         std::to_string(other.size()));
            check_others();
        }
    }

    std::mutex guard_;
    std::condition_variable changed_;
    std::map<index_t, operation> under_way_;
    std::size_t size_;
    std::string failure_;
};

// parts <- their sum, in their order.
template <class T>
void sum_parts(meeting::parts_t const& parts) {
    std::size_t const n = parts[0].size() / sizeof(T);
    for (std::size_t i = 0; i < n; ++i) {
        auto const at = [&](std::size_t r) { return reinterpret_cast<T*>(parts[r].data()) + i; };
        T total = *at(0);
        for (std::size_t r = 1; r < parts.size(); ++r) total += *at(r);
        for (std::size_t r = 0; r < parts.size(); ++r) *at(r) = total;
    }
}

}  // namespace detail

class thread_rank final : public communicator {
public:
    thread_rank(detail::meeting& m, int rank, int size) : m_(m), rank_(rank), size_(size) {}

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    request_ptr start_sum(std::span<float> x) override { return start(x); }
    request_ptr start_sum(std::span<double> x) override { return start(x); }
    request_ptr start_sum(std::span<index_t> x) override { return start(x); }
    void broadcast(std::span<std::byte> x) override {
        together(typeid(std::byte), x, [](detail::meeting::parts_t const& parts) {
            for (std::size_t r = 1; r < parts.size() && !parts[0].empty(); ++r) {
                std::memcpy(parts[r].data(), parts[0].data(), parts[0].size());
            }
        });
    }
    void barrier() override {
        together(typeid(void), {}, [](auto const&) {});
    }
    void end_all(std::string const& message) override {
        m_.fail(message);
        throw error(message);
    }

private:
    class pending final : public request {
    public:
        pending(detail::meeting& m, index_t k) : m_(m), k_(k) {}
        pending(pending const&) = delete;
        ~pending() override { m_.leave(k_); }
        bool done() override { return m_.done(k_); }
        void wait() override { m_.wait(k_); }

    private:
        detail::meeting& m_;
        index_t k_;
    };

    template <class T>
    request_ptr start(std::span<T> x) {
        m_.come(next_, rank_, typeid(T), std::as_writable_bytes(x), detail::sum_parts<T>);
        return std::make_unique<pending>(m_, next_++);
    }
    template <class Act>
    void together(std::type_info const& kind, std::span<std::byte> x, Act&& act) {
        m_.come(next_, rank_, kind, x, act);
        pending(m_, next_++).wait();
    }

    detail::meeting& m_;
    int rank_, size_;
    index_t next_ = 0;  // operation
};

// Calls f(communicator) on n threads, and waits for all.
template <class F>
void run_ranks(int n, F&& f) {
    detail::meeting m(n);
    std::exception_ptr first;
    std::mutex guard;
    auto const run = [&](int rank) {
        thread_rank own(m, rank, n);
        try {
            f(static_cast<communicator&>(own));
        } catch (...) {
            {
                std::lock_guard<std::mutex> const lock(guard);
                if (!first) first = std::current_exception();
            }
            m.fail("another rank has failed");
        }
    };
    std::vector<std::thread> threads;
    for (int rank = 0; rank < n; ++rank) threads.emplace_back(run, rank);
    for (std::thread& t : threads) t.join();
    if (first) std::rethrow_exception(first);
}

}  // namespace felt::inline FELT_ABI
