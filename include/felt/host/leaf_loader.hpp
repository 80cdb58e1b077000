// SPDX-License-Identifier: BSD-3-Clause
//
// reader<T>: elements in memory, read along the lanes of a loop space. In the inner loop an
// element run is contiguous or one value; anything else (transposed, strided, flipped) is
// staged first: its box is copied to scratch so that the lanes are contiguous. A short row that all
// others repeat, a bias of few channels, is copied as often as one loop reads it, so that rows can
// be joined (rows.hpp).
#pragma once
#include <felt/host/loop_view.hpp>
#include <felt/host/scratch.hpp>
#include <felt/plan/3_tiling/scratch_layout.hpp>

namespace felt::inline FELT_ABI::host {

// Where a run of lanes begins: element j of the lane loop is at p[j], or all are *p.
template <class T>
struct cursor {
    T const* p;
    bool contiguous;

    template <int N, class Part>
    FELT_INLINE lanes<T, N> run(index_t j, Part part) const {
        return contiguous ? lanes<T, N>::load(p + j, part) : lanes<T, N>::broadcast(*p);
    }
};

// sum_l stride[l] * at[l]. A loop that stays one: the bound of the arrays would have it unrolled
// eight times, for every leaf of every expression, and vectors are slower than four products.
FELT_INLINE index_t offset_of(index_t const* stride, index_t const* at, int rank) {
    index_t offset = 0;
    for (int l = 0; l < rank; ++l) {
        offset += stride[l] * at[l];
        asm("" : "+r"(offset));
    }
    return offset;
}

template <class T>
class leaf_loader {
public:
    leaf_loader() = default;
    // `outer`: loops, a bit each, that are staged around the others.
    [[gnu::noinline]] leaf_loader(loop_view const& loops, T const* data, index_t const* by_loop,
                                  unsigned outer = 0);

    // The elements lie elsewhere now; by_loop are strides along the loops.
    void point_at(T const* data, index_t const* by_loop) {
        planning::copy_axes(source_.stride, by_loop, rank_);
        planning::copy_axes(at_.stride, by_loop, rank_);
        at_.data = source_.data = data;
        staged_ = lane_ >= 0 && by_loop[lane_] != 0 && by_loop[lane_] != 1;
        held_ = false;
        bool stays = false;
        for (int l = 0; l < rank_; ++l) stays = stays || (by_loop[l] == 0 && !(single_ >> l & 1U));
        repeats_ = stays && lane_ >= 0 && by_loop[lane_] == 1;
        walk();
    }

    // Make what the loops read inside b readable by lanes. `room` is scratch for `capacity`
    // elements, taken when it is first needed.
    void prepare(box const& b, arena& scratch) {
        if (staged_) stage(b, scratch);
        else if (repeats_) repeat(b, scratch);
    }

    FELT_INLINE cursor<T> row(index_t const* at) const {
        return {at_.data + offset_of(at_.stride, at, rank_), contiguous_};
    }

    // Whether the row at the next index of loop l goes on where n lanes of this one end.
    bool continues_row(int l, index_t n) const { return at_.stride[l] == (contiguous_ ? n : 0); }

    // Where loops 0, 0, ... are if elements are read where they lie, by lanes that are contiguous.
    T const* direct(index_t const** by_loop) const {
        *by_loop = source_.stride;
        return lane_ >= 0 && source_.stride[lane_] == 1 ? source_.data : nullptr;
    }

    // The elements where they lie, with their strides along the loops.
    strided<T const> const& elements() const { return source_; }

private:
    // Rows begin where the lanes are 0: their stride is not walked.
    void walk() {
        contiguous_ = lane_ >= 0 && at_.stride[lane_] == 1;
        if (lane_ >= 0) at_.stride[lane_] = 0;
    }

    [[gnu::noinline]] void stage(box const& b, arena& scratch);
    [[gnu::noinline]] void repeat(box const& b, arena& scratch);
    void take(index_t size, arena& scratch) {
        if (size <= capacity_) return;
        room_ = scratch.take<T>(size);
        capacity_ = size;
    }

    int rank_ = 0, lane_ = -1;
    unsigned outer_ = 0, single_ = 0;  // single: loops of one index, a bit each
    bool staged_ = false, repeats_ = false, held_ = false, contiguous_ = false;
    strided<T const> source_{nullptr, {}};
    strided<T const> at_{nullptr, {}};
    box box_;
    T* room_ = nullptr;
    index_t capacity_ = 0, repeated_ = 0;
};

template <class T>
leaf_loader<T>::leaf_loader(loop_view const& loops, T const* data, index_t const* by_loop,
                            unsigned outer)
    : rank_(loops.rank), lane_(loops.lane), outer_(outer) {
    for (int l = 0; l < rank_; ++l) single_ |= loops.extent[l] == 1 ? 1U << l : 0U;
    point_at(data, by_loop);
}

template <class T>
void leaf_loader<T>::stage(box const& b, arena& scratch) {
    if (held_ && box_.contains(b)) return;
    index_t size = 1;
    strided<T> to;
    box part = b;
    for (int l = 0; l < rank_; ++l) {  // an axis that does not move is stored once
        if (source_.stride[l] == 0) part.hi[l] = part.lo[l] + 1;
        to.stride[l] = 0;
    }
    to.stride[lane_] = 1;
    size = part.extent(lane_);
    for (unsigned const turn : {0U, 1U}) {
        for (int l = rank_ - 1; l >= 0; --l) {
            bool const mine = (outer_ >> l & 1U) == turn;
            if (!mine || l == lane_ || source_.stride[l] == 0) continue;
            to.stride[l] = size;
            size *= part.extent(l);
        }
    }
    take(size, scratch);
    to.data = room_;
    index_t back = 0;
    strided<T const> from{source_.data, {}};
    for (int l = 0; l < rank_; ++l) {
        from.stride[l] = source_.stride[l];
        from.data += source_.stride[l] * part.lo[l];
        at_.stride[l] = to.stride[l];
        back += to.stride[l] * part.lo[l];
    }
    copy_box(to, from, part);
    at_.data = room_ - back;
    walk();
    box_ = b;
    held_ = true;
}

// Along the last loop that it does not move with, if that is not much and it moves with none
// around; whatever the box, it is the same row.
template <class T>
void leaf_loader<T>::repeat(box const& b, arena& scratch) {
    index_t row = b.extent(lane_), begin = 0;
    int along = -1;
    bool one = true, there = held_;
    for (int l = rank_ - 1; l >= 0; --l) {
        index_t const step = source_.stride[l], n = b.extent(l);
        begin += step * b.lo[l];
        there = there && (step == 0 || (box_.lo[l] == b.lo[l] && box_.hi[l] == b.hi[l]));
        if (l == lane_ || n <= 1) continue;
        if (along < 0 && step == 0) along = l;
        one = one && step == (along < 0 ? row : 0);
        if (along < 0) row *= n;
    }
    planning::copy_axes(at_.stride, source_.stride, rank_);
    at_.data = source_.data;
    index_t const copies = along < 0 ? 0 : b.extent(along);
    if (copies > 0 && one && row <= planning::repeated_row &&
        row * copies <= planning::repeated_elements) {
        if (!there || copies > repeated_) {
            take(row * copies, scratch);
            T const* const from = source_.data + begin;
            for (index_t k = 0; k < copies; ++k) std::copy_n(from, row, room_ + k * row);
            repeated_ = copies;
        }
        at_.stride[along] = row;
        at_.data = room_ - begin - row * b.lo[along];
        box_ = b;
        held_ = true;
    }
    walk();
}

}  // namespace felt::inline FELT_ABI::host
