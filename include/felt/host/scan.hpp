// SPDX-License-Identifier: BSD-3-Clause
//
// Scans. A box has all of the scanned axis, or goes on where the one before it ended, of which it
// keeps the last slice in front of its own. It is filled block by block, and each element of a
// block takes what lies before it: across the axis row takes row; along it one element takes the
// other, in as many rows at a time as a batch has lanes.
#pragma once
#include <felt/host/materialized.hpp>
#include <felt/host/transpose.hpp>
#include <cstring>
#include <span>

namespace felt::inline FELT_ABI::host {

// Everything of a scan but its operand's type.
template <class F, class T>
class scan_of : public materialized<T> {
public:
    scan_of(F const& op, environment& env, node_id id) : materialized<T>(env, id), op_(op) {}

protected:
    [[gnu::noinline]] void prepare_values(box const& b, row_source<T> const& x);

private:
    // Calls f(element, length) for the rows of b along the axis `along`.
    template <class R>
    static void each_row(box const& b, strided<T> const& to, int along, R&& f) {
        planning::for_each_row(b, along, [&](index_t const* at) {
            T* p = to.data;
            for (int a = 0; a < b.rank; ++a) p += to.stride[a] * (a == along ? b.lo[a] : at[a]);
            f(p);
        });
    }

    // The elements of block b, which holds those of the operand.
    void go_on(box b, strided<T> const& to) const {
        int const axis = this->described().whole;
        index_t const before = to.stride[axis];
        b.lo[axis] = std::max<index_t>(b.lo[axis], 1);
        int const unit = detail::unit_axis(to.stride, b);
        if (unit >= 0 && unit != axis) {
            index_t const n = b.extent(unit);
            each_row(b, to, unit, [&](T* p) { combine(p - before, p, n); });
            return;
        }
        T* rows[rows_at_a_time];
        int count = 0;
        each_row(b, to, axis, [&](T* p) {
            rows[count++] = p;
            if (count < rows_at_a_time) return;
            several(rows, before, b.extent(axis));
            count = 0;
        });
        for (int r = 0; r < count; ++r) chains<1>(rows + r, before, b.extent(axis));
    }

    // One element waits for the other; those of several rows do not.
    static constexpr bool batches = takes_batches<F, T, T>;
    static constexpr int rows_at_a_time = batches ? batch_size<T> : 8;
    // By the function of batches, if there is one, where one is enough, too: that of numbers may
    // round otherwise.
    using batch = xsimd::batch<T>;
    using running = std::conditional_t<batches, batch, T>;

    // Rows that are contiguous change places with lanes, a tile at a time.
    void several(T** rows, index_t step, index_t n) const {
        if constexpr (batches) {
            if (step == 1) {
                index_t const turned = n / rows_at_a_time * rows_at_a_time;
                across_tiles(rows, turned);
                for (T*& p : std::span(rows, rows_at_a_time)) p += turned;
                n -= turned;
            }
        }
        chains<rows_at_a_time>(rows, step, n);
    }
    void across_tiles(T* const* rows, index_t n) const {
        constexpr int w = rows_at_a_time;
        T before[w];
        for (int r = 0; r < w; ++r) before[r] = rows[r][-1];
        batch all = batch::load_unaligned(before);
        for (index_t j = 0; j < n; j += w) {
            batch x[w];
            for (int r = 0; r < w; ++r) x[r] = batch::load_unaligned(rows[r] + j);
            transpose(x);
            for (int i = 0; i < w; ++i) x[i] = all = op_(all, x[i]);
            transpose(x);
            for (int r = 0; r < w; ++r) x[r].store_unaligned(rows[r] + j);
        }
    }
    template <int N>
    void chains(T* const* rows, index_t step, index_t n) const {
        running all[N];
        for (int r = 0; r < N; ++r) all[r] = running(*(rows[r] - step));
        for (index_t i = 0; i < n; ++i) {
            for (int r = 0; r < N; ++r) {
                T& x = rows[r][i * step];
                all[r] = static_cast<running>(op_(all[r], running(x)));
                std::memcpy(&x, &all[r], sizeof(T));
            }
        }
    }
    T combined(T a, T b) const {
        auto const all = static_cast<running>(op_(running(a), running(b)));
        T x;
        std::memcpy(&x, &all, sizeof(T));
        return x;
    }
    void combine(T const* before, T* to, index_t n) const {
        index_t j = 0;
        if constexpr (batches) {
            for (; j + batch_size<T> <= n; j += batch_size<T>) {
                batch const all =
                    op_(batch::load_unaligned(before + j), batch::load_unaligned(to + j));
                all.store_unaligned(to + j);
            }
        }
        for (; j < n; ++j) to[j] = combined(before[j], to[j]);
    }

