// SPDX-License-Identifier: BSD-3-Clause
//
// Every function of expressions takes arrays of other libraries as it takes tensors: by memory that
// knows nothing of Felt.
#include "tests/support/foreign.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <felt/sorting.hpp>
#include <vector>

using felt::index_t, felt::Tensor;

namespace {

using test::foreign;

// The first elements of a tensor of T's like, drawn once.
template <std::size_t R>
struct both {
    Tensor<float, R> tensor;
    foreign<R> array;

    explicit both(index_t const (&shape)[R], unsigned seed = 1)
        : tensor(felt::make_extents(shape)), array{{}, tensor.extents()} {
        tensor = felt::uniform<float>(tensor.extents(), seed);
        array.elements.assign(tensor.data(), tensor.data() + tensor.size());
    }
};

template <class X, class Y>
bool same(X const& x, Y const& y) {
    auto const a = felt::eval(x), b = felt::eval(y);
    if (a.extents() != b.extents()) return false;
    return std::equal(a.data(), a.data() + a.size(), b.data());
}

// f of the arrays is f of the tensors.
template <class F, std::size_t... R>
bool takes(F const& f, both<R> const&... x) {
    return same(f(x.array...), f(x.tensor...));
}

}  // namespace

TEST_CASE("shapes of arrays of other libraries") {
    both<2> const x({4, 6}), y({4, 6}, 2), square({5, 5}, 3);
    both<1> const row({6}, 4);
    both<3> const thin({1, 4, 6}, 5);
    CHECK(takes([](auto& a) { return felt::transpose(a); }, x));
    CHECK(takes([](auto& a) { return felt::permute<1, 0>(a); }, x));
    CHECK(takes([](auto& a) { return felt::swapaxes<0, 1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::moveaxis<0, 1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::mT(a); }, x));
    CHECK(takes([](auto& a) { return felt::reshape(a, {3, 8}); }, x));
    CHECK(takes([](auto& a) { return felt::flatten(a); }, x));
    CHECK(takes([](auto& a) { return felt::slice(a, felt::range(1, 3), felt::all()); }, x));
    CHECK(takes([](auto& a) { return felt::flip<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::rot180(a); }, x));
    CHECK(takes([](auto& a) { return felt::roll<1>(a, 2); }, x));
    CHECK(takes([](auto& a) { return felt::pad(a, {{1, 2}, {0, 1}}); }, x));
    CHECK(takes([](auto& a, auto& b) { return felt::concat<0>(a, b); }, x, y));
    CHECK(takes([](auto& a, auto& b) { return felt::stack<0>(a, b); }, x, y));
    CHECK(takes([](auto& a) { return felt::broadcast_to(a, {3, 4, 6}); }, x));
    CHECK(takes([](auto& a) { return felt::expand_dims<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::squeeze<0>(a); }, thin));
    CHECK(takes([](auto& a) { return felt::diagonal(a); }, square));
    CHECK(takes([](auto& a) { return felt::windows(a, {2, 3}); }, x));
    CHECK(takes([](auto& a) { return felt::upsample(a, {2, 3}); }, x));
    CHECK(takes([](auto& a) { return felt::split<0, 2>(a)[1]; }, x));
    CHECK(takes([](auto& a) { return felt::unstack<0, 4>(a)[2]; }, x));
    CHECK(takes([](auto& a) { return std::get<0>(felt::meshgrid(a, a)); }, row));
    CHECK(takes([](auto& a) { return felt::diff<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::outer(a, a); }, row));
}

