// SPDX-License-Identifier: BSD-3-Clause
//
// A product as a node: where its boxes go. They lie in scratch until the reader has them, or are
// written where they belong; in a pass of several statements terms are added strip by strip.
#pragma once
#include <felt/host/materialized.hpp>
#include <felt/host/gemm.hpp>
#include <felt/host/combine_partials.hpp>

namespace felt::inline FELT_ABI::host {

// Everything of a product but its operands' types.
template <class T>
class product_of : public materialized<T> {
    using geometry = tile<T>;

public:
    using operands = factors<T>;

    [[gnu::noinline]] product_of(environment& env, node_id id)
        : materialized<T>(env, id), loops_(env, id) {
        this->comes_first_ = this->comes_first_ || loops_.transforms_filters();
    }
    [[gnu::noinline]] ~product_of() {}  // not where it is bound: it frees what it has packed

    // Let accumulate() write to memory directly, if columns are contiguous there; or, if that is
    // no memory, not any more.
    void accumulate_into(strided<T> const& to) {
        box const own = planning::whole_box(this->described().extent, this->described().rank);
        target_ = to;
        if (!has_contiguous_columns(own, to)) target_.data = nullptr;
    }

protected:
    [[gnu::noinline]] void prepare_values(box const& b, operands const& x);

    // The terms of one strip of a shared axis are added.
    [[gnu::noinline]] void add_strip(strip_range const& strip, operands const& x);

    // The product over box `own` straight to memory; `to` is where element 0, 0, ... lies.
    // Columns are contiguous there. False if they are not.
    [[gnu::noinline]] bool store_values(box const& own, strided<T> const& to, operands const& x);

private:
    // The product to memory where rows of several labels may not follow each other: then part by
    // part, from row label `first` on. Columns are one label, and contiguous.
    void store_rows(box const& own, strided<T> const& to, operands const& x, int first = 0);

    // Several labels of rows or columns count as one only if they lie in memory as in the flattened
    // order.
    bool has_contiguous_columns(box const& own, strided<T> const& to) const {
        label_list const& columns = axes().n;
        return columns.count > 0 && to.stride[columns.last()] == 1 && flat(own, to, columns) &&
               flat(own, to, axes().m);
    }
    static bool flat(box const& own, strided<T> const& to, label_list const& of) {
        for (int i = 0; i + 1 < of.count; ++i) {
            if (to.stride[of[i]] != to.stride[of[i + 1]] * own.extent(of[i + 1])) return false;
        }
        return true;
    }

    // Whether rows in scratch have room for whole tiles.
    bool padded(box const& own) const {
        index_t const n = count(own, axes().n);
        return planning::detail::padded_columns(n, geometry::nr) % geometry::nr == 0;
    }

    // Scratch: columns dense, rows padded (plan/3_tiling/footprint.hpp), batches outermost. At once
    // as much as the largest box takes, so that boxes of any sizes lie in the same memory.
    strided<T> room_for(box const& own) {
        index_t strides[max_axes] = {}, extent[max_axes] = {};
        index_t const most = lay(this->placed().held, strides);
        for (int a = 0; a < own.rank; ++a) extent[a] = own.extent(a);
        index_t const size = lay(extent, strides);
        strided<T> to{this->reserve(std::max(size, most) + geometry::nr), {}};
        slot& s = this->own();
        for (int a = 0; a < own.rank; ++a) {
            s.stride[a] = to.stride[a] = strides[a];
            to.data -= strides[a] * own.lo[a];
        }
        return to;
    }

    // The strides of a box, and how many elements it takes.
    index_t lay(index_t const* extent, index_t* strides) const {
        index_t step = 1;
        auto const along = [&](label_list const& of) {
            for (int i = of.count - 1; i >= 0; --i) {
                strides[of[i]] = step;
                step *= extent[of[i]];
            }
        };
        along(axes().n);
        step = planning::detail::padded_columns(step, geometry::nr);
        along(axes().m);
        along(axes().batch);
        return step;
    }

    planning::contraction_axes const& axes() const { return loops_.axes(); }

    gemm<T> loops_;
    strided<T> target_{nullptr, {}};
};

template <class T>
void product_of<T>::prepare_values(box const& b, operands const& x) {
    if (this->before_loops() && loops_.make_ready(x) && !this->is_hoisted()) return;
    this->ready(b, [&](box const& own) {
        T* const kept = this->in_destination(own);
        if (kept != nullptr) store_rows(own, this->origin(own, kept), x);
        else loops_.product(own, loops_.shared(), {room_for(own), padded(own), false}, x);
    });
}

template <class T>
void product_of<T>::store_rows(box const& own, strided<T> const& to, operands const& x, int first) {
    if (first >= this->schedule_of()[this->described().product].rows_apart) {
        loops_.product(own, loops_.shared(), {to, false, false}, x);
        return;
    }
    int const l = axes().m[first];
    box part = own;
    for (index_t i = own.lo[l]; i < own.hi[l]; ++i) {
        part.lo[l] = i;
        part.hi[l] = i + 1;
        store_rows(part, to, x, first + 1);
    }
}

template <class T>
void product_of<T>::add_strip(strip_range const& strip, operands const& x) {
    box const terms = this->strip_of(strip, loops_.shared());
    slot& s = this->growing(&detail::combine_values<monoid::sum, T>);
    bool const direct = target_.data != nullptr;
    if (direct) {
        s.data = target_.data;
        std::copy(target_.stride, target_.stride + s.held.rank, s.stride);
    }
    strided<T> const to = direct ? target_ : room_for(s.held);
    loops_.product(s.held, terms, {to, !direct && padded(s.held), !strip.first}, x);
}

template <class T>
bool product_of<T>::store_values(box const& own, strided<T> const& to, operands const& x) {
    if (!has_contiguous_columns(own, to)) return false;
    loops_.product(own, loops_.shared(), {to, false, false}, x);
    return true;
}

}  // namespace felt::inline FELT_ABI::host
