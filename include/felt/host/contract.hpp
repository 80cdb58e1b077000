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

// Everything of a product but its operands' types.
template <class T>
class product_of : public boxed<T> {
    using geometry = tile<T>;
    static constexpr index_t thin_rows = 2;

public:
    product_of(environment& env, int id)
        : boxed<T>(env, id), roles_(planning::roles_of(env.p, id)) {}

    struct operands {
        row_source<T> side[2];  // a, b
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
            product(own, shared(), room_for(own), true, false, x);
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
        strided<T> const to = target_.data != nullptr ? target_ : room_for(own);
        product(own, terms, to, target_.data == nullptr, !strip.first, x);
        this->complete();
    }

    // The product over box `own` straight to memory; `to` is where element 0, 0, ... lies.
    // Columns are contiguous there. False if they are not.
    bool store_values(box const& own, strided<T> const& to, operands const& x) {
        if (roles_.lane < 0 || to.stride[roles_.lane] != 1 || !flat(own, to)) return false;
        product(own, shared(), to, false, false, x);
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

    // `all`: the range of every label, of which the shared ones count. `padded`: rows have room
    // for whole tiles of columns. `add`: to what is there.
    void product(box const& own, box all, strided<T> const& to, bool padded, bool add,
                 operands const& x) {
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
            if (!add) clear(own, to);
            return;
        }
        for_each_block(batches, all, [&](box const& batch) {        // loop 5
            bool accumulate = add;
            for_each_block(pieces, batch, [&](box const& piece) {   // loop 4
                columns(piece, to, padded, accumulate, x);
                accumulate = true;
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

    void columns(box const& piece, strided<T> const& to, bool padded, bool accumulate,
                 operands const& x) {
        index_t const limit = std::max<index_t>(this->facts().chunk[1], geometry::columns);
        auto const cut = chunks(piece, roles_.column, roles_.columns, limit);
        for_each_block(cut, piece, [&](box const& part) {           // loop 3
            rows(part, to, padded, accumulate, x);
        });
    }

    void rows(box const& part, strided<T> const& to, bool padded, bool accumulate,
              operands const& x) {
        int const left = this->facts().swapped ? 1 : 0, right = 1 - left;
        if (thin(part, to, padded, accumulate, x.side[left], x.side[right])) return;
        rows_packed(part, to, padded, accumulate, x.side[left], x.side[right]);
    }

    void rows_packed(box const& part, strided<T> const& to, bool padded, bool accumulate,
                     row_source<T> const& left, row_source<T> const& right) {
        index_t const terms = detail::extent_of(part, roles_.shared, roles_.shareds);
        index_t const pitch = geometry::columns * terms + geometry::width;
        pack(right, this->facts().swapped ? 0 : 1, without(part, roles_.row, roles_.rows),
             roles_.column, roles_.columns, {geometry::columns, pitch, false}, right_packed_);
        multiply_rows(part, to, padded, accumulate, left,
                      {right_packed_.data, pitch, geometry::columns});
    }

    // The right operand as the micro-kernel reads it: strips `pitch` apart, rows `row` apart.
    struct right_view {
        T const* data;
        index_t pitch, row;
    };

    void multiply_rows(box const& part, strided<T> const& to, bool padded, bool accumulate,
                       row_source<T> const& left, right_view const& right) {
        index_t const terms = detail::extent_of(part, roles_.shared, roles_.shareds);
        index_t const limit = std::max<index_t>(this->facts().chunk[0], geometry::rows);
        auto const cut = chunks(part, roles_.row, roles_.rows, limit);
        for_each_block(cut, part, [&](box const& block) {           // loop 2
            index_t const m = detail::extent_of(block, roles_.row, roles_.rows);
            index_t const strip_count = (m + geometry::rows - 1) / geometry::rows;
            int const height = static_cast<int>((m + strip_count - 1) / strip_count);
            index_t const left_pitch = height * terms + geometry::width;
            pack(left, this->facts().swapped ? 1 : 0,
                 without(block, roles_.column, roles_.columns), roles_.row, roles_.rows,
                 {height, left_pitch, true}, left_packed_);
            multiply(block, to, padded, accumulate, height, left_pitch, right);
        });
    }

    // Few rows: packing the right operand would cost more than it saves. If it lies in memory
    // as one matrix, whole strips of it are read in place; what is left over at the end is not.
    // Rows 4 KiB apart would all fall into the same lines of the cache.
    bool thin(box const& part, strided<T> const& to, bool padded, bool accumulate,
              row_source<T> const& left, row_source<T> const& right) {
        index_t const* by_loop = nullptr;
        index_t const m = detail::extent_of(part, roles_.row, roles_.rows);
        if (m > 2 * geometry::rows || roles_.columns != 1 || roles_.shareds != 1) return false;
        T const* b = right.memory(&by_loop);
        int const column = roles_.column[0], term = roles_.shared[0];
        if (b == nullptr || by_loop[column] != 1) return false;
        index_t const row = by_loop[term], n = part.extent(column);
        bool const conflicts = row * static_cast<index_t>(sizeof(T)) % 4096 == 0;
        if (n < geometry::columns || (conflicts && m > thin_rows)) return false;
        box main = part;
        main.hi[column] = part.lo[column] + n / geometry::columns * geometry::columns;
        box const at = without(main, roles_.row, roles_.rows);
        for (int l = 0; l < at.rank; ++l) b += by_loop[l] * at.lo[l];
        if (m <= thin_rows) few_rows(main, to, accumulate, left, b, row);
        else multiply_rows(main, to, padded, accumulate, left, {b, geometry::columns, row});
        if (main.hi[column] < part.hi[column]) {
            box rest = part;
            rest.lo[column] = main.hi[column];
            rows_packed(rest, to, padded, accumulate, left, right);
        }
        return true;
    }

    // Operands do not follow the other's labels: their box is the same for all of them.
    static box without(box b, int const* label, int count) {
        for (int i = 0; i < count; ++i) {
            b.lo[label[i]] = 0;
            b.hi[label[i]] = 1;
        }
        return b;
    }

    void pack(row_source<T> const& x, int side, box const& b, int const* label, int count,
              strips const& layout, packed_box<T>& to) {
        if (to.holds(b)) return;
        x.prepare(b);
        index_t const n = detail::extent_of(b, label, count);
        index_t const size = ((n + layout.width - 1) / layout.width) * layout.pitch +
                             2 * geometry::columns;
        if (size > to.capacity) {
            to.data = this->scratch().template take<T>(size);
            to.capacity = size;
        }
        pack_axes const axes{label, count, roles_.shared, roles_.shareds};
        packer<T>(x, this->inner(side), axes, b, layout).pack(to.data, this->scratch());
        to.held = b;
        to.valid = true;
    }

    // Where c is for block, and how far its rows are apart.
    T* cell_of(box const& block, strided<T> const& to, index_t& row) const {
        row = roles_.rows > 0 ? to.stride[roles_.row[roles_.rows - 1]] : 0;
        T* c = to.data;
        for (int a = 0; a < this->facts().rank; ++a) c += to.stride[a] * block.lo[a];
        return c;
    }

    void multiply(box const& block, strided<T> const& to, bool padded, bool accumulate, int height,
                  index_t left_pitch, right_view const& right) {
        index_t const m = detail::extent_of(block, roles_.row, roles_.rows);
        index_t const n = detail::extent_of(block, roles_.column, roles_.columns);
        index_t const terms = detail::extent_of(block, roles_.shared, roles_.shareds);
        index_t row = 0;
        T* const c = cell_of(block, to, row);
        for (index_t j = 0, js = 0; j < n; j += geometry::columns, ++js) {        // loop 1
            T const* const b = right.data + js * right.pitch;
            bool const edge = !padded && n - j < geometry::columns;
            for (index_t i = 0, is = 0; i < m; i += height, ++is) {
                int const h = static_cast<int>(std::min<index_t>(height, m - i));
                T const* const a = left_packed_.data + is * left_pitch;
                T* const cell = c + i * row + j;
                if (edge) {
                    at_edge(terms, a, b, right.row, cell, row, accumulate, h,
                            static_cast<int>(n - j));
                } else {
                    micro_kernel_for<T>(h)(terms, a, b, right.row, cell, row, accumulate);
                }
            }
        }
    }

    // At most thin_rows rows: the right operand is streamed once, row by row.
    void few_rows(box const& block, strided<T> const& to, bool accumulate,
                  row_source<T> const& left, T const* b, index_t b_row) {
        index_t const m = detail::extent_of(block, roles_.row, roles_.rows);
        index_t const n = detail::extent_of(block, roles_.column, roles_.columns);
        index_t const terms = detail::extent_of(block, roles_.shared, roles_.shareds);
        int const height = static_cast<int>(m);
        pack(left, this->facts().swapped ? 1 : 0, without(block, roles_.column, roles_.columns),
             roles_.row, roles_.rows, {height, height * terms + geometry::width, true},
             left_packed_);
        index_t row = 0;
        T* const c = cell_of(block, to, row);
        for (int i = 0; i < height; ++i) {
            stream_row(terms, left_packed_.data + i, height, b, b_row, c + i * row, n, accumulate);
        }
    }

    // A tile that sticks out of the destination goes through one that does not.
    static void at_edge(index_t terms, T const* a, T const* b, index_t b_row, T* cell, index_t row,
                        bool accumulate, int h, int count) {
        alignas(64) T t[geometry::rows * geometry::columns];
        for (int i = 0; i < h && accumulate; ++i) {
            std::copy(cell + i * row, cell + i * row + count, t + i * geometry::columns);
        }
        micro_kernel_for<T>(h)(terms, a, b, b_row, t, geometry::columns, accumulate);
        for (int i = 0; i < h; ++i) {
            T const* const from = t + i * geometry::columns;
            std::copy(from, from + count, cell + i * row);
        }
    }

    planning::contract_roles roles_;
    packed_box<T> left_packed_, right_packed_;
    strided<T> target_{nullptr, {}};
};

template <class A, class B, std::size_t R, std::size_t S>
class bound<contract_node<A, B, R, S>>
    : public product_of<typename contract_node<A, B, R, S>::value_type> {
    using T = typename contract_node<A, B, R, S>::value_type;
    using base = product_of<T>;

public:
    bound(contract_node<A, B, R, S> const& n, environment& env, int id)
        : base(env, id), a_(n.x.head, env, id + 1),
          b_(n.x.tail.head, env, env.p.at(id + 1).end) {}

    void prepare(box const& b) { this->prepare_values(b, sources()); }
    void accumulate(strip_range const& strip) { this->add_strip(strip, sources()); }
    bool compute_into(box const& own, strided<T> const& to) {
        return this->store_values(own, to, sources());
    }

private:
    typename base::operands sources() { return {{rows_of(a_), rows_of(b_)}}; }

    bound<A> a_;
    bound<B> b_;
};

}  // namespace felt::host