TEST_CASE("reductions, statistics and products of arrays of other libraries") {
    both<2> const x({4, 6}), y({4, 6}, 2), w({6, 3}, 3);
    both<1> const v({6}, 4);
    using felt::keepdims;
    CHECK(takes([](auto& a) { return a + felt::sum<1>(a, keepdims); }, both<2>({4, 6})));
    CHECK(takes([](auto& a) { return felt::mean<0>(a); }, x));
    CHECK(takes([](auto& a) { return felt::var<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::argmax<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::cumsum<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::softmax<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::log_softmax<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::logsumexp<1>(a); }, x));
    CHECK(takes([](auto& a, auto& b) { return felt::matmul(a, b); }, x, w));
    CHECK(takes([](auto& a, auto& b) { return felt::matmul(a, b); }, x, v));
    CHECK(takes([](auto& a, auto& b) { return felt::einsum<"ij,jk->ik">(a, b); }, x, w));
    CHECK(takes([](auto& a, auto& b) { return felt::dot(a, b); }, v, v));
    CHECK(takes([](auto& a, auto& b) { return felt::vecdot(a, b); }, x, y));
    CHECK(takes([](auto& a, auto& b) { return felt::kron(a, b); }, x, y));
    CHECK(
        takes([](auto& a, auto& b) { return felt::tensordot(a, b, felt::axes<1>, felt::axes<0>); },
              x, w));
    CHECK(takes([](auto& a, auto& b) { return felt::kl(felt::abs(a), felt::abs(b)); }, x, y));
    CHECK(takes([](auto& a) { return felt::norm(a); }, x));
    CHECK(takes([](auto& a) { return felt::norm<1>(a, 1); }, x));
    CHECK(takes([](auto& a) { return felt::norm<1>(a, felt::keepdims); }, x));
    CHECK(takes([](auto& a) { return felt::stddev<0>(a); }, x));
    CHECK(takes([](auto& a) { return felt::ptp<0>(a); }, x));
    CHECK(takes([](auto& a, auto& b) { return felt::average<1>(a, b); }, x, v));
    CHECK(takes([](auto& a) { return felt::cov(a); }, x));
    CHECK(takes([](auto& a) { return felt::corrcoef(a); }, x));
    CHECK(takes([](auto& a) { return felt::diag(a); }, v));
    CHECK(takes([](auto& a) { return felt::tril(a); }, x));
    CHECK(takes([](auto& a) { return felt::trace(a); }, x));
    CHECK(takes([](auto& a) { return felt::count_nonzero<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::any<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::nansum<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::nanmean<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::nanvar<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::logcumsumexp<1>(a); }, x));
    CHECK(takes([](auto& a) { return felt::choice(a, 3, 1); }, x));
    CHECK(takes([](auto& a) { return felt::choice(a, 3, 1, felt::without_replacement); }, x));
    CHECK(takes([](auto& a, auto& b) { return felt::imag(felt::complex(a, b)); }, x, y));
}

TEST_CASE("indices and labels of arrays of other libraries") {
    both<2> const x({4, 6});
    foreign<1, index_t> const at{{2, 0, 3}, {{3}}}, labels{{5, 0, 1, 5}, {{4}}};
    auto const those = Tensor<index_t, 1>::of({2, 0, 3}),
               classes = Tensor<index_t, 1>::of({5, 0, 1, 5});
    CHECK(same(felt::gather<0>(x.array, at), felt::gather<0>(x.tensor, those)));
    CHECK(same(felt::bincount(labels, 7), felt::bincount(classes, 7)));
    CHECK(same(felt::cross_entropy(x.array, labels), felt::cross_entropy(x.tensor, classes)));
    auto const rows = felt::gather<0>(x.tensor, those);
    CHECK(same(felt::scatter_add<0>({4, 6}, at, rows), felt::scatter_add<0>({4, 6}, those, rows)));
    foreign<2, index_t> const two{{1, 0, 3, 2, 2, 2}, {{1, 6}}};
    Tensor<index_t, 2> const both_of = Tensor<index_t, 2>::of({{1, 0, 3, 2, 2, 2}});
    CHECK(
        same(felt::take_along_axis<0>(x.array, two), felt::take_along_axis<0>(x.tensor, both_of)));
}

TEST_CASE("images of other libraries") {
    both<4> const images({2, 3, 8, 8}), filters({4, 3, 3, 3}, 2);
    CHECK(takes([](auto& a, auto& b) { return felt::conv2d(a, b, {.padding = {1, 1}}); }, images,
                filters));
    CHECK(takes([](auto& a) { return felt::max_pool2d(a, {.window = {2, 2}}); }, images));
    CHECK(takes([](auto& a) { return felt::avg_pool2d(a, {.window = {2, 2}}); }, images));
    CHECK(takes([](auto& a) { return felt::argmax_pool2d(a, {.window = {2, 2}}); }, images));
    CHECK(takes(
        [](auto& a, auto& b) {
            return felt::conv2d_input_grad(felt::conv2d(a, b, {}), b,
                                           felt::extents<4>{{2, 3, 8, 8}}, {});
        },
        images, filters));
    CHECK(takes(
        [](auto& a, auto& b) {
            return felt::conv2d_weight_grad(a, felt::conv2d(a, b, {}),
                                            felt::extents<4>{{4, 3, 3, 3}}, {});
        },
        images, filters));
}

TEST_CASE("arrays of other libraries, sorted and picked from") {
    both<2> const x({4, 6});
    both<1> const v({6}, 2);
    foreign<1, index_t> const on{{1, 0, 1, 1}, {{4}}};
    CHECK(same(felt::sort<1>(x.array), felt::sort<1>(x.tensor)));
    CHECK(same(felt::argsort<0>(x.array), felt::argsort<0>(x.tensor)));
    CHECK(same(felt::topk<1>(x.array, 2).values, felt::topk<1>(x.tensor, 2).values));
    CHECK(same(felt::median<1>(x.array), felt::median<1>(x.tensor)));
    CHECK(same(felt::unique(v.array), felt::unique(v.tensor)));
    CHECK(same(felt::nonzero(v.array)[0], felt::nonzero(v.tensor)[0]));
    CHECK(felt::compress<0>(on, x.array).extents() == felt::extents<2>{{3, 6}});
}
