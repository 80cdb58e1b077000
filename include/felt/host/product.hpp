// SPDX-License-Identifier: BSD-3-Clause
//
// Products, blocked for the caches (Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication", 2008):
//
//   loop 5  over batches
//   loop 4  over pieces of the shared axes: both operands are made ready and packed
//   loop 3  over chunks of columns of the right operand, packed in strips
//   loop 2  over chunks of rows of the left operand, packed in strips
//   loop 1  over strips of columns and strips of rows: the micro-kernel, see tiles.hpp
#pragma once
#include <felt/host/boxed.hpp>
#include <felt/host/pack.hpp>
#include <felt/host/tiles.hpp>
#include <felt/plan/blocks.hpp>

namespace felt::host {

// An operand that was packed: which box of it, and where.
template <class T>
struct packed_box {
    bool valid = false;
    box held;
    T* data = nullptr;
    index_t capacity = 0;

    bool holds(box const& b) const { return valid && held.contains(b) && b.contains(held); }
};

// Everything of a product but its operands' types.
template <class T>
class product_of : public boxed<T> {
    using geometry = tile<T>;
    static constexpr index_t thin_rows = 2;

public:
    product_of(environment& env, int id)
        : boxed<T>(env, id), roles_(planning::roles_of(env.p, id)) {}

    struct operands { row_source<T> side[2]; };  // a, b

    // Memory for a product: element 0, 0, ... lies at `to`; see cells for the rest.
    struct target {
        strided<T> to;
        bool padded, add;
    };

    // Let accumulate() write to memory directly. False if columns are not contiguous there.
    bool accumulate_into(strided<T> const& to) {
        box const own = planning::whole_box(this->facts().extent, this->facts().rank);
        if (roles_.lane < 0 || to.stride[roles_.lane] != 1 || !flat(own, to)) return false;
        target_ = to;
        return true;
    }

protected:
    void prepare_values(box const& b, operands const& x) {
        this->ready(b, [&](box const& own) {
            product(own, shared(), {room_for(own), true, false}, x);
        });
    }

    // The terms of one strip of a shared axis are added.
    void add_strip(strip_range const& strip, operands const& x) {
        int const l = this->facts().strip;
        if (l < 0) return;
        box terms = shared();
        terms.lo[l] = strip.lo;
        terms.hi[l] = strip.hi;
        box const own = planning::whole_box(this->facts().extent, this->facts().rank);
        bool const direct = target_.data != nullptr;
        product(own, terms, {direct ? target_ : room_for(own), !direct, !strip.first}, x);
        this->complete();
    }

    // The product over box `own` straight to memory; `to` is where element 0, 0, ... lies.
    // Columns are contiguous there. False if they are not.
    bool store_values(box const& own, strided<T> const& to, operands const& x) {
        if (roles_.lane < 0 || to.stride[roles_.lane] != 1 || !flat(own, to)) return false;
        product(own, shared(), {to, false, false}, x);
        return true;
    }

private:
    // Several column labels count as one only if they lie in memory as in the flattened order.
    bool flat(box const& own, strided<T> const& to) const {
        return flat_group(own, to, roles_.column, roles_.columns) &&
               flat_group(own, to, roles_.row, roles_.rows);
    }
    static bool flat_group(box const& own, strided<T> const& to, int const* label, int count) {
        for (int i = 0; i + 1 < count; ++i) {
            if (to.stride[label[i]] != to.stride[label[i + 1]] * own.extent(label[i + 1])) {
                return false;
            }
        }
        return true;
    }

    box shared() const {
        loop_space const& in = this->inner();
        return planning::whole_box(in.extent, in.rank);
    }

    // Scratch: columns dense, rows padded to whole tiles, batches outermost.
    strided<T> room_for(box const& own) {
        index_t strides[max_axes] = {}, step = 1;
        auto lay = [&](int const* label, int count) {
            for (int i = count - 1; i >= 0; --i) {
                strides[label[i]] = step;
                step *= own.extent(label[i]);
            }
        };
        lay(roles_.column, roles_.columns);
        step = planning::detail::round_up(step, geometry::columns);
        lay(roles_.row, roles_.rows);
        lay(roles_.batch, roles_.batches);
        strided<T> to{this->reserve(step + geometry::columns), {}};
        slot& s = this->own();
        for (int a = 0; a < own.rank; ++a) {
            s.stride[a] = to.stride[a] = strides[a];
            to.data -= strides[a] * own.lo[a];
        }
        return to;
    }

