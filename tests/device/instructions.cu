// SPDX-License-Identifier: BSD-3-Clause
//
// What instructions.awk counts, in the inner loops of kernels or in all of one that has no loop,
// and instructions.cmake bounds: products of matrices by the tile program, with the orders of their
// operands as constants, sums by parts, and a chain that broadcasts, by packets and by elements.
#include <felt/device.hpp>

using namespace felt;

namespace {

using device::neighbour_order;

// How a kernel multiplies, and whether operands lie in packets along the rows or in steps.
struct tf32_packets {
    using way = device::mma<device::tf32, false, 128, 128, 16, 64, 32, 4>;
    static constexpr auto a = neighbour_order::packets, b = neighbour_order::packets;
};
struct bf16_packets {
    using way = device::mma<device::bf16, false, 128, 128, 16, 64, 32, 4>;
    static constexpr auto a = neighbour_order::packets, b = neighbour_order::packets;
};
struct simt_packets {
    using way = device::simt<float, 128, 128, 8, 8, 8>;
    static constexpr auto a = neighbour_order::packets, b = neighbour_order::packets;
};
struct tf32_steps : tf32_packets {
    static constexpr auto a = neighbour_order::steps;
};
struct bf16_steps : bf16_packets {
    static constexpr auto a = neighbour_order::steps;
};
struct simt_steps : simt_packets {
    static constexpr auto a = neighbour_order::steps;
};

// Orders that are known when this is compiled leave one way to fetch.
template <class How, class Work>
struct in_order : Work {
    explicit in_order(Work const& w) : Work(w) {}

    template <class Block>
    __device__ void operator()(Block& block, typename Work::memory& m) const {
        Work own = *this;
        own.a.along_rows = own.a.term.whole = How::a == neighbour_order::packets;
        own.b.along_rows = own.b.term.whole = How::b == neighbour_order::packets;
        own.a.whole = own.b.whole = true;
        own.a.order = How::a;
        own.b.order = How::b;
        own(block, m);
    }
};

template <class How>
struct on_gpu {
    template <class A, class B, class E>
    void operator()(index_t batches, index_t rows, index_t columns, index_t terms, A const& a,
                    B const& b, E const& e) const {
        using way = typename How::way;
        auto const g = device::grid_of<way>(batches, rows, columns, terms);
        auto const work = device::make_work<way>(g, a, b, e);
        device::launch_tiles(in_order<How, std::remove_const_t<decltype(work)>>(work), "matmul");
    }
};

template <class... How>
void multiply_by(Tensor<float, 2, Device>& y, Tensor<float, 2, Device> const& a,
                 Tensor<float, 2, Device> const& b) {
    auto const s = lower(assign(y, matmul(a, b)));
    using N = std::remove_cvref_t<decltype(s.expression)>;
    tuple<device::tile_target<float, 2, N>> const to{{s.data, s.e, s.stride, s.expression}};
    auto const own = device::own_loops<2>();
    device::for_each_product(s.expression, own, [&]<class P, class M>(P const& p, M const& m) {
        (device::multiply(on_gpu<How>{}, to, device::tile_product<P, 2>{&p, m}), ...);
    });
}

}  // namespace

void multiply_in_all_orders(Tensor<float, 2, Device>& y, Tensor<float, 2, Device> const& a,
                            Tensor<float, 2, Device> const& b) {
    multiply_by<tf32_packets, tf32_steps, bf16_packets, bf16_steps, simt_packets, simt_steps>(y, a,
                                                                                              b);
}
void sum_by_parts(Tensor<float, 1, Device>& y, Tensor<float, 2, Device> const& x,
                  Tensor<float, 4, Device> const& images) {
    y = sum<0>(x);
    y = sum<0, 2, 3>(images);
}
void broadcast(Tensor<float, 2, Device>& y, Tensor<float, 2, Device> const& x,
               Tensor<float, 1, Device> const& row, Tensor<float, 2, Device> const& column) {
    y = relu(x * column + row);
}
