// SPDX-License-Identifier: BSD-3-Clause
//
// reshape of what is not a row-major tensor: elements keep their number, runs are copied.
#pragma once
#include <felt/host/source.hpp>

namespace felt::host {

template <class X, std::size_t R>
class bound<reshape_node<X, R>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;
    static constexpr int sources = static_cast<int>(X::rank);

public:
    bound(reshape_node<X, R> const& n, environment& env, int id)
        : boxed<T>(env, id), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    // Elements keep their row-major number; runs of them are copied.
    void compute(box const& own) {
        node_facts const& to = this->facts();
        node_facts const& source_facts = this->plan_of().at(this->source_id());
        int const last = own.rank - 1;
        T* p = this->room(own, last);
        auto number = [&](index_t const* at) {
            index_t i = 0;
            for (int a = 0; a < own.rank; ++a) i = i * to.extent[a] + at[a];
            return i;
        };
        index_t top[max_axes];
        for (int a = 0; a < own.rank; ++a) top[a] = own.hi[a] - 1;
        box const inside = spanned(source_facts, number(own.lo), number(top));
        auto const from = x_.elements(inside);
        planning::for_each_row(own, last, [&](index_t const* at) {
            index_t i = number(at);
            for (index_t left = last < 0 ? 1 : own.extent(last); left > 0;) {
                T const* f = from.data;
                index_t rest = i, run = left;
                for (int a = sources - 1; a >= 0; --a) {
                    index_t const e = source_facts.extent[a], x = rest % e;
                    rest /= e;
                    f += from.stride[a] * x;
                    if (a == sources - 1) run = std::min(left, e - x);
                }
                detail::copy_row(p, index_t{1}, f, sources > 0 ? from.stride[sources - 1] : 0, run);
                p += run;
                i += run;
                left -= run;
            }
        });
    }

    // The smallest box of the source that has the elements first .. last.
    static box spanned(node_facts const& f, index_t first_one, index_t last_one) {
        box b = planning::whole_box(f.extent, f.rank);
        index_t inner = 1;
        for (int a = 0; a < f.rank; ++a) inner *= f.extent[a];
        for (int a = 0; a < f.rank; ++a) {
            inner /= f.extent[a];
            index_t const lo = first_one / inner, hi = last_one / inner;
            b.lo[a] = lo % f.extent[a];
            b.hi[a] = hi % f.extent[a] + 1;
            if (lo != hi) break;
        }
        return b;
    }

    source<X> x_;
};

}  // namespace felt::host
