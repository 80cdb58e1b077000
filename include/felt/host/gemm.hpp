// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of a product, blocked for the caches (Goto and van de Geijn, "Anatomy of
// High-Performance Matrix Multiplication", 2008):
//
//   loop 5  over batches
//   loop 4  over pieces of the shared axes
//   loop 3  over chunks of columns of the right operand, in place or packed in strips
//   loop 2  over chunks of rows of the left operand, in place or packed in strips
//   loop 1  over strips of rows and strips of columns: the micro-kernel, see tiles.hpp
#pragma once
#include <felt/host/pack.hpp>
#include <felt/host/residency.hpp>
#include <felt/host/tiles.hpp>
#include <felt/plan/need.hpp>

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

// The operands of a product: a, b.
template <class T>
struct factors { row_source<T> side[2]; };

// Memory for a product: element 0, 0, ... lies at `to`; see cells for the rest.
template <class T>
struct product_target {
    strided<T> to;
    bool padded, add;
};

template <class T>
class gemm {
    using geometry = tile<T>;
    using operands = factors<T>;
    using target = product_target<T>;
    static constexpr index_t thin_rows = 2;

public:
    gemm(environment& env, int id) : env_(&env), id_(id), roles_(planning::roles_of(env.p, id)) {}

    planning::contract_roles const& roles() const { return roles_; }

    // The range of every label that is shared.
    box shared() const {
        loop_space const& in = inner();
        return planning::whole_box(in.extent, in.rank);
    }

