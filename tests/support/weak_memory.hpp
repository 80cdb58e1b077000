// SPDX-License-Identifier: BSD-3-Clause
//
// Memory that blocks of a GPU share, as weak as it may be: what a thread writes is there for others
// only if it fenced before its block counted, and only for threads that fence after their own block
// did. Until then they read NaN. (NVIDIA, "CUDA C++ Programming Guide", memory fence functions.)
#pragma once
#include <cstring>
#include <map>
#include <utility>
#include <vector>

namespace test {

template <class T>
class weak_memory {
public:
    explicit weak_memory(int threads) : thread_(static_cast<std::size_t>(threads)) {}

    // Another block of threads begins; what one has not published until then never is.
    void begin_block() {
        for (auto& t : thread_) t = {};
        fenced_.clear();
        has_counted_ = false;
    }
    void put(int thread, T* to, T value) { of(thread).written.emplace_back(to, value); }
    void fence(int thread) {
        auto& t = of(thread);
        fenced_.insert(fenced_.end(), t.written.begin(), t.written.end());
        t.written.clear();
        t.sees = has_counted_;
    }
    unsigned add_one(unsigned* counter) {
        for (auto const& [to, value] : fenced_) published_[to] = value;
        fenced_.clear();
        has_counted_ = true;
        return (*counter)++;
    }
    T fresh(int thread, T const* from) const {
        auto const found = published_.find(from);
        if (of(thread).sees && found != published_.end()) return found->second;
        T nothing;
        std::memset(&nothing, 0xff, sizeof(T));
        return nothing;
    }

private:
    struct view {
        std::vector<std::pair<T*, T>> written;
        bool sees = false;
    };
    view& of(int thread) { return thread_[static_cast<std::size_t>(thread)]; }
    view const& of(int thread) const { return thread_[static_cast<std::size_t>(thread)]; }

    std::vector<view> thread_;
    std::vector<std::pair<T*, T>> fenced_;
    std::map<T const*, T> published_;
    bool has_counted_ = false;
};

}  // namespace test
