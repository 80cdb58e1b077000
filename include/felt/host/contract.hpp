// SPDX-License-Identifier: BSD-3-Clause
//
// Products, blocked for the caches (Goto and van de Geijn, "Anatomy of High-Performance Matrix
// Multiplication", 2008):
//
//   loop 5  over batches
//   loop 4  over pieces of the shared axes: both operands are made ready and packed
//   loop 3  over chunks of columns of the right operand, packed in strips
//   loop 2  over chunks of rows of the left operand, packed in strips
//   loop 1  over strips of columns and strips of rows: the micro-kernel
#pragma once
#include <felt/host/boxed.hpp>
#include <felt/host/micro.hpp>
#include <felt/host/pack.hpp>
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

template <class A, class B, std::size_t R, std::size_t S>
class bound<contract_node<A, B, R, S>>
    : public boxed<typename contract_node<A, B, R, S>::value_type> {
    using T = typename contract_node<A, B, R, S>::value_type;
    using geometry = tile<T>;

public:
    bound(contract_node<A, B, R, S> const& n, environment& env, int id)
        : boxed<T>(env, id), roles_(planning::roles_of(env.p, id)),
          a_(n.x.head, env, id + 1), b_(n.x.tail.head, env, env.p.at(id + 1).end) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

    // The product over box `own` straight to memory; `to` is where element 0, 0, ... lies.
    // Columns are contiguous there. False if they are not.
    bool compute_into(box const& own, strided<T> const& to) {
        if (roles_.lane < 0 || to.stride[roles_.lane] != 1 || !flat(own, to)) return false;
        product(own, to, false);
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

    void compute(box const& own) {
        // Scratch: columns dense, rows padded to whole tiles, batches outermost.
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
        product(own, to, true);
    }

    // `padded`: rows have room for whole tiles of columns.
    void product(box const& own, strided<T> const& to, bool padded) {
        loop_space const& in = this->inner();
        box all;
        all.rank = in.rank;
        for (int l = 0; l < in.rank; ++l) {
            all.lo[l] = l < own.rank ? own.lo[l] : 0;
            all.hi[l] = l < own.rank ? own.hi[l] : in.extent[l];
        }
        loop_space batches = in, pieces = in;
        for (int l = 0; l < in.rank; ++l) batches.block[l] = pieces.block[l] = in.extent[l];
        for (int i = 0; i < roles_.batches; ++i) batches.block[roles_.batch[i]] = 1;
        planning::detail::shared_block(this->plan_of(), roles_, this->facts().inner, pieces.block);
        if (own.size() == 0) return;
        if (detail::extent_of(all, roles_.shared, roles_.shareds) == 0) {
            clear(own, to);
            return;
        }
        for_each_block(batches, all, [&](box const& batch) {        // loop 5
            bool first_piece = true;
            for_each_block(pieces, batch, [&](box const& piece) {   // loop 4
                columns(piece, to, padded, !first_piece);
                first_piece = false;
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

    void columns(box const& piece, strided<T> const& to, bool padded, bool accumulate) {
        index_t const limit = std::max<index_t>(this->facts().chunk[1], geometry::columns);
        auto const cut = chunks(piece, roles_.column, roles_.columns, limit);
        for_each_block(cut, piece, [&](box const& part) {           // loop 3
            if (this->facts().swapped) rows(part, to, padded, accumulate, b_, 1, a_, 0);
            else rows(part, to, padded, accumulate, a_, 0, b_, 1);
        });
    }

    template <class L, class Right>
    void rows(box const& part, strided<T> const& to, bool padded, bool accumulate, L& left,
              int left_side, Right& right, int right_side) {
        box const right_box = without(part, roles_.row, roles_.rows);
        index_t const terms = detail::extent_of(part, roles_.shared, roles_.shareds);
        index_t const right_pitch = geometry::columns * terms + geometry::width;
        if (!right_packed_.holds(right_box)) {
            right.prepare(right_box);
            strips const layout{geometry::columns, right_pitch, false};
            pack(right, right_side, right_box, roles_.column, roles_.columns, layout, right_packed_);
        }
        index_t const limit = std::max<index_t>(this->facts().chunk[0], geometry::rows);
        auto const cut = chunks(part, roles_.row, roles_.rows, limit);
        for_each_block(cut, part, [&](box const& block) {           // loop 2
            box const left_box = without(block, roles_.column, roles_.columns);
            index_t const m = detail::extent_of(block, roles_.row, roles_.rows);
            index_t const strip_count = (m + geometry::rows - 1) / geometry::rows;
            int const height = static_cast<int>((m + strip_count - 1) / strip_count);
            index_t const left_pitch = height * terms + geometry::width;
            if (!left_packed_.holds(left_box)) {
                left.prepare(left_box);
                strips const layout{height, left_pitch, true};
                pack(left, left_side, left_box, roles_.row, roles_.rows, layout, left_packed_);
            }
            multiply(block, to, padded, accumulate, height, left_pitch, right_pitch);
        });
    }

    // Operands do not follow the other's labels: their box is the same for all of them.
    static box without(box b, int const* label, int count) {
        for (int i = 0; i < count; ++i) {
            b.lo[label[i]] = 0;
            b.hi[label[i]] = 1;
        }
        return b;
    }

    template <class X>
    void pack(X& x, int side, box const& b, int const* label, int count, strips const& layout,
              packed_box<T>& to) {
        index_t const n = detail::extent_of(b, label, count);
        index_t const size = ((n + layout.width - 1) / layout.width) * layout.pitch +
                             2 * geometry::columns;
        if (size > to.capacity) {
            to.data = this->scratch().template take<T>(size);
            to.capacity = size;
        }
        pack_axes const axes{label, count, roles_.shared, roles_.shareds};
        packer<T, X>(x, this->inner(side), axes, b, layout).pack(to.data, this->scratch());
        to.held = b;
        to.valid = true;
    }

    void multiply(box const& block, strided<T> const& to, bool padded, bool accumulate, int height,
                  index_t left_pitch, index_t right_pitch) {
        index_t const m = detail::extent_of(block, roles_.row, roles_.rows);
        index_t const n = detail::extent_of(block, roles_.column, roles_.columns);
        index_t const terms = detail::extent_of(block, roles_.shared, roles_.shareds);
        index_t const row = roles_.rows > 0 ? to.stride[roles_.row[roles_.rows - 1]] : 0;
        T* c = to.data;
        for (int a = 0; a < this->facts().rank; ++a) c += to.stride[a] * block.lo[a];
        for (index_t j = 0, js = 0; j < n; j += geometry::columns, ++js) {        // loop 1
            T const* const b = right_packed_.data + js * right_pitch;
            bool const edge = !padded && n - j < geometry::columns;
            for (index_t i = 0, is = 0; i < m; i += height, ++is) {
                int const h = static_cast<int>(std::min<index_t>(height, m - i));
                T const* const a = left_packed_.data + is * left_pitch;
                T* const cell = c + i * row + j;
                if (edge) at_edge(terms, a, b, cell, row, accumulate, h, static_cast<int>(n - j));
                else micro_kernel_for<T>(h)(terms, a, b, cell, row, accumulate);
            }
        }
    }

    // A tile that sticks out of the destination goes through one that does not.
    static void at_edge(index_t terms, T const* a, T const* b, T* cell, index_t row,
                        bool accumulate, int h, int count) {
        alignas(64) T t[geometry::rows * geometry::columns];
        for (int i = 0; i < h && accumulate; ++i) {
            std::copy(cell + i * row, cell + i * row + count, t + i * geometry::columns);
        }
        micro_kernel_for<T>(h)(terms, a, b, t, geometry::columns, accumulate);
        for (int i = 0; i < h; ++i) {
            T const* const from = t + i * geometry::columns;
            std::copy(from, from + count, cell + i * row);
        }
    }

    planning::contract_roles roles_;
    bound<A> a_;
    bound<B> b_;
    packed_box<T> left_packed_, right_packed_;
};

}  // namespace felt::host
