// SPDX-License-Identifier: BSD-3-Clause
//
// Which rows of a batch a rank owns: rank r of p has rows [r n / p, (r + 1) n / p) of n, rounded
// down, so that sizes differ by at most one and all rows are in the ranks' order.
//
// The batch of a step is to follow from the seed and the step, never from the number of ranks: then
// a run goes on with the same numbers, up to rounding, on any number of them. A mean over the batch
// is the sum over ranks of weight() times the mean over the own rows, also where shards differ.
#pragma once
#include <felt/distributed/communicator.hpp>

namespace felt::inline FELT_ABI {

struct shard {
    index_t begin = 0, end = 0, of = 0;  // rows [begin, end) of `of`

    index_t size() const { return end - begin; }
    double weight() const {
        return of == 0 ? 0 : static_cast<double>(size()) / static_cast<double>(of);
    }
};

inline shard shard_of(index_t rows, int rank, int size) {
    auto const cut = [&](index_t r) {  // r rows / size, without overflow
        return r * (rows / size) + r * (rows % size) / size;
    };
    return {cut(rank), cut(rank + 1), rows};
}
inline shard shard_of(index_t rows, communicator const& ranks) {
    return shard_of(rows, ranks.rank(), ranks.size());
}

}  // namespace felt::inline FELT_ABI
