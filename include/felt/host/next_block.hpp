// SPDX-License-Identifier: BSD-3-Clause
//
// The memory that the next block will read, which can be brought while this one is computed: where
// the plan says so (fetch_early, 7_lowering/fast_paths.hpp).
#pragma once
#include <felt/host/environment.hpp>

namespace felt::inline FELT_ABI::host {

class next_block {
public:
    // Of the loops of space sp.
    next_block(environment const& env, space_id sp) {
        planning::graph const& g = env.p.g;
        planning::schedule const& s = env.p.s;
        node_id const leaf = s[sp].fetched;
        if (!leaf) return;
        lane_ = s[sp].lane;
        rank_ = g[sp].rank;
        by_loop_ = planning::by_loop_of(g, s, leaf);
        bytes_ = g[leaf].value_bytes;
        index_t const first = planning::offset_of(g, s, leaf) + s[sp].fetch_step;
        data_ = static_cast<char const*>(planning::data_of(g, s, leaf)) + first * bytes_;
    }

    // Whether anything is to be brought.
    explicit operator bool() const { return data_ != nullptr; }

    index_t value_bytes() const { return bytes_; }

    // Where the elements from lo on lie that are a block behind those of row `at`.
    char const* row(index_t const* at, index_t lo) const {
        index_t i = lo;
        for (int l = 0; l < rank_; ++l) i += l == lane_ ? 0 : by_loop_[l] * at[l];
        return data_ + i * bytes_;
    }

    // To the second cache: the first one has the rows of this block. (16384 rows of 1000
    // standardised: 11.1 ms without, 10.3 to the first cache, 9.5 to the second.) Inlined, for GCC
    // leaves out calls of functions that do nothing else.
    FELT_INLINE void fetch(index_t const* at, index_t lo, index_t hi) const {
        constexpr index_t line = 64;
        char const* const from = row(at, lo);
        for (index_t i = 0; i < (hi - lo) * bytes_; i += line) __builtin_prefetch(from + i, 0, 2);
    }

private:
    char const* data_ = nullptr;
    index_t const* by_loop_ = nullptr;
    index_t bytes_ = 0;
    int rank_ = 0, lane_ = -1;
};

}  // namespace felt::inline FELT_ABI::host
