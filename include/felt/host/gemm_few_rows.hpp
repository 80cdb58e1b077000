// SPDX-License-Identifier: BSD-3-Clause
//
// A product of few rows: its right operand is read once, as it lies or as it is computed, and not
// packed.
#pragma once
#include <felt/host/gemm_packing.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class gemm_few_rows {
    using geometry = tile<T>;

public:
    gemm_few_rows(environment& env, node_id id)
        : env_(&env), id_(id), how_(&env.p.s[env.p.g[id].product]), packing_(env, id) {}

    // False if the right operand does not lie in rows or columns. A box of few rows is no reason to
    // come here: the order of a sum must not depend on its box.
    bool over(box const& part, product_target<T> const& t, row_source<T> const& a,
              row_source<T> const& b, in_memory<T> const& lies) {
        if (axes().n.count > 1 || axes().k.count != 1) return false;
        if (lies.data != nullptr) return in_place(part, t, a, lies);
        if constexpr (std::is_same_v<T, float>) {
            planning::graph const& g = env_->p.g;
            auto const half = find_below_conversion<bfloat16>(
                g, g.operand(id_, 1 - how_->rows_from), without(part, axes().m));
            if (half.data != nullptr && in_place(part, t, a, half)) return true;
        }
        return computed(part, t, a, b);
    }

