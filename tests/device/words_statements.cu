// SPDX-License-Identifier: BSD-3-Clause
//
// Whole statements of words that loops of their own carry out: the launches that run makes of them.
#include <felt/device.hpp>

using namespace felt;
using vector = Tensor<float, 1, Device>;
using matrix = Tensor<float, 2, Device>;
using signals = Tensor<float, 3, Device>;
using grids = Tensor<float, 5, Device>;

struct larger {
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN auto operator()(auto x, auto y) const { return math::select(x < y, y, x); }
};

void by_index(matrix& y, matrix const& x, Tensor<index_t, 2, Device> const& at,
              Tensor<index_t, 1, Device>& counts, Tensor<int, 1, Device> const& l) {
    y = take_along_axis<1>(x + 1, at);
    y = put_along_axis<1>(x, at, 2.F);
    counts = bincount(l, 9);
    y = choice(x, 3, 1);
}
void reductions(matrix& y, vector& v, matrix const& x) {
    v = nanvar<1>(x);
    v = reduce<1>(larger{}, x);
    y = inclusive_scan<1>(larger{}, x);
    y = logcumsumexp<0>(x);
    y = cov(x);
    v = norm<1>(x, 3);
}
float number(matrix const& x) { return trace(x); }
void joined(signals& s, matrix& y, matrix const& x) {
    s = stack<0>(x, x + 1);
    y = tile(x, {2, 2});
}
void products(matrix& y, vector& v, matrix const& x) {
    y = tensordot<1>(x, x);
    y = cross(x, x);
    v = vecdot(x, x);
}
void networks(grids& y, grids const& x) {
    y = conv3d(x, x);
    y = max_pool3d(x);
}
