// SPDX-License-Identifier: BSD-3-Clause
//
// reshape of what is not a row-major tensor: elements keep their number, runs are copied.
#pragma once
#include <felt/host/materialize_operand.hpp>

namespace felt::inline FELT_ABI::host {

template <class X, std::size_t R>
class bound<reshape_node<X, R>> : public materialized<typename X::value_type> {
    using T = typename X::value_type;
    static constexpr int sources = static_cast<int>(X::rank);

public:
    bound(reshape_node<X, R> const& n, environment& env, node_id id)
        : materialized<T>(env, id), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    // Elements keep their row-major number; runs of them are copied. Numbers grow from row to row,
    // so that a piece of the source is evaluated once.
    void compute(box const& own) {
        planning::node const& to = this->described();
        int const last = own.rank - 1;
        T* p = this->room(own, last);
        piece from{0, 0, {nullptr, {}}};
        planning::for_each_row(own, last, [&](index_t const* at) {
            index_t i = 0;
            for (int a = 0; a < own.rank; ++a) i = i * to.extent[a] + at[a];
            for (index_t left = last < 0 ? 1 : own.extent(last); left > 0;) {
                if (i < from.lo || i >= from.hi) from = piece_with(i);
                index_t const run = copy_run(from, i, std::min(left, from.hi - i), p);
                p += run;
                i += run;
                left -= run;
            }
        });
    }

    // Elements lo .. hi-1 of the source, in memory.
    struct piece {
        index_t lo, hi;
        strided<T const> elements;
    };

    // The piece, as the plan cuts them, that has element i; all of a source in memory.
    piece piece_with(index_t i) {
        planning::node const& f = this->graph_of()[this->source_id()];
        loop_view const in = this->inner();
        bool const whole =
            f.what == kind::leaf || this->schedule_of()[this->source_id()].by == way::hoisted;
        box b = planning::whole_box(f.extent, f.rank);
        index_t inner = b.size(), lo = 0, rest = i;
        for (int a = 0; a < f.rank && !whole; ++a) {
            inner /= f.extent[a];
            if (in.block[a] >= f.extent[a]) continue;
            b.lo[a] = rest / inner / in.block[a] * in.block[a];
            b.hi[a] = std::min(f.extent[a], b.lo[a] + in.block[a]);
            lo += b.lo[a] * inner;
            rest -= b.lo[a] * inner;
        }
        strided<T const> const elements = x_.elements(b);
        bool const rows = sources < 2 || whole || elements.stride[sources - 1] == 1;
        return {lo, lo + b.size(), rows ? elements : in_rows(b, lo, elements)};
    }

    // A piece that was computed by lanes along another axis than the last one, whose rows are read.
    strided<T const> in_rows(box const& b, index_t lo, strided<T const> from) {
        strided<T> to{nullptr, {}};
        index_t size = 1;
        for (int a = sources - 1; a >= 0; --a) {
            to.stride[a] = size;
            size *= b.extent(a);
        }
        if (rows_ == nullptr) {
            index_t const most = planning::detail::product(this->inner().block, sources);
            rows_ = this->scratch().template take<T>(std::max(size, most));
        }
        to.data = rows_;
        strided<T const> out{rows_, {}};
        for (int a = 0; a < sources; ++a) {
            from.data += from.stride[a] * b.lo[a];
            out.stride[a] = to.stride[a];
            out.data -= to.stride[a] * b.lo[a];
        }
        if (lo != lo_) copy_box(to, from, b);
        lo_ = lo;
        return out;
    }

    // Copies elements from i on, at most `most`: those in one row of the source.
    index_t copy_run(piece const& from, index_t i, index_t most, T* to) const {
        planning::node const& f = this->graph_of()[this->source_id()];
        T const* p = from.elements.data;
        index_t rest = i, run = most;
        for (int a = sources - 1; a >= 0; --a) {
            index_t const e = f.extent[a], x = rest % e;
            rest /= e;
            p += from.elements.stride[a] * x;
            if (a == sources - 1) run = std::min(most, e - x);
        }
        index_t const step = sources > 0 ? from.elements.stride[sources - 1] : 0;
        detail::copy_row(to, index_t{1}, p, step, run);
        return run;
    }

    source<X> x_;
    T* rows_ = nullptr;
    index_t lo_ = -1;  // the first element of the piece that lies there
};

}  // namespace felt::inline FELT_ABI::host
