// SPDX-License-Identifier: BSD-3-Clause
//
// The rows that a loop, or two of them, add to the same results, some at a time: where they lie, or
// computed in `room`. Short rows are taken by the dozen, for their results are then read and
// written once.
#pragma once
#include <felt/host/carried.hpp>
#include <felt/host/loop_nest.hpp>
#include <felt/host/rows_in_place.hpp>

namespace felt::inline FELT_ABI::host {

// Loops over rows that are summed: the fastest whatever the box is, and the one around it; -1:
// there is none.
struct summed_loops {
    int loop = -1, around = -1;
};

template <class V>
class summed_rows {
public:
    static constexpr int most = 32;
    static constexpr index_t room_size = 2048;

    // The rows of block b of x, which were joined as results `to` apart are. `carried`: what comes
    // together is to be whole groups (carried.hpp) of one loop, but for the last.
    summed_rows(row_source<V> const& x, box const& b, long_rows const& rows, index_t const* to,
                int lane, summed_loops const& of, V* room, bool carried)
        : x_(x),
          others_(rows.at),
          lo_(rows.at.lo[lane]),
          length_(rows.length),
          piece_(rows.length),
          lane_(lane),
          loop_(of.loop),
          around_(carried ? -1 : of.around),
          room_(room),
          memory_(x.memory(&strides_)) {
        for (int l = 0; l < b.rank; ++l) {  // one row that others repeat is joined with itself
            bool const joined = l != lane && others_.extent(l) < b.extent(l);
            if (memory_ != nullptr && joined && strides_[l] != to[l]) memory_ = nullptr;
        }
        if (loop_ >= 0) {
            inner_ = count_ = others_.extent(loop_);
            others_.hi[loop_] = others_.lo[loop_] + 1;
        }
        index_t const fit = room_size / std::max<index_t>(length_, 1);
        int const least = carried ? few : 2;
        joined_ =
            memory_ == nullptr && count_ > 1 && fit >= least && x_.continues_row(loop_, length_);
        if (joined_) around_ = -1;
        if (around_ >= 0) {
            count_ *= others_.extent(around_);
            others_.hi[around_] = others_.lo[around_] + 1;
        }
        index_t const whole = carried ? fit / few * few : fit;
        together_ = static_cast<int>(std::clamp<index_t>(whole, joined_ ? least : few, most));
        if (x_.apart != nullptr) {
            piece_ = std::min(length_, room_size);
            std::fill(room_, room_ + piece_, x_.apart->fill());
        } else if (memory_ == nullptr && !joined_) {
            together_ = carried ? few : few / 2;
            piece_ = room_size / together_;
        }
    }

    // The first of the rows of each result.
    box const& others() const { return others_; }

    // f(r, j, rows, count, n): elements j .. j + n - 1 of rows r .. r + count - 1, row after row
    // for each j.
    template <class F>
    void each(index_t const* first, F&& f) const {
        index_t at[max_axes] = {};
        std::copy(first, first + others_.rank, at);
        V const* rows[most];
        for (index_t r = 0; r < count_; r += together_) {
            auto const n = static_cast<int>(std::min<index_t>(together_, count_ - r));
            for (index_t j = 0; j < length_; j += piece_) {
                index_t const size = std::min(piece_, length_ - j);
                find(at, first, r, lo_ + j, size, n, rows);
                f(r, lo_ + j, rows, n, size);
            }
        }
    }

private:
    static constexpr int few = carried_rows;

    void find(index_t* at, index_t const* first, index_t r, index_t j, index_t size, int n,
              V const** rows) const {
        if (loop_ >= 0) at[loop_] = first[loop_] + r % inner_;
        if (around_ >= 0) at[around_] = first[around_] + r / inner_;
        if (memory_ != nullptr) return point_at(at, first, j, n, rows);
        if (x_.apart != nullptr) return find_apart(at, first, j, n, rows);
        V const* const line = joined_ ? x_.line(at, j, j + n * length_, room_) : nullptr;
        for (int k = 0; k < n; ++k) {
            rows[k] = joined_ ? line + k * length_ : x_.line(at, j, j + size, room_ + k * piece_);
            next(at, first);
        }
    }
    // Each of them anywhere, or nowhere.
    void find_apart(index_t* at, index_t const* first, index_t j, int n, V const** rows) const {
        for (int k = 0; k < n;) {
            index_t const left = loop_ < 0 ? n : first[loop_] + inner_ - at[loop_];
            int const some = static_cast<int>(std::min<index_t>(left, n - k));
            x_.apart->along(at, loop_, some, j, room_, rows + k);
            k += some;
            if (loop_ >= 0) at[loop_] += some - 1;
            next(at, first);
        }
    }
    // Where they lie.
    void point_at(index_t const* at, index_t const* first, index_t j, int n, V const** rows) const {
        index_t const step = loop_ < 0 ? 0 : strides_[loop_];
        index_t const turn = around_ < 0 ? 0 : strides_[around_] - inner_ * step;
        index_t left = loop_ < 0 ? n : first[loop_] + inner_ - at[loop_];
        V const* p = lies(at) + j;
        for (int k = 0; k < n; ++k, p += step) {
            if (left-- == 0) p += turn, left = inner_ - 1;
            rows[k] = p;
        }
    }
    void next(index_t* at, index_t const* first) const {
        if (loop_ < 0 || ++at[loop_] < first[loop_] + inner_ || around_ < 0) return;
        at[loop_] = first[loop_];
        ++at[around_];
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
    index_t lo_, length_, piece_, count_ = 1, inner_ = 1;
    int lane_, loop_, around_, together_ = 1;
    bool joined_ = false;
    V* room_;
    index_t const* strides_ = nullptr;
    V const* memory_;
};

}  // namespace felt::inline FELT_ABI::host
