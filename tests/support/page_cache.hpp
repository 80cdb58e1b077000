// SPDX-License-Identifier: BSD-3-Clause
//
// A model of a cache that sees what a run really touches: memory whose pages may only be read while
// they are among the last `capacity` bytes that came in, first in, first out, and only be written
// after that has been noted. Counted are the faults of pages that come from memory, and of those
// that will have to go back. A page of results does not come before it is written for the first
// time. For one thread.
#pragma once
#include <felt/core/extents.hpp>
#include <csignal>
#include <cstddef>
#include <deque>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace test {

class page_cache {
public:
    static constexpr std::size_t page = 4096;

    // Memory for tensors of so many bytes together, and a cache of so many.
    page_cache(std::size_t bytes, double capacity)
        : size_((bytes / page + 64) * page), pages_(static_cast<std::size_t>(capacity) / page) {
        void* const p =
            mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
        memory_ = static_cast<char*>(p);
    }
    page_cache(page_cache const&) = delete;
    page_cache& operator=(page_cache const&) = delete;
    ~page_cache() { munmap(memory_, size_); }

    // The next n elements, from a page's begin; of results, which are written before they are read.
    template <class T>
    T* take(felt::index_t n, bool results = false) {
        char* const p = memory_ + used_;
        std::size_t const bytes = static_cast<std::size_t>(n) * sizeof(T);
        used_ += (bytes + page - 1) / page * page;
        if (used_ > size_) throw std::bad_alloc();
        of_results_.resize(used_ / page, results);
        return reinterpret_cast<T*>(p);
    }

    // The bytes that f() brings in and takes back, from a cache that holds nothing of this memory.
    template <class F>
    double bytes_of(F&& f) {
        in_.clear();
        held_.assign(of_results_.size(), false);
        fresh_ = of_results_;
        faults_ = 0;
        now() = this;
        struct sigaction fault = {}, before = {};
        fault.sa_sigaction = [](int, siginfo_t* info, void*) { now()->bring_in(info->si_addr); };
        fault.sa_flags = SA_SIGINFO | SA_NODEFER;
        sigaction(SIGSEGV, &fault, &before);
        mprotect(memory_, size_, PROT_NONE);
        f();
        mprotect(memory_, size_, PROT_READ | PROT_WRITE);
        sigaction(SIGSEGV, &before, nullptr);
        return static_cast<double>(faults_ * page);
    }

private:
    static page_cache*& now() {
        static page_cache* p = nullptr;
        return p;
    }

    void bring_in(void* at) {
        auto const offset = static_cast<std::size_t>(static_cast<char*>(at) - memory_);
        if (offset >= size_) {  // not ours: a true fault
            std::signal(SIGSEGV, SIG_DFL);
            return;
        }
        std::size_t const k = offset / page;
        if (held_[k]) {  // it is written
            protect(k, PROT_READ | PROT_WRITE);
            ++faults_;
            return;
        }
        protect(k, PROT_READ);
        held_[k] = true;
        faults_ += fresh_[k] ? 0 : 1;
        fresh_[k] = false;
        in_.push_back(k);
        if (in_.size() <= pages_) return;
        protect(in_.front(), PROT_NONE);
        held_[in_.front()] = false;
        in_.pop_front();
    }
    void protect(std::size_t k, int how) const { mprotect(memory_ + k * page, page, how); }

    std::size_t size_, pages_, used_ = 0, faults_ = 0;
    char* memory_ = nullptr;
    std::deque<std::size_t> in_;
    std::vector<bool> of_results_, fresh_, held_;  // by page
};

}  // namespace test