    // `all`: the range of every label, of which the shared ones count.
    void product(box const& own, box all, target t, operands const& x) {
        loop_space const& in = this->inner();
        for (int l = 0; l < own.rank; ++l) {
            all.lo[l] = own.lo[l];
            all.hi[l] = own.hi[l];
        }
        loop_space batches = in, pieces = in;
        for (int l = 0; l < in.rank; ++l) batches.block[l] = pieces.block[l] = in.extent[l];
        for (int i = 0; i < roles_.batches; ++i) batches.block[roles_.batch[i]] = 1;
        planning::detail::shared_block(this->plan_of(), roles_, this->facts().inner, pieces.block);
        if (own.size() == 0) return;
        if (detail::extent_of(all, roles_.shared, roles_.shareds) == 0) {
            if (!t.add) clear(own, t.to);
            return;
        }
        for_each_block(batches, all, [&](box const& batch) {        // loop 5
            target now = t;
            for_each_block(pieces, batch, [&](box const& piece) {   // loop 4
                columns(piece, now, x);
                now.add = true;
            });
        });
    }

    void clear(box const& own, strided<T> const& to) {
        planning::for_each_row(own, -1, [&](index_t const* at) {
            T* p = to.data;
            for (int a = 0; a < own.rank; ++a) p += to.stride[a] * at[a];
            *p = T(0);
        });
    }

    // Chunks of a group of labels: whole inner labels, part of the outermost.
    loop_space chunks(box const& of, int const* label, int count, index_t limit) const {
        loop_space s = this->inner();
        for (int l = 0; l < s.rank; ++l) s.block[l] = std::max<index_t>(of.extent(l), 1);
        index_t n = detail::extent_of(of, label, count);
        for (int i = 0; i < count && n > limit; ++i) {
            index_t& b = s.block[label[i]];
            index_t const rest = n / b;
            b = std::max<index_t>(1, limit / rest);
            n = rest * b;
        }
        return s;
    }

    void columns(box const& piece, target const& t, operands const& x) {
        int const left = this->facts().swapped ? 1 : 0;
        // Chunks of whole tiles, so that only the last tile of a row runs over into its padding.
        index_t const w = geometry::columns, limit = std::max(w, this->facts().chunk[1] / w * w);
        bool const padded = t.padded && (roles_.columns == 1 || columns_of_box(piece) <= limit);
        target const to{t.to, padded, t.add};
        auto const cut = chunks(piece, roles_.column, roles_.columns, limit);
        for_each_block(cut, piece, [&](box const& part) {           // loop 3
            if (thin(part, to, x.side[left], x.side[1 - left])) return;
            packed(part, to, x.side[left], x.side[1 - left]);
        });
    }

    index_t count(box const& b, int const* label, int labels) const {
        return detail::extent_of(b, label, labels);
    }
    index_t rows_of_box(box const& b) const { return count(b, roles_.row, roles_.rows); }
    index_t columns_of_box(box const& b) const { return count(b, roles_.column, roles_.columns); }
    index_t terms_of_box(box const& b) const { return count(b, roles_.shared, roles_.shareds); }

    void packed(box const& part, target const& t, row_source<T> const& left,
                row_source<T> const& right) {
        index_t const pitch = geometry::columns * terms_of_box(part) + geometry::width;
        pack(right, this->facts().swapped ? 0 : 1, without(part, roles_.row, roles_.rows),
             roles_.column, roles_.columns, {geometry::columns, pitch, false}, right_packed_);
        rows(part, t, left, {right_packed_.data, pitch, geometry::columns});
    }

    // The rows of block, packed in strips of at most `highest`.
    left_strips<T> pack_left(row_source<T> const& left, box const& block, index_t highest) {
        index_t const m = rows_of_box(block), strip_count = (m + highest - 1) / highest;
        int const height = static_cast<int>((m + strip_count - 1) / strip_count);
        index_t const pitch = height * terms_of_box(block) + geometry::width;
        pack(left, this->facts().swapped ? 1 : 0, without(block, roles_.column, roles_.columns),
             roles_.row, roles_.rows, {height, pitch, true}, left_packed_);
        return {left_packed_.data, height, pitch};
    }