    // `all`: the range of every label, of which the shared ones count.
    void product(box const& own, box all, target t, operands const& x) {
        loop_space const& in = inner();
        for (int l = 0; l < own.rank; ++l) {
            all.lo[l] = own.lo[l];
            all.hi[l] = own.hi[l];
        }
        loop_space batches = in, pieces = in;
        for (int l = 0; l < in.rank; ++l) batches.block[l] = pieces.block[l] = in.extent[l];
        for (int i = 0; i < roles_.batches; ++i) batches.block[roles_.batch[i]] = 1;
        planning::detail::shared_block(env_->p, roles_, facts().inner, facts().chunk[2],
                                       pieces.block);
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

private:
    node_facts const& facts() const { return env_->p.at(id_); }
    loop_space const& inner(int i = 0) const { return env_->p.loop(facts().inner + i); }

    void clear(box const& own, strided<T> const& to) {
        planning::for_each_row(own, -1, [&](index_t const* at) {
            T* p = to.data;
            for (int a = 0; a < own.rank; ++a) p += to.stride[a] * at[a];
            *p = T(0);
        });
    }

    // Chunks of a group of labels: whole inner labels, part of the outermost.
    loop_space chunks(box const& of, int const* label, int count, index_t limit) const {
        loop_space s = inner();
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
        int const left = facts().swapped ? 1 : 0;
        // Chunks of whole tiles, so that only the last tile of a row runs over into its padding.
        index_t const w = geometry::columns, limit = std::max(w, facts().chunk[1] / w * w);
        bool const padded = t.padded && (roles_.columns == 1 || columns_of_box(piece) <= limit);
        target const to{t.to, padded, t.add};
        auto const cut = chunks(piece, roles_.column, roles_.columns, limit);
        for_each_block(cut, piece, [&](box const& part) {           // loop 3
            row_source<T> const &a = x.side[left], &b = x.side[1 - left];
            auto const lies = find_in_memory(b, part, roles_.column, roles_.columns, roles_);
            index_t const n = columns_of_box(part), whole = n / w * w;
            bool const few = rows_of_box(part) <= thin_rows;
            if (few && lies.term == 1 && lies.neighbour != 1) {
                dot_rows(part, to, a, lies);
            } else if (lies.neighbour == 1 && whole > 0 && (few || facts().right_in_place)) {
                auto const [main, rest] = split(part, roles_.column[0], whole);
                if (few) stream_rows(main, to, a, lies);
                else rows(main, to, a, {lies.data, w, lies.term});
                if (whole < n) packed(rest, to, a, b);
            } else {
                packed(part, to, a, b);
            }
        });
    }

    // The first n of a box along an axis, and the others.
    static std::pair<box, box> split(box const& b, int axis, index_t n) {
        std::pair<box, box> both{b, b};
        both.first.hi[axis] = both.second.lo[axis] = b.lo[axis] + n;
        return both;
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
        pack(right, facts().swapped ? 0 : 1, without(part, roles_.row, roles_.rows),
             roles_.column, roles_.columns, {geometry::columns, pitch, false}, right_packed_);
        rows(part, t, left, {right_packed_.data, pitch, geometry::columns});
    }

    // The rows of block, packed in strips of at most `highest`.
    left_strips<T> pack_left(row_source<T> const& left, box const& block, index_t highest) {
        int const height = height_of(rows_of_box(block), highest);
        index_t const pitch = height * terms_of_box(block) + geometry::width;
        pack(left, facts().swapped ? 1 : 0, without(block, roles_.column, roles_.columns),
             roles_.row, roles_.rows, {height, pitch, true}, left_packed_);
        return {left_packed_.data, height, pitch, 1, 0};
    }

    // Strips of equal height, not above the highest.
    static int height_of(index_t m, index_t highest) {
        index_t const strip_count = (m + highest - 1) / highest;
        return static_cast<int>((m + strip_count - 1) / strip_count);
    }

    void rows(box const& part, target const& t, row_source<T> const& left,
              right_strips<T> const& right) {
        index_t const m = rows_of_box(part), n = columns_of_box(part), terms = terms_of_box(part);
        auto const lies = find_in_memory(left, part, roles_.row, roles_.rows, roles_);
        if (lies.term == 1 && facts().left_in_place) {
            int const height = height_of(m, geometry::rows);
            left_strips<T> const a{lies.data, height, height * lies.neighbour, lies.neighbour, 1};
            multiply_tiles(m, n, terms, a, right, cells_of(part, t));
            return;
        }
        index_t const limit = std::max<index_t>(facts().chunk[0], geometry::rows);
        auto const cut = chunks(part, roles_.row, roles_.rows, limit);
        for_each_block(cut, part, [&](box const& block) {           // loop 2
            auto const a = pack_left(left, block, geometry::rows);
            multiply_tiles(rows_of_box(block), n, terms, a, right, cells_of(block, t));
        });
    }

    // At most thin_rows rows: the right operand is streamed once, row by row,
    void stream_rows(box const& block, target const& t, row_source<T> const& left,
                     in_memory<T> const& b) {
        auto const a = pack_left(left, block, thin_rows);
        auto const to = cells_of(block, t);
        for (int i = 0; i < a.height; ++i) {
            stream_row(terms_of_box(block), a.data + i, a.height, b.data, b.term, to.c + i * to.row,
                       columns_of_box(block), to.add);
        }
    }

    // or column by column.
    void dot_rows(box const& block, target const& t, row_source<T> const& left,
                  in_memory<T> const& b) {
        auto const a = pack_left(left, block, 1);
        auto const to = cells_of(block, t);
        for (index_t i = 0; i < rows_of_box(block); ++i) {
            dot_row(terms_of_box(block), a.data + i * a.pitch, b.data, b.neighbour,
                    to.c + i * to.row, columns_of_box(block), to.add);
        }
    }

    cells<T> cells_of(box const& block, target const& t) const {
        T* c = t.to.data;
        for (int a = 0; a < facts().rank; ++a) c += t.to.stride[a] * block.lo[a];
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
            to.data = env_->scratch.template take<T>(size);
            to.capacity = size;
        }
        pack_axes const axes{label, labels, roles_.shared, roles_.shareds};
        packer<T>(x, inner(side), axes, b, layout).pack(to.data, env_->scratch);
        to.held = b;
        to.valid = true;
    }

    environment* env_;
    int id_;
    planning::contract_roles roles_;
    packed_box<T> left_packed_, right_packed_;
};

}  // namespace felt::host
