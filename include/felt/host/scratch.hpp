// SPDX-License-Identifier: BSD-3-Clause
//
// Scratch: one arena per thread, taken in pieces while a pass is bound, given back as a whole,
// kept for the next pass. All that a plan may need is reserved at once, so that pieces of any
// sizes lie in the same memory; what no pass has used is not resident.
#pragma once
#include <felt/plan/3_tiling/scratch_layout.hpp>
#include <felt/tensor/storage.hpp>
#include <vector>

namespace felt::inline FELT_ABI::host {

class arena {
public:
    // Chunks of so many bytes at least. Pieces end at cache lines, which takes a little more than
    // the plan counts.
    explicit arena(index_t reserve = planning::scratch_limit + 65536) : reserve_(reserve) {}
    arena(arena const&) = delete;
    ~arena() {
        for (chunk& c : chunks_) {
            FELT_ALLOW_MEMORY(c.data, static_cast<std::size_t>(c.size));
            felt::detail::free_bytes(c.data, static_cast<std::size_t>(c.size));
        }
    }

    template <class T>
    T* take(index_t n) {
        auto* const p = static_cast<T*>(take_bytes(n * static_cast<index_t>(sizeof(T))));
        if (felt::detail::debugs_memory())
            felt::detail::fill_unwritten(p, static_cast<std::size_t>(n));
        return p;
    }

    // What has been taken since a mark is free again.
    struct mark {
        std::size_t chunk;
        index_t used, total;
        std::size_t guards = 0;
    };
    mark here() const {
        return {current_, chunks_.empty() ? 0 : chunks_[current_].used, total_, guards_.size()};
    }
    void rewind(mark const& m) {
        for (; guards_.size() > m.guards; guards_.pop_back()) guards_.back().check();
        for (std::size_t c = m.chunk + 1; c < chunks_.size(); ++c) chunks_[c].cut(0);
        current_ = m.chunk;
        if (!chunks_.empty()) chunks_[current_].cut(m.used);
        total_ = m.total;
    }

private:
    struct chunk {
        char* data;
        index_t size, used;

        void check() const {
            felt::detail::check_guard(data, static_cast<std::size_t>(size), "scratch");
        }
        void cut(index_t n) {
            FELT_FORBID_MEMORY(data + n, static_cast<std::size_t>(used - n));
            used = n;
        }
    };

    [[gnu::noinline]] void* take_bytes(index_t bytes) {
        constexpr auto line = static_cast<index_t>(felt::detail::alignment);
        bytes = (bytes + line - 1) / line * line + line;  // a vector may end past the last element
        auto const guard = static_cast<index_t>(felt::detail::guard_size());
        index_t const room = bytes + guard + FELT_SCRATCH_GUARD;
        while (current_ < chunks_.size() &&
               chunks_[current_].used + room > chunks_[current_].size) {
            ++current_;
        }
        if (current_ == chunks_.size()) add_chunk(std::max(room, reserve_));
        chunk& c = chunks_[current_];
        void* const p = c.data + c.used;
        FELT_ALLOW_MEMORY(p, static_cast<std::size_t>(bytes + guard));
        if (guard > 0) {
            guards_.push_back({static_cast<char*>(p), bytes, 0});
            felt::detail::put_guard(p, static_cast<std::size_t>(bytes));
        }
        c.used += room;
        total_ += bytes;
        felt::detail::counters().scratch(total_);
        return p;
    }

    void add_chunk(index_t size) {
        auto const bytes = static_cast<std::size_t>(size);
        chunks_.push_back({static_cast<char*>(felt::detail::allocate_bytes(bytes)), size, 0});
        FELT_FORBID_MEMORY(chunks_.back().data, bytes);
    }

    index_t reserve_;
    std::vector<chunk> chunks_;
    std::vector<chunk> guards_;  // pieces whose ends are looked at when they are given back
    std::size_t current_ = 0;
    index_t total_ = 0;
};

inline arena& this_thread_arena() {
    thread_local arena a;
    return a;
}

// Where a thread has its statements while they run.
inline arena& bound_statements_of_this_thread() {
    thread_local arena a(65536);
    return a;
}

// Scratch taken while this lives is given back at its end.
class scratch_scope {
public:
    explicit scratch_scope(arena& a) : arena_(a), mark_(a.here()) {}
    scratch_scope(scratch_scope const&) = delete;
    ~scratch_scope() { arena_.rewind(mark_); }

private:
    arena& arena_;
    arena::mark mark_;
};

}  // namespace felt::inline FELT_ABI::host
