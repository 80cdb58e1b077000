// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels of typical statements: what they must not need is looked for in their machine code, what
// they must have in their PTX.
#include <tests/device/kernels.hpp>

namespace test {

template <std::size_t I, class F>
__global__ void take_functor(F f, F* to) {
    *to = f;
}
template <std::size_t... I>
void name_kernels(std::index_sequence<I...>) {
    (static_cast<void>(&take_functor<I, functor_at<I>>), ...);
}
void name_all_kernels() { name_kernels(std::make_index_sequence<functor_count>{}); }

// Contiguous memory, one result and two.
void contiguous(matrix_there& y, matrix_there& z, matrix_there const& x) {
    run(felt::fused, assign(y, sigmoid(x) * 2.F + x), assign(z, x - y * 3.F));
}
void broadcast(matrix_there& y, matrix_there const& x, vector_there const& v) { y = chain(x, v); }
void rows(matrix_there& y, vector_there& r, matrix_there const& x) {
    y = softmax<1>(x);
    r = felt::sum<1>(square(x));
    r = felt::sum<0>(x);
    y = felt::cumsum<1>(x);
    y = felt::logcumsumexp<0>(x);
}
void places(felt::Tensor<felt::index_t, 1, felt::Device>& to, matrix_there const& x) {
    to = argmax<1>(x);  // by CUB or by parts, as the plan says
}
float all(matrix_there const& x) { return felt::sum(square(x)); }
// One byte an element, which CUB packs, and 64-bit ones.
void narrow_and_wide(felt::Tensor<bool, 1, felt::Device>& some,
                     felt::Tensor<std::int8_t, 0, felt::Device>& largest,
                     felt::Tensor<std::int8_t, 2, felt::Device> const& bytes,
                     felt::Tensor<felt::index_t, 1, felt::Device>& m,
                     felt::Tensor<felt::index_t, 3, felt::Device> const& n) {
    some = felt::any<1>(bytes > 3);
    largest = felt::max(bytes);
    m = felt::max<0, 2>(n);
}
void images(image_there& q, vector_there& r, image_there const& p,
            felt::Tensor<felt::index_t, 1, felt::Device> const& chosen) {
    r = felt::sum<0, 2, 3>(p);  // of every channel
    q = felt::gather<0>(p, chosen);
    q = max_pool2d(relu(p)) +
        avg_pool2d(p, {.window = {3, 3}, .stride = {2, 2}, .padding = {1, 1}});
}

}  // namespace test
