// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/reductions.hpp>
#include <numeric>
#include <type_traits>

using felt::index_t;
using felt::keepdims;
using felt::Tensor;
using test::computed;
using test::infinity;
using test::message;
using test::near;
using test::not_a_number;
using test::numbered;
using test::plain;
using test::values;

namespace {

template <class T, class E>
constexpr bool has_elements(E const&) {
    return std::is_same_v<T, felt::value_of<E>>;
}

auto const matrix = Tensor<float, 2>::of({{1, 5, 3}, {4, 2, 6}});

// f over the elements of x along `axes`, which the result drops.
plain reduced(plain const& x, std::vector<bool> const& drop, auto const& f) {
    std::vector<index_t> kept;
    for (std::size_t r = 0; r < drop.size(); ++r) {
        if (!drop[r]) kept.push_back(x.extents[r]);
    }
    return computed(kept, [&](index_t const* at) {
        std::vector<double> some;
        computed(x.extents, [&](index_t const* i) {
            bool here = true;
            index_t number = 0;
            for (std::size_t r = 0, k = 0; r < drop.size(); ++r) {
                here = here && (drop[r] || i[r] == at[k]);
                k += drop[r] ? 0 : 1;
                number = number * x.extents[r] + i[r];
            }
            if (here) some.push_back(x.values[static_cast<std::size_t>(number)]);
            return 0.0;
        });
        return f(some);
    });
}

double total(std::vector<double> const& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double largest(std::vector<double> const& x) { return *std::max_element(x.begin(), x.end()); }
double where_largest(std::vector<double> const& x) {
    return static_cast<double>(std::max_element(x.begin(), x.end()) - x.begin());
}

// Sums, maxima and their positions of one array in one layout.
template <class X>
void check_axes(X const& x) {
    auto const a = values(x);
    CHECK(values(sum<0>(x)) == reduced(a, {true, false, false}, total));
    CHECK(values(sum<1>(x)) == reduced(a, {false, true, false}, total));
    CHECK(values(sum<2>(x)) == reduced(a, {false, false, true}, total));
    CHECK(values(sum<0, 2>(x)) == reduced(a, {true, false, true}, total));
    CHECK(values(sum(x)) == reduced(a, {true, true, true}, total));
    CHECK(values(felt::max<1>(x)) == reduced(a, {false, true, false}, largest));
    CHECK(values(felt::max<-1>(x)) == reduced(a, {false, false, true}, largest));
    CHECK(values(argmax<0>(x)) == reduced(a, {true, false, false}, where_largest));
    CHECK(values(argmax<2>(x)) == reduced(a, {false, false, true}, where_largest));
}

}  // namespace

TEST_CASE("reductions over one axis, some, or all") {
    CHECK(values(sum<0>(matrix)) == plain{{3}, {5, 7, 9}});
    CHECK(values(sum<-1>(matrix)) == plain{{2}, {9, 12}});
    CHECK(values(sum<0, 1>(matrix)) == plain{{}, {21}});
    CHECK(values(prod<1>(matrix)) == plain{{2}, {15, 48}});
    CHECK(values(mean<0>(matrix)) == plain{{3}, {2.5, 3.5, 4.5}});
    CHECK(values(felt::max<0>(matrix)) == plain{{3}, {4, 5, 6}});
    CHECK(values(felt::min<1>(matrix)) == plain{{2}, {1, 2}});
    CHECK(values(argmax<1>(matrix)) == plain{{2}, {1, 2}});
    CHECK(values(argmin<0>(matrix)) == plain{{3}, {0, 1, 0}});
    CHECK(values(any<1>(matrix > 5)) == plain{{2}, {0, 1}});
    CHECK(values(all<0>(matrix > 1)) == plain{{3}, {0, 1, 1}});
}

TEST_CASE("a full reduction converts to its value") {
    float const s = sum(matrix);
    CHECK(s == 21);
    index_t const where = argmax(matrix);
    CHECK(where == 5);
    bool const some = any(matrix > 5), every = felt::all(matrix > 5);
    CHECK(some);
    CHECK_FALSE(every);
    float const average = mean(matrix);
    CHECK(average == 3.5f);
    float const top = felt::max(matrix), bottom = felt::min(matrix);
    CHECK(top - bottom == 5);
}

TEST_CASE("keepdims leaves reduced axes with extent 1") {
    CHECK(values(sum<1>(matrix, keepdims)) == plain{{2, 1}, {9, 12}});
    CHECK(values(sum<-2>(matrix, keepdims)) == plain{{1, 3}, {5, 7, 9}});
    CHECK(values(sum(matrix, keepdims)) == plain{{1, 1}, {21}});
    CHECK(values(mean<1>(matrix, keepdims)) == plain{{2, 1}, {3, 4}});
    CHECK(values(felt::max<0>(matrix, keepdims)) == plain{{1, 3}, {4, 5, 6}});
    CHECK(values(argmin<1>(matrix, keepdims)) == plain{{2, 1}, {0, 1}});
    CHECK(values(felt::all<1>(matrix > 1, keepdims)) == plain{{2, 1}, {0, 1}});
    CHECK(values(matrix - mean<1>(matrix, keepdims)) == plain{{2, 3}, {-2, 2, 0, 0, -2, 2}});
}

TEST_CASE("types of results: sums of integers are index_t, means of integers double") {
    auto const i = Tensor<int, 1>::of({2'000'000'000, 2'000'000'000, 1});
    auto const b = Tensor<bool, 1>::of({true, false, true});
    CHECK(has_elements<index_t>(sum(i)));
    CHECK(has_elements<index_t>(sum(b)));
    CHECK(has_elements<index_t>(prod(b)));
    CHECK(has_elements<double>(mean(i)));
    CHECK(has_elements<double>(mean(b)));
    CHECK(has_elements<float>(mean(matrix)));
    CHECK(has_elements<int>(felt::max(i)));
    CHECK(has_elements<bool>(felt::max(b)));
    CHECK(has_elements<bool>(felt::min<0>(b, keepdims)));
    CHECK(has_elements<index_t>(argmax(matrix)));
    CHECK(has_elements<bool>(any(matrix)));
    CHECK(values(sum(i)) == plain{{}, {4'000'000'001}});
    CHECK(values(sum(b)) == plain{{}, {2}});
    CHECK(values(mean(b)) == plain{{}, {2.0 / 3}});
    CHECK(values(felt::max(b)) == plain{{}, {1}});
    CHECK(values(felt::min(b)) == plain{{}, {0}});
}

TEST_CASE("over nothing: sum 0, product 1, mean NaN, all true, any false") {
    Tensor<float, 2> const none({3, 0});
    CHECK(values(sum(none)) == plain{{}, {0}});
    CHECK(values(sum<1>(none)) == plain{{3}, {0, 0, 0}});
    CHECK(values(sum<0>(none)) == plain{{0}, {}});
    CHECK(values(prod<1>(none)) == plain{{3}, {1, 1, 1}});
    CHECK(values(mean(none)) == plain{{}, {not_a_number}});
    CHECK(values(mean<1>(none)) == plain{{3}, {not_a_number, not_a_number, not_a_number}});
    CHECK(values(felt::all<1>(none)) == plain{{3}, {1, 1, 1}});
    CHECK(values(any<1>(none)) == plain{{3}, {0, 0, 0}});
}

TEST_CASE("over nothing, max, min and their positions are errors; along other axes they are not") {
    Tensor<float, 2> const none({3, 0});
    CHECK(message([&] { (void)felt::max<1>(none); }) == "max: nothing along axis 1 of (3, 0)");
    CHECK(message([&] { (void)felt::min(none); }) == "min: nothing along axis 1 of (3, 0)");
    CHECK(message([&] { (void)argmax<-1>(none); }) == "argmax: nothing along axis 1 of (3, 0)");
    CHECK_THROWS_AS(argmin(none), felt::shape_error);
    CHECK(values(felt::max<0>(none)) == plain{{0}, {}});
    CHECK(values(argmax<0>(none)) == plain{{0}, {}});
}

TEST_CASE("NaN and infinity in reductions follow NumPy") {
    float const q = std::numeric_limits<float>::quiet_NaN();
    float const inf = std::numeric_limits<float>::infinity();
    auto const x = Tensor<float, 2>::of({{1, q, 3}, {-inf, -inf, -inf}, {2, 2, inf}});
    CHECK(values(felt::max<1>(x)) == plain{{3}, {not_a_number, -infinity, infinity}});
    CHECK(values(felt::min<1>(x)) == plain{{3}, {not_a_number, -infinity, 2}});
    CHECK(values(argmax<1>(x)) == plain{{3}, {1, 0, 2}});
    CHECK(values(argmin<1>(x)) == plain{{3}, {1, 0, 0}});
    CHECK(values(argmax(x)) == plain{{}, {1}});
    CHECK(values(sum<0>(x)) == plain{{3}, {-infinity, not_a_number, not_a_number}});
}

TEST_CASE("a position is the first of equals, wherever lanes and pieces end") {
    Tensor<float, 1> x = felt::zeros<float>({10'007});
    for (index_t at : {0, 1, 15, 16, 4095, 4096, 10'006}) {
        felt::slice(x, felt::range(at, x.size())) = static_cast<float>(at + 1);
        index_t const found = argmax(x);
        CHECK(found == at);
    }
}

TEST_CASE("count_nonzero counts what is not 0, NaN with it, in index_t") {
    auto const x = Tensor<float, 2>::of(
        {{0, -0.f, 1, std::numeric_limits<float>::quiet_NaN()}, {1e-45f, HUGE_VALF, 0, -3}});
    index_t const all = count_nonzero(x);
    CHECK(all == 5);
    CHECK(has_elements<index_t>(felt::count_nonzero<0>(x)));
    CHECK(values(felt::count_nonzero<0>(x)) == plain{{4}, {1, 1, 1, 2}});
    CHECK(values(felt::count_nonzero<-1>(x, keepdims)) == plain{{2, 1}, {2, 3}});
    CHECK(values(felt::count_nonzero<0, 1>(x > 0)) == plain{{}, {3}});
    CHECK(values(felt::count_nonzero<1>(felt::cast<std::uint8_t>(matrix) * 128)) ==
          plain{{2}, {3, 0}});
    CHECK(values(felt::count_nonzero<0>(Tensor<double, 2>({0, 3}))) == plain{{3}, {0, 0, 0}});
    for (index_t n : {1, 15, 16, 17, 1000, 70001}) {
        auto const rest = felt::iota<int>(n) % 7;
        CHECK(static_cast<index_t>(count_nonzero(rest)) == n - (n + 6) / 7);
        CHECK(static_cast<index_t>(sum(rest != 0)) == n - (n + 6) / 7);
    }
}

TEST_CASE("all layouts and strides give the same reductions") {
    check_axes(numbered<Tensor<float, 3>>({3, 17, 19}));
    check_axes(numbered<Tensor<float, 3, felt::Host, felt::ColMajor>>({17, 3, 5}));
    check_axes(numbered<Tensor<float, 3>>({1, 1, 1}));
    check_axes(transpose(numbered<Tensor<float, 3>>({7, 2, 33})));
    auto const x = numbered<Tensor<float, 3>>({4, 9, 70});
    check_axes(felt::slice(x, felt::all(), felt::range(0, 9, 2), felt::range(1, 70, 3)));
}

TEST_CASE("a sum of many numbers keeps its precision") {
    Tensor<float, 1> const x = felt::full({1'000'003}, 0.1f);
    CHECK(values(sum(x)) == plain{{}, {1'000'003 * static_cast<double>(0.1f)}, 1e-6});
}

TEST_CASE("the reduction of an expression and an expression of reductions") {
    auto const a = values(matrix);
    CHECK(values(sum<1>(square(matrix) + 1)) == plain{{2}, {38, 59}});
    CHECK(values(sum<0>(sum<1>(matrix))) == plain{{}, {21}});
    CHECK(values(sum<1>(matrix) / felt::max<1>(matrix)) == plain{{2}, {9.0 / 5, 2}, 1e-7});
    CHECK(values(sum<1>(transpose(matrix) * Tensor<float, 1>::of({1, 10}))) ==
          plain{{3}, {41, 25, 63}});
}

TEST_CASE("max of two tensors says to use maximum") {
    CHECK_FALSE([](auto const& x) { return requires { felt::max(x, x); }; }(matrix));
    CHECK_FALSE([](auto const& x) { return requires { felt::min(x, x); }; }(matrix));
}