    void rows(box const& part, target const& t, row_source<T> const& left,
              right_strips<T> const& right) {
        index_t const limit = std::max<index_t>(this->facts().chunk[0], geometry::rows);
        auto const cut = chunks(part, roles_.row, roles_.rows, limit);
        for_each_block(cut, part, [&](box const& block) {           // loop 2
            auto const strips_of_rows = pack_left(left, block, geometry::rows);
            multiply_tiles(rows_of_box(block), columns_of_box(block), terms_of_box(block),
                           strips_of_rows, right, cells_of(block, t));
        });
    }

    // Few rows: packing the right operand would cost more than it saves. If it lies in memory
    // as one matrix, whole strips of it are read in place; what is left over at the end is not.
    // Rows 4 KiB apart would all fall into the same lines of the cache.
    bool thin(box const& part, target const& t, row_source<T> const& left,
              row_source<T> const& right) {
        index_t const* by_loop = nullptr;
        index_t const m = rows_of_box(part);
        if (m > 2 * geometry::rows || roles_.columns != 1 || roles_.shareds != 1) return false;
        T const* b = right.memory(&by_loop);
        int const column = roles_.column[0];
        if (b == nullptr || by_loop[column] != 1) return false;
        index_t const row = by_loop[roles_.shared[0]], n = part.extent(column);
        bool const conflicts = row * static_cast<index_t>(sizeof(T)) % 4096 == 0;
        if (n < geometry::columns || (conflicts && m > thin_rows)) return false;
        box main = part;
        main.hi[column] = part.lo[column] + n / geometry::columns * geometry::columns;
        box const at = without(main, roles_.row, roles_.rows);
        for (int l = 0; l < at.rank; ++l) b += by_loop[l] * at.lo[l];
        if (m <= thin_rows) few_rows(main, t, left, b, row);
        else rows(main, t, left, {b, geometry::columns, row});
        if (main.hi[column] < part.hi[column]) {
            box rest = part;
            rest.lo[column] = main.hi[column];
            packed(rest, t, left, right);
        }
        return true;
    }

    // At most thin_rows rows: the right operand is streamed once, row by row.
    void few_rows(box const& block, target const& t, row_source<T> const& left, T const* b,
                  index_t b_row) {
        auto const a = pack_left(left, block, thin_rows);
        auto const to = cells_of(block, t);
        for (int i = 0; i < a.height; ++i) {
            stream_row(terms_of_box(block), a.data + i, a.height, b, b_row, to.c + i * to.row,
                       columns_of_box(block), to.add);
        }
    }

    cells<T> cells_of(box const& block, target const& t) const {
        T* c = t.to.data;
        for (int a = 0; a < this->facts().rank; ++a) c += t.to.stride[a] * block.lo[a];
        index_t const row = roles_.rows > 0 ? t.to.stride[roles_.row[roles_.rows - 1]] : 0;
        return {c, row, t.padded, t.add};
    }

    // Operands do not follow the other's labels: their box is the same for all of them.
    static box without(box b, int const* label, int count) {
        for (int i = 0; i < count; ++i) {
            b.lo[label[i]] = 0;
            b.hi[label[i]] = 1;
        }
        return b;
    }

    void pack(row_source<T> const& x, int side, box const& b, int const* label, int labels,
              strips const& layout, packed_box<T>& to) {
        if (to.holds(b)) return;
        x.prepare(b);
        index_t const n = detail::extent_of(b, label, labels);
        index_t const size = ((n + layout.width - 1) / layout.width) * layout.pitch +
                             2 * geometry::columns;
        if (size > to.capacity) {
            to.data = this->scratch().template take<T>(size);
            to.capacity = size;
        }
        pack_axes const axes{label, labels, roles_.shared, roles_.shareds};
        packer<T>(x, this->inner(side), axes, b, layout).pack(to.data, this->scratch());
        to.held = b;
        to.valid = true;
    }

    planning::contract_roles roles_;
    packed_box<T> left_packed_, right_packed_;
    strided<T> target_{nullptr, {}};
};

}  // namespace felt::host
