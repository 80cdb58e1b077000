// SPDX-License-Identifier: BSD-3-Clause
//
// A value that several readers want: evaluated box by box into its slot.
#pragma once
#include <felt/host/boxed.hpp>

namespace felt::host {

template <class X>
class bound<once_node<X>> : public boxed<typename X::value_type> {
    using T = typename X::value_type;

public:
    bound(once_node<X> const& n, environment& env, int id)
        : boxed<T>(env, id), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) {
            strided<T> to{this->room(own, this->inner().lane), {}};
            for (int a = 0; a < own.rank; ++a) {
                to.stride[a] = this->own().stride[a];
                to.data -= to.stride[a] * own.lo[a];
            }
            evaluate(rows_of(x_), this->inner(), own, to, this->scratch());
        });
    }

private:
    bound<X> x_;
};

}  // namespace felt::host
