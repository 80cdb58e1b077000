// SPDX-License-Identifier: BSD-3-Clause
//
// Every word of the operations' page that is an expression, as the argument of a kernel: what it is
// made of runs on a device. tests/house/device_words.cmake holds that no word is missing.
#include <tests/device/question.hpp>

namespace test {

struct larger {
    FELT_FN auto operator()(auto x, auto y) const { return felt::math::select(x < y, y, x); }
};
struct largest : larger {
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
};

struct twice {
    auto make(auto const& x) const { return x + x; }
};

template <class... E>
void name_kernels(E const&... e) {
    (static_cast<void>(&take<0, decltype(felt::lower(felt::as_node(e)))>), ...);
}

using vector = felt::Tensor<float, 1>;
using matrix = felt::Tensor<float, 2>;
using cube = felt::Tensor<float, 3>;
using image = felt::Tensor<float, 4>;
using volume = felt::Tensor<float, 5>;
using integers = felt::Tensor<int, 2>;
using labels = felt::Tensor<felt::index_t, 1>;

void views(matrix& x, vector& v, cube& c, labels& at, integers& k) {
    using namespace felt;
    name_kernels(expand_dims<0>(x + 1), squeeze<0>(c + 1), swapaxes<0, 1>(x + 1),
                 moveaxis<0, 1>(x + 1), mT(c + 1), permute<1, 0>(x + 1), transpose(x + 1),
                 flatten(x + 1), reshape(x + 1, {-1}), flip<0>(x + 1), rot180(x + 1),
                 slice(x + 1, from(1), until(-1)), diagonal(x + 1), diag(v + 1), tril(x + 1),
                 triu(x + 1), broadcast_to(v + 1, {2, 3}), x + along<1>(v),
                 pad(x, {{1, 1}, {0, 2}}, pad_mode::wrap), roll<0>(x, 1), tile(x, {2, 2}),
                 repeat<0>(x, 2), upsample(x, {2, 2}), windows(x, {2, 2}), concat<0>(x, x, x),
                 stack<0>(x, x), gather<0>(x, at), take_along_axis<0>(x, k),
                 put_along_axis<0>(x, k, x), scatter_add<0>({3, 4}, at, x), bincount(at, 3));
    auto const [first, second] = split<0, 2>(x + 1);
    auto const [i, j] = meshgrid(v, v);
    auto const [p, q] = broadcast_arrays(v, x);
    auto const [row, other] = unstack<0, 2>(x + 1);
    name_kernels(first, second, i, j, p, q, row, other);
}

void reductions(matrix& x, vector& v, integers& k, labels& at) {
    using namespace felt;
    name_kernels(sum(x), prod<0>(x), mean<0>(x), max<0>(x), min<0>(x), argmax<0>(x), argmin<0>(x),
                 any<0>(x), all<0>(x), count_nonzero<0>(x), ptp<0>(x), var<0>(x), stddev<0>(x),
                 average<0>(x, v), nansum<0>(x), nanprod<0>(x), nanmean<0>(x), nanmax<0>(x),
                 nanmin<0>(x), nanvar<0>(x), nanstd<0>(x), norm<0>(x), norm<0>(x, 3.0),
                 norm<0>(x, order::inf), reduce<0>(largest{}, x), cov(x), corrcoef(x), diff<0>(x),
                 trace(x), norm2(x), logsumexp<0>(x), softmax<0>(x), log_softmax<0>(x), prod<0>(k));
    name_kernels(cross_entropy(x, at), kl(0.1f, x), compose(twice{}, x));
    name_kernels(cumsum<0>(x), cumprod<0>(x), cummax<0>(x), cummin<0>(x), logcumsumexp<0>(x),
                 inclusive_scan<0>(larger{}, x), exclusive_scan<0>(larger{}, x, 0.f), cumsum<0>(k));
}

void products(matrix& x, vector& v, cube& c, image& p, volume& q, labels& at) {
    using namespace felt;
    name_kernels(matmul(x, x), einsum<"ij,ij->i">(x, x), einsum<"ij,jk->ik">(x, x), dot(v, v),
                 vecdot(x, x), inner(x, x), tensordot<1>(x, x), tensordot<2>(x, x), cross(x, x),
                 outer(v, v), kron(x, x), conv1d(c, c), conv2d(p, p), conv3d(q, q),
                 conv2d_input_grad(p, p, {1, 2, 3, 4}), conv2d_weight_grad(p, p, {1, 2, 3, 4}),
                 avg_pool1d(c), max_pool1d(c), avg_pool2d(p), max_pool2d(p), avg_pool3d(q),
                 max_pool3d(q), argmax_pool2d(p), avg_pool2d_grad(p, {1, 2, 3, 4}),
                 max_pool2d_grad(p, argmax_pool2d(p), {1, 2, 3, 4}), one_hot<float>(at, 3));
}

void creation(matrix& x, vector& v) {
    using namespace felt;
    name_kernels(zeros<float>({2}), ones<float>({2}), full({2}, 3.f), zeros_like(x), ones_like(x),
                 full_like(x, 2.f), eye<float>(3), arange(4), arange<float>(1, 4, 2),
                 linspace<float>(0, 1, 5), iota<int>(3), uniform<float>({2}, 1),
                 normal<float>({2}, 1), randint<int>({2}, 0, 5, 1), bernoulli<float>({2}, 0.5, 1),
                 permutation(4, 1), choice(v, 2, 1));
}

void elementwise(matrix& x, integers& k) {
    using namespace felt;
    name_kernels(logical_xor(x > 0, x < 1), reciprocal(x), remainder(k, 3), k % 3, ~k, k << 1);
}

}  // namespace test
