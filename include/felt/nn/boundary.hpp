// SPDX-License-Identifier: BSD-3-Clause
//
// What one block gives and the next one reads: memory, and what is still to be done to it. An
// activation is done already, see activation.hpp. A normalisation is not: the reader reads
// y scale + shift instead of y, so that no normalised value is ever written; and a relu behind it.
#pragma once
#include <felt/nn/activation.hpp>
#include <felt/nn/scope.hpp>
#include <string>

namespace felt::inline FELT_ABI::nn {

// The normalisation that a reader does: parameters and their derivatives lie where the block that
// ends in it has them.
template <class T, class Space>
struct pending_norm {
    View<T const, 1, Space> gamma, beta;
    View<T, 1, Space> dgamma, dbeta;
    summed_statistics<T, Space, sum_if_shared<T, Space>> statistics;
    batch_norm_options o;
    bool rectified = false;
};

template <class T, class Space>
struct boundary {
    T* data = nullptr;
    std::size_t rank = 2;
    extents<4> e{}, stride{};
    activation act{};
    pending_norm<T, Space> const* norm = nullptr;

    index_t size() const { return product(0, rank); }
    // As R axes; as 2: samples, and what each of them has, in the order of memory. Those of a
    // sequence (steps, batch, features) are (steps batch).
    template <std::size_t R>
    View<T, R, Space> as() const {
        if constexpr (R == 2) {
            if (rank == 3) return {data, {{e[0] * e[1], e[2]}}, {{stride[1], stride[2]}}};
            if (rank == 4) return {data, {{e[0], product(1, rank)}}, {{stride[0], 1}}};
        }
        if (R != rank)
            throw shape_error("nn: a layer of rank " + std::to_string(R) + " after " + text());
        extents<R> to, by;
        for (std::size_t r = 0; r < R; ++r) to[r] = e[r], by[r] = stride[r];
        return {data, to, by};
    }
    // Images by pixels, all channels of one together; anything else by rows.
    void lie_whole() {
        extents<4> order{{0, 1, 2, 3}};
        if (rank == 4) order = {{0, 2, 3, 1}};
        index_t n = 1;
        for (std::size_t k = rank; k-- > 0;) {
            auto const r = static_cast<std::size_t>(order[k]);
            stride[r] = n;
            n *= e[r];
        }
    }
    std::string text() const { return felt::to_string(e.value, rank); }

private:
    index_t product(std::size_t from, std::size_t to) const {
        index_t n = 1;
        for (std::size_t r = from; r < to; ++r) n *= e[r];
        return n;
    }
};

}  // namespace felt::inline FELT_ABI::nn
