// SPDX-License-Identifier: BSD-3-Clause
//
// The tile program as kernels, each way and kind of operand. ptxas is to find no spill in them.
#include <felt/device.hpp>
#include <felt/device/tile/kernel.hpp>

using namespace felt;

namespace {

template <class Way>
struct on_gpu {
    template <class A, class B, class E>
    void operator()(index_t batches, index_t rows, index_t columns, index_t terms, A const& a,
                    B const& b, E const& e) const {
        auto const g = device::grid_of<Way>(batches, rows, columns, terms);
        device::launch_tiles(device::make_work<Way>(g, a, b, e), "product");
    }
};

template <class Way, class Y, class E>
void by_tiles(Y& y, E const& expression) {
    auto const s = lower(assign(y, expression));
    device::for_each_product(
        s.expression, device::own_loops<rank_of<Y>>(), [&](auto const& p, auto const& m) {
            (void)device::multiply(on_gpu<Way>{}, s.data, s.e, s.stride, s.expression, p, m);
        });
}

using tf32 = device::mma<device::tf32, false, 128, 128, 16, 64, 32, 4>;
using exact = device::mma<device::tf32, true, 128, 128, 16, 64, 32, 4>;
using bf16 = device::mma<device::bf16, false, 128, 128, 16, 64, 32, 4>;

}  // namespace

void matrices(Tensor<float, 2, Device>& y, Tensor<float, 2, Device> const& a,
              Tensor<float, 2, Device> const& b, Tensor<float, 1, Device> const& v) {
    by_tiles<device::simt<float, 128, 128, 8, 8, 8>>(y, sigmoid(matmul(a * 2, b) + v));
    by_tiles<device::simt<float, 64, 64, 16, 4, 4>>(y, matmul(a, b));
    by_tiles<tf32>(y, sigmoid(matmul(a, b) + v));
    by_tiles<bf16>(y, matmul(a, b));
}
void images(Tensor<float, 4, Device>& y, Tensor<float, 4, Device> const& x,
            Tensor<float, 4, Device> const& w) {
    by_tiles<device::simt<float, 128, 128, 8, 8, 8>>(y, relu(conv2d(x, w, {{1, 1}, {1, 1}}) + 1));
    by_tiles<exact>(y, conv2d(x, w, {{1, 1}, {1, 1}}));
}
