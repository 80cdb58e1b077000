// SPDX-License-Identifier: BSD-3-Clause
//
// Whose memory is whose, where element access is checked: the memory of every tensor has a number,
// and another one when a move or a swap gives it away. What refers to a tensor remembers the number
// and is refused if it is not the memory's any more. Elsewhere every number is 0, and nothing asks.
#pragma once
#include <felt/core/apart.hpp>
#include <felt/core/extents.hpp>
#include <cstdint>
#include <map>
#include <mutex>

namespace felt::inline FELT_ABI::detail {

using owner_t = std::uint64_t;  // 0: unknown, which is never refused

class memory_owners {
public:
    static memory_owners& all() {
        static auto& instance = *new memory_owners;  // outlives the tensors of the program
        return instance;
    }

    void begin(void const* p, std::size_t bytes) {
        auto const* const first = static_cast<char const*>(p);
        std::lock_guard<std::mutex> const lock(mutex_);
        owned_[first] = {first + bytes, ++last_};
    }
    void end(void const* p) {
        std::lock_guard<std::mutex> const lock(mutex_);
        owned_.erase(static_cast<char const*>(p));
    }
    void change(void const* p) {
        std::lock_guard<std::mutex> const lock(mutex_);
        auto const at = owned_.find(static_cast<char const*>(p));
        if (at != owned_.end()) at->second.owner = ++last_;
    }
    owner_t of(void const* p) {
        auto const* const x = static_cast<char const*>(p);
        std::lock_guard<std::mutex> const lock(mutex_);
        auto const after = owned_.upper_bound(x);
        if (after == owned_.begin()) return 0;
        auto const& [end, owner] = std::prev(after)->second;
        return x < end ? owner : 0;
    }

private:
    struct range {
        char const* end;
        owner_t owner;
    };
    std::mutex mutex_;
    std::map<char const*, range> owned_;
    owner_t last_ = 0;
};

inline void begin_owner(void const* p, std::size_t bytes) { memory_owners::all().begin(p, bytes); }
inline void end_owner(void const* p) { memory_owners::all().end(p); }
inline void change_owner(void const* p) { memory_owners::all().change(p); }
inline owner_t find_owner(void const* p) { return memory_owners::all().of(p); }

// Templates, so that sources which check and sources which do not have functions of their own.
template <bool Checked = FELT_CHECKED>
void owner_begins(void const* p, std::size_t bytes) {
    if constexpr (Checked) apart<&begin_owner>::call(p, bytes);
}
template <bool Checked = FELT_CHECKED>
void owner_ends(void const* p) {
    if constexpr (Checked) apart<&end_owner>::call(p);
}
template <bool Checked = FELT_CHECKED>
void owner_changes(void const* p) {
    if constexpr (Checked) {
        if (p != nullptr) apart<&change_owner>::call(p);
    }
}

// The number of the memory in which n elements begin.
template <bool Checked = FELT_CHECKED>
owner_t owner_of(void const* p, index_t n) {
    if constexpr (Checked) {
        if (n > 0) return apart<&find_owner>::call(p);
    }
    return 0;
}

}  // namespace felt::inline FELT_ABI::detail
