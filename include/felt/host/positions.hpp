// SPDX-License-Identifier: BSD-3-Clause
//
// The first positions of the best values, while a reduction runs: a value is kept beside each. A
// NaN beats every number.
#pragma once
#include <felt/host/arg_reduce.hpp>
#include <felt/host/copy.hpp>
#include <felt/host/summed_rows.hpp>

namespace felt::inline FELT_ABI::host {

// E(x, y) is the better of two; V: of the operand; J: in which positions count.
template <class E, class V, class J>
class positions {
public:
    using value = detail::comparable<V>;

    // Results `to` of the operand's box, over the loops that `mask` says are reduced.
    positions(box const& all, loop_view const& in, unsigned mask, strided<J> const& to)
        : in_(in), to_(to), ordered_(detail::in_order(all, in, mask)) {
        index_t total = 1;
        for (int l = in.rank - 1; l >= 0; --l) {
            if ((mask >> l & 1U) != 0) {
                weight_[l] = total;
                total *= in.extent[l];
            } else {
                points_ *= all.extent(l);
                lowest_ += to.stride[l] * all.lo[l];
            }
        }
        kept_lanes_ = in.lane >= 0 && (mask >> in.lane & 1U) == 0;
    }

    // Where so many values are kept, in the order of the results.
    index_t points() const { return points_; }
    void keep_in(void* best) { best_ = static_cast<value*>(best) - lowest_; }
    void clear() {
        std::fill_n(best_ + lowest_, points_, E::template identity<value>());
        std::fill_n(to_.data + lowest_, points_, J(0));
    }

    // Whether rows come in the order of their positions, one for each of the lanes.
    bool takes_rows() const { return kept_lanes_ && ordered_; }

    // Elements lo .. hi - 1 of row `at`.
    void piece(index_t const* at, index_t lo, index_t hi, V const* elements) const {
        auto const* const line = reinterpret_cast<value const*>(elements);
        index_t const step = in_.lane < 0 ? 0 : weight_[in_.lane], o = result(at);
        index_t const first = position(at) + step * lo, n = hi - lo;
        if (kept_lanes_) {
            detail::keep_better<E>(best_ + o + lo, to_.data + o + lo, line, n, first);
        } else {
            detail::keep_first<E>(best_[o], to_.data[o], detail::reduce_line<E>(line, n), line, n,
                                  first, step);
        }
    }

    // Elements j .. j + n - 1 of rows r .. r + count - 1 of those that begin with row `at`. Loops
    // over rows are whole and the fastest there are: each row is one position further.
    void rows(index_t const* at, index_t r, index_t j, V const* const* lines, int count,
              index_t n) const {
        value const* from[summed_rows<V>::most];
        for (int k = 0; k < count; ++k) from[k] = reinterpret_cast<value const*>(lines[k]);
        index_t const o = result(at) + j;
        detail::keep_best_rows<E>(best_ + o, to_.data + o, from, position(at) + r, count, n);
    }

private:
    index_t result(index_t const* at) const { return row_begin(to_, at, in_) - to_.data; }
    index_t position(index_t const* at) const {
        index_t p = 0;
        for (int l = 0; l < in_.rank; ++l) p += l == in_.lane ? 0 : weight_[l] * at[l];
        return p;
    }

    loop_view const& in_;
    strided<J> to_;
    index_t weight_[max_axes] = {}, points_ = 1, lowest_ = 0;
    value* best_ = nullptr;
    bool kept_lanes_ = false, ordered_;
};

}  // namespace felt::inline FELT_ABI::host
