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
        auto const g = device::grid_of<Way>(batches, rows, columns, terms, A::run > 0 ? 4 : 1,
                                            B::run > 0 ? 4 : 1);
        device::launch_tiles(device::make_work<Way>(g, a, b, e), "product");
    }
};

// The product of s alone, or under a pool.
template <class Way, class Y, class E>
void by_tiles(Y& y, E const& expression) {
    constexpr std::size_t R = rank_of<Y>;
    auto const s = lower(assign(y, expression));
    using target = device::tile_target<value_of<Y>, R, std::remove_cvref_t<decltype(s.expression)>>;
    tuple<target> const to{{s.data, s.e, s.stride, s.expression}};
    on_gpu<Way> const where;
    auto const own = device::own_loops<R>();
    device::for_each_product(s.expression, own, [&]<class P, class M>(P const& p, M const& m) {
        if constexpr (std::is_same_v<M, device::axes<P::rank, R + 2>>) {
            device::tile_product<P, R, 2> const four{&p, m, {{2, 2}}};
            (void)device::multiply<device::rows_in_fours<Way::row_run>>(where, to, four);
        } else {
            (void)device::multiply(where, to, device::tile_product<P, R>{&p, m});
        }
    });
}

using in_tf32 = device::mma<device::tf32, false, 128, 128, 16, 64, 32, 4>;
using in_tf32x3 = device::mma<device::tf32, true, 128, 128, 16, 64, 32, 4>;
using in_bf16 = device::mma<device::bf16, false, 128, 128, 16, 64, 32, 4>;

}  // namespace

void matrices(Tensor<float, 2, Device>& y, Tensor<float, 2, Device> const& a,
              Tensor<float, 2, Device> const& b, Tensor<float, 1, Device> const& v) {
    by_tiles<device::simt<float, 128, 128, 8, 8, 8>>(y, sigmoid(matmul(a * 2, b) + v));
    by_tiles<device::simt<float, 64, 64, 16, 4, 4>>(y, matmul(a, b));
    by_tiles<in_tf32>(y, sigmoid(matmul(a, b) + v));
    by_tiles<in_bf16>(y, matmul(a, b));
}
void images(Tensor<float, 4, Device>& y, Tensor<float, 4, Device> const& x,
            Tensor<float, 4, Device> const& w) {
    by_tiles<device::simt<float, 128, 128, 8, 8, 8>>(y, relu(conv2d(x, w, {{1, 1}, {1, 1}}) + 1));
    by_tiles<in_tf32x3>(y, conv2d(x, w, {{1, 1}, {1, 1}}));
}
void pooled(Tensor<float, 4, Device>& y, Tensor<float, 4, Device> const& x,
            Tensor<float, 4, Device> const& w) {
    by_tiles<device::simt<float, 128, 128, 8, 8, 8>>(y, max_pool2d(relu(conv2d(x, w) + 1)));
}
// Several destinations from the same sums, one by one and in fours.
void together(Tensor<float, 2, Device>& y, Tensor<float, 2, Device>& z,
              Tensor<float, 2, Device> const& a, Tensor<float, 2, Device> const& b,
              Tensor<float, 1, Device> const& v) {
    auto const p = matmul(a, b) + v;
    run(fused, assign(y, p), assign(z, sigmoid(p) * a));
    run(tf32, assign(y, p), assign(z, sigmoid(y) * a));
    auto const part = [&](index_t g) { return slice(p, all(), range(g, g + 1)); };
    run(fused, assign(y, sigmoid(part(1)) * y + sigmoid(part(0)) * tanh(part(2))),
        assign(z, sigmoid(part(3)) * tanh(y)));
}
