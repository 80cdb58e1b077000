// SPDX-License-Identifier: BSD-3-Clause
//
// flat_vector<T>: a vector of what may be copied as bytes. A plan has a dozen tables of such, and
// is copied to try something: all of them share the code of flat_memory, which is compiled once,
// where std::vector would be sixty functions for each.
#pragma once
#include <felt/core/config.hpp>
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace felt::inline FELT_ABI::planning {

// Blocks of memory that this thread has just left: a plan takes a few hundred KiB, which malloc
// gives back to the system and fetches again for each, page by page.
class left_blocks {
public:
    static constexpr std::size_t least = std::size_t{1} << 6, most = std::size_t{1} << 20;

    // A block of so many bytes or a few more, which are told.
    FELT_PLANNING static void* take(std::size_t& bytes) {
        if (bytes < least || bytes > most) return ::operator new(bytes);
        bytes = std::bit_ceil(bytes);
        if (!gone()) {
            bin& b = of_this_thread().of(bytes);
            if (b.count > 0) return b.block[--b.count];
        }
        return ::operator new(bytes);
    }
    FELT_PLANNING static void give(void* block, std::size_t bytes) {
        if (bytes >= least && bytes <= most && !gone()) {
            bin& b = of_this_thread().of(bytes);
            if (b.count < bin::room) {
                b.block[b.count++] = block;
                return;
            }
        }
        ::operator delete(block);
    }

    left_blocks() = default;
    left_blocks(left_blocks const&) = delete;
    ~left_blocks() {
        gone() = true;
        for (bin& b : bins_) {
            while (b.count > 0) ::operator delete(b.block[--b.count]);
        }
    }

private:
    struct bin {
        static constexpr int room = 4;
        void* block[room];
        int count = 0;
    };
    bin& of(std::size_t bytes) { return bins_[std::bit_width(bytes / least) - 1]; }

    static left_blocks& of_this_thread() {
        thread_local left_blocks all;
        return all;
    }
    // Plans may outlive it at the end of a thread.
    static bool& gone() {
        thread_local bool is = false;
        return is;
    }

    bin bins_[std::bit_width(most / least)];
};

class flat_memory {
public:
    flat_memory() = default;
    flat_memory(flat_memory const& m) {
        if (m.size_ > 0) std::memcpy(grow(m.size_), m.data_, m.size_);
    }
    flat_memory(flat_memory&& m) noexcept
        : data_(std::exchange(m.data_, nullptr)),
          size_(std::exchange(m.size_, 0)),
          capacity_(std::exchange(m.capacity_, 0)) {}
    flat_memory& operator=(flat_memory m) noexcept {
        std::swap(data_, m.data_);
        std::swap(size_, m.size_);
        std::swap(capacity_, m.capacity_);
        return *this;
    }
    ~flat_memory() {
        if (data_ != nullptr) left_blocks::give(data_, capacity_);
    }

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

    void reserve(std::size_t bytes) {
        if (bytes <= capacity_) return;
        void* const to = left_blocks::take(bytes);
        if (size_ > 0) std::memcpy(to, data_, size_);
        if (data_ != nullptr) left_blocks::give(data_, capacity_);
        data_ = to;
        capacity_ = bytes;
    }
    // So many bytes more; where they begin.
    void* grow(std::size_t bytes) {
        if (size_ + bytes > capacity_) reserve(std::max(size_ + bytes, 2 * capacity_));
        size_ += bytes;
        return static_cast<char*>(data_) + (size_ - bytes);
    }
    void clear() { size_ = 0; }

private:
    void* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

template <class T>
class flat_vector {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignof(std::max_align_t));

public:
    flat_vector() = default;
    flat_vector(std::size_t n, T const& all) { assign(n, all); }

    T* begin() { return static_cast<T*>(memory_.data()); }
    T* end() { return begin() + size(); }
    T const* begin() const { return static_cast<T const*>(memory_.data()); }
    T const* end() const { return begin() + size(); }
    T& operator[](std::size_t i) { return begin()[i]; }
    T const& operator[](std::size_t i) const { return begin()[i]; }
    T& back() { return begin()[size() - 1]; }
    std::size_t size() const { return memory_.size() / sizeof(T); }

    void reserve(std::size_t n) { memory_.reserve(n * sizeof(T)); }
    void clear() { memory_.clear(); }
    T& emplace_back() { return *::new (memory_.grow(sizeof(T))) T(); }
    void push_back(T const& x) {
        T const copy = x;  // it may be one of those that move
        ::new (memory_.grow(sizeof(T))) T(copy);
    }
    void assign(std::size_t n, T const& all) {
        T const copy = all;
        memory_.clear();
        T* const to = static_cast<T*>(memory_.grow(n * sizeof(T)));
        for (std::size_t i = 0; i < n; ++i) ::new (to + i) T(copy);
    }

private:
    flat_memory memory_;
};

}  // namespace felt::inline FELT_ABI::planning
