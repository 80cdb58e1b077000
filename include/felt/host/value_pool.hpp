// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for values that are computed as a whole before what reads them: those of an unfused run,
// and what a plan hoists. Both take it from one warm pool, so that neither pays for fresh pages.
#pragma once
#include <felt/tensor/storage.hpp>
#include <vector>

namespace felt::host {

// Memory for values, kept for the next run.
class value_pool {
public:
    struct block {
        void* data;
        index_t bytes;
    };

    block take(index_t bytes) {
        std::size_t best = free_.size();
        for (std::size_t i = 0; i < free_.size(); ++i) {
            bool const fits = free_[i].bytes >= bytes;
            if (fits && (best == free_.size() || free_[i].bytes < free_[best].bytes)) best = i;
        }
        if (best == free_.size()) {
            return {felt::detail::allocate_bytes(static_cast<std::size_t>(bytes)), bytes};
        }
        block const b = free_[best];
        free_[best] = free_.back();
        free_.pop_back();
        return b;
    }
    void give(block b) { free_.push_back(b); }

    ~value_pool() {
        for (block& b : free_) {
            felt::detail::free_bytes(b.data, static_cast<std::size_t>(b.bytes));
        }
    }

    static value_pool& of_this_thread() {
        thread_local value_pool pool;
        return pool;
    }

private:
    std::vector<block> free_;
};

// Blocks of the pool, given back at the end.
class pooled_values {
public:
    pooled_values() = default;
    pooled_values(pooled_values const&) = delete;
    ~pooled_values() {
        for (value_pool::block b : blocks_) value_pool::of_this_thread().give(b);
    }

    // What is smaller than `counted` is not of the size of a tensor (allocations()).
    void* take(index_t bytes, index_t counted = 0) {
        if (bytes > counted) felt::detail::counters().tensor(bytes);
        blocks_.push_back(value_pool::of_this_thread().take(bytes));
        return blocks_.back().data;
    }

private:
    std::vector<value_pool::block> blocks_;
};

}  // namespace felt::host
