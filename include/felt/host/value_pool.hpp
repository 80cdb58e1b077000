// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for values that are computed as a whole before what reads them: those of an unfused run,
// and what a plan hoists. Both take it from one warm pool, so that neither pays for fresh pages.
#pragma once
#include <felt/tensor/storage.hpp>
#include <algorithm>
#include <vector>

namespace felt::inline FELT_ABI::host {

// Memory for values, kept for the next run: as many blocks as were ever taken at once, the largest
// that were needed.
class value_pool {
public:
    struct block {
        void* data;
        index_t bytes;
        index_t asked = 0;  // of them, by who has it now

        std::size_t asked_bytes() const { return static_cast<std::size_t>(asked); }
    };

    block take(index_t bytes) {
        std::size_t best = free_.size();
        for (std::size_t i = 0; i < free_.size(); ++i) {
            bool const fits = free_[i].bytes >= bytes;
            if (fits && (best == free_.size() || free_[i].bytes < free_[best].bytes)) best = i;
        }
        if (best < free_.size()) return remove(best);
        if (!free_.empty()) release(remove(largest()));  // a larger one takes its place
        return {felt::detail::allocate_bytes(static_cast<std::size_t>(bytes)), bytes};
    }
    void give(block b) { free_.push_back(b); }

    ~value_pool() {
        for (block const& b : free_) release(b);
    }

    static value_pool& of_this_thread() {
        thread_local value_pool pool;
        return pool;
    }

private:
    static void release(block const& b) {
        felt::detail::free_bytes(b.data, static_cast<std::size_t>(b.bytes));
    }
    std::size_t largest() const {
        auto const less = [](block const& a, block const& b) { return a.bytes < b.bytes; };
        auto const it = std::max_element(free_.begin(), free_.end(), less);
        return static_cast<std::size_t>(it - free_.begin());
    }
    block remove(std::size_t i) {
        block const b = free_[i];
        free_[i] = free_.back();
        free_.pop_back();
        return b;
    }

    std::vector<block> free_;
};

// Blocks of the pool, given back at the end.
class pooled_values {
public:
    pooled_values() = default;
    pooled_values(pooled_values const&) = delete;
    ~pooled_values() {
        for (value_pool::block const& b : blocks_) {
            felt::detail::check_guard(b.data, b.asked_bytes(), "a value that is computed first");
            value_pool::of_this_thread().give(b);
        }
    }

    // What is smaller than `counted` is not of the size of a tensor (allocations()).
    void* take(index_t bytes, index_t counted = 0) {
        if (bytes > counted) felt::detail::counters().tensor(bytes);
        auto const guard = static_cast<index_t>(felt::detail::guard_size());
        blocks_.push_back(value_pool::of_this_thread().take(bytes + guard));
        value_pool::block& b = blocks_.back();
        b.asked = bytes;
        if (guard > 0) felt::detail::fill_unwritten_bytes(b.data, b.asked_bytes());
        felt::detail::put_guard(b.data, b.asked_bytes());
        return b.data;
    }

private:
    std::vector<value_pool::block> blocks_;
};

}  // namespace felt::inline FELT_ABI::host