    // Whether box b begins where the last one ended.
    bool follows(box const& b) const {
        int const axis = this->described().whole;
        box behind = done_;
        behind.lo[axis] = b.lo[axis];
        behind.hi[axis] = b.hi[axis];
        return slice_ != nullptr && done_.hi[axis] == b.lo[axis] && behind.contains(b) &&
               b.contains(behind);
    }

    // The slice of the box at `to` that the next one takes, to where it waits, or back from there.
    void keep_last(box b, strided<T> const& to, bool back) {
        int const axis = this->described().whole;
        b.lo[axis] = b.hi[axis] - 1;
        index_t const size = b.size();
        if (size > capacity_) {
            slice_ = this->scratch().template take<T>(size);
            capacity_ = size;
        }
        T* kept = slice_;
        each_row(b, to, axis, [&](T* p) {
            (back ? *p : *kept) = back ? *kept : *p;
            ++kept;
        });
    }

    // Box `own`, and, if it goes on, the slice before it.
    void compute(box& own, row_source<T> const& x) {
        loop_view const in = this->inner();
        int const axis = this->described().whole;
        box all = own;
        if (own.lo[axis] > 0) --all.lo[axis];
        T* data = this->in_destination(all);
        if (data == nullptr) data = this->room(all, in.lane);
        strided<T> const to = this->origin(all, data);
        if (own.lo[axis] > 0) {
            box before = all;
            before.hi[axis] = own.lo[axis];
            keep_last(before, to, true);
        }
        for_each_block(in, own, [&](box const& part) {
            evaluate(x, in, part, to, this->scratch());
            go_on(part, to);
        });
        if (this->placed().carried && own.size() > 0) keep_last(own, to, false);
        done_ = own;
        own = all;
    }

    F op_;
    T* slice_ = nullptr;
    index_t capacity_ = 0;
    box done_;
};

template <class F, class T>
void scan_of<F, T>::prepare_values(box const& b, row_source<T> const& x) {
    this->ready(b, [&](box& own) {
        int const axis = this->described().whole;
        index_t const begin = own.lo[axis], step = std::max<index_t>(own.extent(axis), 1);
        // From the beginning, if another box came between.
        for (index_t i = follows(own) ? begin : 0; i < begin; i += step) {
            box part = own;
            part.lo[axis] = i;
            part.hi[axis] = std::min(begin, i + step);
            compute(part, x);
        }
        compute(own, x);
        this->overwrite();
    });
}

template <class F, int A, class X>
class bound<scan_node<F, A, X>> : public scan_of<F, typename X::value_type> {
    using base = scan_of<F, typename X::value_type>;

public:
    bound(scan_node<F, A, X> const& n, environment& env, node_id id)
        : base(n.op, env, id), x_(n.x.head, env, id + 1) {
        this->offer(*this);
    }

    void prepare(box const& b) { this->prepare_values(b, rows_of(x_)); }
    void accumulate(strip_range const& strip) {
        if (strip.only) x_.accumulate(strip);
    }

private:
    bound<X> x_;
};

}  // namespace felt::inline FELT_ABI::host