private:
    template <class S>
    bool in_place(box const& part, product_target<T> const& t, row_source<T> const& a,
                  in_memory<S> const& lies) {
        bool const wide = count(part, axes().n) >= geometry::width;
        index_t const step = axes().n.count == 1 ? lies.stride[column()] : 0;
        index_t const term = lies.stride[axes().k[0]];
        if (term == 1 && step != 1) {
            dot_rows(part, t, a, lies.data, step);
            return true;
        }
        if (step == 1 && wide) stream_rows(part, t, a, lies.data, term);
        return step == 1 && wide;
    }

    planning::contraction_axes const& axes() const { return how_->axes; }
    int column() const { return axes().n[0]; }
    loop_view loops(int operand) const { return env_->loops(env_->described(id_).inner + operand); }

    // f(row of the left operand, its step, sums of a row) for all rows, whose sums are then added.
    template <class F>
    void for_each_row(box const& block, product_target<T> const& t, row_source<T> const& left,
                      F&& f) {
        auto const to = cells_of(block, axes().m, env_->described(id_).rank, t);
        auto const a = packing_.left_rows(left, block, planning::few_rows, to.row, rows_);
        int const height = a.strip->height;
        index_t const n = count(block, axes().n);
        scratch_scope const scope(env_->scratch);
        T* const sums = env_->scratch.template take<T>(n);
        for (int i = 0; i < height; ++i) {
            T *const c = to.c + i * to.row, *const into = to.add ? sums : c;
            std::fill(into, into + n, T(0));
            f(a.data + i, height, into);
            for (index_t j = 0; j < n && to.add; ++j) c[j] = static_cast<T>(sums[j] + c[j]);
        }
    }

    // The right operand is streamed row by row, as it lies
    template <class S>
    void stream_rows(box const& block, product_target<T> const& t, row_source<T> const& left,
                     S const* b, index_t term) {
        index_t const k = count(block, axes().k), n = count(block, axes().n);
        for_each_row(block, t, left, [&](T const* a, index_t step, T* sums) {
            stream_row(k, a, step, b, term, sums, n);
        });
    }
    // or column by column;
    template <class S>
    void dot_rows(box const& block, product_target<T> const& t, row_source<T> const& left,
                  S const* b, index_t column) {
        index_t const k = count(block, axes().k), n = count(block, axes().n);
        for_each_dot_row(block, t, left, [&](dot_row<T>* row, int some, bool add) {
            host::dot_rows(k, row, some, b, column, n, add);
        });
    }
    template <class F>
    void for_each_dot_row(box const& block, product_target<T> const& t, row_source<T> const& left,
                          F&& f) {
        auto const to = cells_of(block, axes().m, env_->described(id_).rank, t);
        auto const a = packing_.left_rows(left, block, 1, to.row, rows_);
        dot_row<T> row[planning::few_dot_rows];
        for (index_t i = 0; i < a.strips; i += planning::few_dot_rows) {
            auto const some =
                static_cast<int>(std::min<index_t>(planning::few_dot_rows, a.strips - i));
            for (int r = 0; r < some; ++r)
                row[r] = {a.data + a.strip[i + r].offset, to.c + a.strip[i + r].to};
            f(row, some, to.add);
        }
    }

    // or a few of them at a time, as they are computed.
    bool computed(box const& part, product_target<T> const& t, row_source<T> const& a,
                  row_source<T> const& b) {
        if (axes().n.count != 1) return false;
        int const lane = loops(1 - how_->rows_from).lane;
        bool const by_rows = lane == column() && count(part, axes().n) >= geometry::width;
        if (!by_rows && lane != axes().k[0]) return false;
        box const own = without(part, axes().m);
        b.prepare(own);
        lines const line{b, own, lane, by_rows ? axes().k[0] : column()};
        by_rows ? compute_rows(part, t, a, line) : compute_columns(part, t, a, line);
        return true;
    }
    // Rows or columns of the right operand: from the first of some along an axis, elements lo ..
    // hi-1 of each, so far apart.
    struct lines {
        row_source<T> const& from;
        box const& own;
        int lane, axis;

        index_t length() const { return own.extent(lane); }
        index_t count() const { return own.extent(axis); }
        void compute(index_t first, index_t some, index_t lo, index_t hi, T* to,
                     index_t apart) const {
            index_t at[max_axes];
            std::copy(own.lo, own.lo + own.rank, at);
            at[axis] += first;
            for (; some > 0; --some, ++at[axis], to += apart) {
                T const* const p = from.line(at, own.lo[lane] + lo, own.lo[lane] + hi, to);
                if (p != to) std::copy(p, p + (hi - lo), to);
            }
        }
    };
    // In pieces that stay in the first-level cache.
    void compute_rows(box const& block, product_target<T> const& t, row_source<T> const& left,
                      lines const& right) {
        constexpr index_t together = 8, most = 2048 / static_cast<index_t>(sizeof(T));
        index_t const n = right.length(), pieces = (n + most - 1) / most;
        index_t const apart = (n + pieces - 1) / pieces + geometry::width;
        T* const rows = room_.take(env_->scratch, together * apart);
        for_each_row(block, t, left, [&](T const* a, index_t step, T* sums) {
            for (index_t k = 0; k < right.count(); k += together) {
                index_t const some = std::min(together, right.count() - k);
                for (index_t i = 0; i < pieces; ++i) {
                    index_t const lo = n * i / pieces, hi = n * (i + 1) / pieces;
                    right.compute(k, some, lo, hi, rows, apart);
                    stream_row(some, a + k * step, step, rows, apart, sums + lo, hi - lo);
                }
            }
        });
    }
    void compute_columns(box const& block, product_target<T> const& t, row_source<T> const& left,
                         lines const& right) {
        constexpr index_t together = 4;
        index_t const k = right.length(), apart = k + planning::row_padding;
        T* const columns = room_.take(env_->scratch, together * apart);
        for_each_dot_row(block, t, left, [&](dot_row<T>* row, int rows, bool add) {
            for (index_t j = 0; j < right.count(); j += together) {
                index_t const some = std::min(together, right.count() - j);
                right.compute(j, some, 0, k, columns, apart);
                host::dot_rows(k, row, rows, columns, apart, some, add);
            }
        });
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    gemm_packing<T> packing_;
    row_walk rows_;
    packed_box<T> room_;
};

}  // namespace felt::inline FELT_ABI::host
