// SPDX-License-Identifier: BSD-3-Clause
//
// The rows that one loop adds to the same results, some at a time: where they lie, or computed in
// `room`. Short rows are taken by the dozen, for their results are then read and written once.
#pragma once
#include <felt/host/carried.hpp>
#include <felt/host/loop_nest.hpp>

namespace felt::host {

template <class V>
class summed_rows {
public:
    static constexpr int most = 32;
    static constexpr index_t room_size = 2048;

    // The rows of block b of x, which were joined as results `to` apart are; added up along `loop`;
    // -1: each row has results of its own. `carried`: what comes together is to be whole groups
    // (carried.hpp), but for the last.
    summed_rows(row_source<V> const& x, box const& b, long_rows const& rows, index_t const* to,
                int lane, int loop, V* room, bool carried)
        : x_(x),
          others_(rows.at),
          lo_(rows.at.lo[lane]),
          length_(rows.length),
          piece_(rows.length),
          lane_(lane),
          loop_(loop),
          room_(room),
          memory_(x.memory(&strides_)) {
        for (int l = 0; l < b.rank; ++l) {  // one row that others repeat is joined with itself
            bool const joined = l != lane && others_.extent(l) < b.extent(l);
            if (memory_ != nullptr && joined && strides_[l] != to[l]) memory_ = nullptr;
        }
        if (loop_ >= 0) {
            count_ = others_.extent(loop_);
            others_.hi[loop_] = others_.lo[loop_] + 1;
        }
        index_t const fit = room_size / std::max<index_t>(length_, 1);
        int const least = carried ? few : 2;
        joined_ =
            memory_ == nullptr && count_ > 1 && fit >= least && x_.continues_row(loop_, length_);
        index_t const whole = carried ? fit / few * few : fit;
        together_ = static_cast<int>(std::clamp<index_t>(whole, joined_ ? least : few, most));
        if (memory_ == nullptr && !joined_) {
            together_ = carried ? few : few / 2;
            piece_ = room_size / together_;
        }
    }

    // The first of the rows of each result.
    box const& others() const { return others_; }

    // f(j, rows, count, n): elements j .. j + n - 1 of so many rows, row after row for each j.
    template <class F>
    void each(index_t const* first, F&& f) const {
        index_t at[max_axes] = {};
        std::copy(first, first + others_.rank, at);
        V const* rows[most];
        for (index_t r = 0; r < count_; r += together_) {
            auto const n = static_cast<int>(std::min<index_t>(together_, count_ - r));
            if (loop_ >= 0) at[loop_] = first[loop_] + r;
            for (index_t j = 0; j < length_; j += piece_) {
                index_t const size = std::min(piece_, length_ - j);
                find(at, lo_ + j, size, n, rows);
                f(lo_ + j, rows, n, size);
            }
        }
    }

private:
    static constexpr int few = carried_rows;

    void find(index_t* at, index_t j, index_t size, int n, V const** rows) const {
        if (memory_ != nullptr || joined_) {
            index_t const step = joined_ ? length_ : loop_ < 0 ? 0 : strides_[loop_];
            V const* const begin = joined_ ? x_.line(at, j, j + n * length_, room_) : lies(at) + j;
            for (int k = 0; k < n; ++k) rows[k] = begin + k * step;
            return;
        }
        for (int k = 0; k < n; ++k) {
            rows[k] = x_.line(at, j, j + size, room_ + k * piece_);
            if (loop_ >= 0) ++at[loop_];
        }
        if (loop_ >= 0) at[loop_] -= n;
    }

    // Row `at`, where it would begin with lane 0.
    V const* lies(index_t const* at) const {
        V const* p = memory_;
        for (int l = 0; l < others_.rank; ++l) {
            if (l != lane_) p += strides_[l] * at[l];
        }
        return p;
    }

    row_source<V> const& x_;
    box others_;
    index_t lo_, length_, piece_, count_ = 1;
    int lane_, loop_, together_ = 1;
    bool joined_ = false;
    V* room_;
    index_t const* strides_ = nullptr;
    V const* memory_;
};

}  // namespace felt::host
