// SPDX-License-Identifier: BSD-3-Clause
//
// Scratch: one arena per thread, taken in pieces while a pass is bound, given back as a whole,
// kept for the next pass.
#pragma once
#include <felt/tensor/storage.hpp>
#include <vector>

namespace felt::host {

class arena {
public:
    arena() = default;
    arena(arena const&) = delete;
    ~arena() {
        for (chunk& c : chunks_) {
            felt::detail::free_bytes(c.data, static_cast<std::size_t>(c.size));
        }
    }

    template <class T>
    T* take(index_t n) {
        return static_cast<T*>(take_bytes(n * static_cast<index_t>(sizeof(T))));
    }

    // What has been taken since a mark is free again.
    struct mark {
        std::size_t chunk;
        index_t used, total;
    };
    mark here() const { return {current_, chunks_.empty() ? 0 : chunks_[current_].used, total_}; }
    void rewind(mark const& m) {
        for (std::size_t c = m.chunk + 1; c < chunks_.size(); ++c) chunks_[c].used = 0;
        current_ = m.chunk;
        if (!chunks_.empty()) chunks_[current_].used = m.used;
        total_ = m.total;
    }

private:
    struct chunk {
        char* data;
        index_t size, used;
    };

    void* take_bytes(index_t bytes) {
        constexpr auto line = static_cast<index_t>(felt::detail::alignment);
        bytes = (bytes + line - 1) / line * line + line;  // a vector may end past the last element
        while (current_ < chunks_.size() &&
               chunks_[current_].used + bytes > chunks_[current_].size) {
            ++current_;
        }
        if (current_ == chunks_.size()) {
            index_t const size = bytes > 65536 ? bytes : 65536;
            chunks_.push_back({static_cast<char*>(felt::detail::allocate_bytes(
                                   static_cast<std::size_t>(size))),
                               size, 0});
        }
        chunk& c = chunks_[current_];
        void* const p = c.data + c.used;
        c.used += bytes;
        total_ += bytes;
        felt::detail::counters().scratch(total_);
        return p;
    }

    std::vector<chunk> chunks_;
    std::size_t current_ = 0;
    index_t total_ = 0;
};

inline arena& this_thread_arena() {
    thread_local arena a;
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

}  // namespace felt::host
