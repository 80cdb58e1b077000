// SPDX-License-Identifier: BSD-3-Clause
//
// A contraction bound to its loops: a product of two bound operands.
#pragma once
#include <felt/host/product.hpp>

namespace felt::inline FELT_ABI::host {

template <class A, class B, std::size_t R, std::size_t S>
class bound<contract_node<A, B, R, S>>
    : public product_of<typename contract_node<A, B, R, S>::value_type> {
    using T = typename contract_node<A, B, R, S>::value_type;
    using base = product_of<T>;

public:
    bound(contract_node<A, B, R, S> const& n, environment& env, node_id id)
        : base(env, id), a_(n.x.head, env, id + 1), b_(n.x.tail.head, env, env.p.g.operand(id, 1)) {
        this->offer(*this);
    }

    void prepare(box const& b) { this->prepare_values(b, sources()); }
    void accumulate(strip_range const& strip) {
        if (this->adds(strip)) {
            this->add_strip(strip, sources());
        } else if (strip.only) {
            a_.accumulate(strip);
            b_.accumulate(strip);
        }
    }
    bool compute_into(box const& own, strided<T> const& to) {
        return this->store_values(own, to, sources());
    }

private:
    typename base::operands sources() { return {{rows_of(a_), rows_of(b_)}}; }

    bound<A> a_;
    bound<B> b_;
};

}  // namespace felt::inline FELT_ABI::host
