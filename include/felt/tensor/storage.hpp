// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of tensors on the host: aligned, owned by one tensor, counted.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/core/spaces.hpp>
#include <felt/tensor/fresh_memory.hpp>
#include <felt/tensor/owners.hpp>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace felt::inline FELT_ABI {

// What was allocated since the program began. `tensors` and `bytes` count memory of tensors,
// intermediates included; `scratch_peak` is the largest scratch that one thread held, in bytes.
struct allocation_count {
    index_t tensors = 0;
    index_t bytes = 0;
    index_t scratch_peak = 0;
};

namespace detail {

struct allocation_counters {
    std::atomic<index_t> tensors{0}, bytes{0}, scratch_peak{0};

    void tensor(index_t n) {
        tensors.fetch_add(1, std::memory_order_relaxed);
        bytes.fetch_add(n, std::memory_order_relaxed);
    }
    void scratch(index_t n) {
        index_t seen = scratch_peak.load(std::memory_order_relaxed);
        while (seen < n && !scratch_peak.compare_exchange_weak(seen, n)) {
        }
    }
};

inline allocation_counters& counters() {
    static allocation_counters instance;
    return instance;
}

// A cache line and the widest vector are 64 bytes; a large page is 2 MiB.
inline constexpr std::size_t alignment = 64, page = 4096, large_page = std::size_t{2} << 20;

// Memory of many pages begins somewhere else in its first page each time: processors take a load
// for dependent on a store if the last 12 bits of their addresses agree, and equal elements of
// two tensors would always meet there (Intel, "Optimization Reference Manual", 4K aliasing).
inline constexpr std::size_t spread_from = 16 * page;

inline std::size_t spread() {
    static std::atomic<std::size_t> count{0};
    return count.fetch_add(1, std::memory_order_relaxed) * 5 % 8 * (page / 8);
}
inline std::align_val_t alignment_for(std::size_t bytes) {
    return std::align_val_t{bytes >= 2 * large_page ? large_page
                            : bytes >= spread_from  ? page
                                                    : alignment};
}
inline void* allocate_bytes(std::size_t bytes) {
    bool const spreads = bytes >= spread_from;
    auto* const p =
        static_cast<char*>(::operator new(bytes + (spreads ? page : 0), alignment_for(bytes)));
    if (bytes >= 2 * large_page) FELT_ADVISE_LARGE_PAGES(p, bytes);
    return spreads ? p + spread() : p;
}
inline void free_bytes(void* p, std::size_t bytes) {
    auto* first = static_cast<char*>(p);
    if (bytes >= spread_from) first -= reinterpret_cast<std::uintptr_t>(p) % page;
    ::operator delete(first, alignment_for(bytes));
}

}  // namespace detail

// A snapshot: subtract two to see what an assignment allocated.
[[nodiscard]] inline allocation_count allocations() {
    auto& c = detail::counters();
    return {c.tensors.load(), c.bytes.load(), c.scratch_peak.load()};
}

// n elements in Space; move-only. Spaces other than Host specialise it.
template <class T, class Space>
class storage {
public:
    storage() = default;
    storage(index_t n, bool zero) : size_(n) {
        if (n == 0) return;
        auto const bytes = static_cast<std::size_t>(n) * sizeof(T);
        data_ = static_cast<T*>(detail::allocate_bytes(bytes + detail::guard_size()));
        detail::put_guard(data_, bytes);
        detail::counters().tensor(static_cast<index_t>(bytes));
        detail::owner_begins(data_, bytes);
        if (zero) std::memset(static_cast<void*>(data_), 0, bytes);
        else if (detail::debugs_memory())
            detail::fill_unwritten(data_, static_cast<std::size_t>(n));
    }
    storage(storage&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {
        detail::owner_changes(data_);
    }
    [[gnu::noinline]] storage& operator=(storage&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        detail::owner_changes(data_);
        detail::owner_changes(other.data_);
        return *this;
    }
    [[gnu::noinline]] ~storage() {
        if (data_ == nullptr) return;
        detail::owner_ends(data_);
        auto const bytes = static_cast<std::size_t>(size_) * sizeof(T);
        detail::check_guard(data_, bytes, "a tensor");
        detail::free_bytes(data_, bytes + detail::guard_size());
    }

    T* data() const { return data_; }
    index_t size() const { return size_; }

    // The same elements in storage of its own.
    storage copy() const {
        storage made(size_, false);
        if (size_ > 0) {
            std::memcpy(static_cast<void*>(made.data_), data_,
                        static_cast<std::size_t>(size_) * sizeof(T));
        }
        return made;
    }

private:
    T* data_ = nullptr;
    index_t size_ = 0;
};

}  // namespace felt::inline FELT_ABI
