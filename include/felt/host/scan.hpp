// SPDX-License-Identifier: BSD-3-Clause
//
// Scans. A box has all of the scanned axis; it is filled block by block, and each element of a
// block takes what lies before it. Where lanes run across the axis, row takes row; along it, one
// element the other.
#pragma once
#include <felt/host/boxed.hpp>

namespace felt::host {

// Everything of a scan but its operand's type.
template <class F, class T>
class scan_of : public boxed<T> {
public:
    scan_of(F const& op, environment& env, int id) : boxed<T>(env, id), op_(op) {}

protected:
    [[gnu::noinline]] void prepare_values(box const& b, row_source<T> const& x);

private:
    // The elements of block b, which holds those of the operand.
    void go_on(box b, strided<T> const& to) const {
        int const axis = this->facts().whole;
        index_t const before = to.stride[axis];
        b.lo[axis] = std::max<index_t>(b.lo[axis], 1);
        int const unit = detail::unit_axis(to.stride, b);
        int const along = unit < 0 ? axis : unit;
        planning::for_each_row(b, along, [&](index_t const* at) {
            T* p = to.data;
            for (int a = 0; a < b.rank; ++a) p += to.stride[a] * (a == along ? b.lo[a] : at[a]);
            if (along == axis) chain(p, before, b.extent(along));
            else combine(p - before, p, b.extent(along));
        });
    }

    void chain(T* p, index_t step, index_t n) const {
        T all = *(p - step);
        for (index_t i = 0; i < n; ++i, p += step) *p = all = static_cast<T>(op_(all, *p));
    }

    void combine(T const* before, T* to, index_t n) const {
        index_t j = 0;
        if constexpr (takes_batches<F, T, T>) {
            using batch = xsimd::batch<T>;
            for (; j + batch_size<T> <= n; j += batch_size<T>) {
                batch const all =
                    op_(batch::load_unaligned(before + j), batch::load_unaligned(to + j));
                all.store_unaligned(to + j);
            }
        }
        for (; j < n; ++j) to[j] = static_cast<T>(op_(before[j], to[j]));
    }

    F op_;
};

template <class F, class T>
void scan_of<F, T>::prepare_values(box const& b, row_source<T> const& x) {
    this->ready(b, [&](box const& own) {
        loop_space const& in = this->inner();
        T* data = this->home(own);
        if (data == nullptr) data = this->room(own, in.lane);
        strided<T> const to = this->origin(own, data);
        for_each_block(in, own, [&](box const& part) {
            evaluate(x, in, part, to, this->scratch());
            go_on(part, to);
        });
        this->overwrite();
    });
}

template <class F, int A, class X>
class bound<scan_node<F, A, X>> : public scan_of<F, typename X::value_type> {
    using base = scan_of<F, typename X::value_type>;

public:
    bound(scan_node<F, A, X> const& n, environment& env, int id)
        : base(n.op, env, id), x_(n.x.head, env, id + 1) {
        this->offer(*this);
    }

    void prepare(box const& b) { this->prepare_values(b, rows_of(x_)); }
    void accumulate(strip_range const& strip) {
        if (strip.only >= 0) x_.accumulate(strip);
    }

private:
    bound<X> x_;
};

}  // namespace felt::host
