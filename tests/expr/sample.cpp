// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/sample.hpp>
#include <type_traits>

using felt::bernoulli;
using felt::choice;
using felt::index_t;
using felt::permutation;
using felt::randint;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

TEST_CASE("randint has the integers of its stream, in every layout and type") {
    felt::integer_stream<index_t> const s{7, -3, 10};
    auto const expected =
        computed({5, 37}, [&](auto at) { return static_cast<double>(s.at(37 * at[0] + at[1])); });
    CHECK(values(randint({5, 37}, -3, 7, 7)) == expected);
    CHECK(values(randint<short>({5, 37}, -3, 7, 7)) == expected);
    Tensor<int, 2, felt::Host, felt::ColMajor> const c = randint<int>({5, 37}, -3, 7, 7);
    CHECK(values(c) == expected);
    CHECK(values(transpose(randint<int>(c.extents(), -3, 7, 7))) == values(transpose(c)));
    CHECK(values(2 * randint<int>({5, 37}, -3, 7, 7) - c) == expected);
    CHECK(std::is_same_v<felt::value_of<decltype(randint({1}, 0, 2, 1))>, index_t>);
    CHECK(values(randint({0}, 0, 1, 1)) == plain{{0}, {}});
    CHECK_FALSE(values(randint({9}, 0, 1000, 1)) == values(randint({9}, 0, 1000, 2)));
}

TEST_CASE("a range without integers, or one that its type does not hold, is an error") {
    CHECK(message([] { (void)randint({2}, 3, 3, 1); }) ==
          "randint: from 3 to 3 there is no integer");
    CHECK(message([] { (void)randint<std::uint8_t>({2}, 0, 257, 1); }) ==
          "randint: from 0 to 257 integers do not fit their type");
    CHECK_THROWS_AS(randint<unsigned>({2}, -1, 3, 1), felt::error);
    CHECK_THROWS_AS(randint({-2}, 0, 3, 1), felt::shape_error);
    CHECK(values(randint<std::uint8_t>({3}, 255, 256, 1)) == plain{{3}, {255, 255, 255}});
}

TEST_CASE("bernoulli is uniform below p") {
    auto const below = values(felt::uniform<double>({7, 37}, 5) < 0.3);
    CHECK(values(bernoulli({7, 37}, 0.3, 5)) == below);
    CHECK(values(bernoulli<float>({7, 37}, 0.3, 5)) == below);
    CHECK(std::is_same_v<felt::value_of<decltype(bernoulli({1}, 0.5, 2))>, bool>);
    CHECK(values(bernoulli({3}, 0, 1)) == plain{{3}, {0, 0, 0}});
    CHECK(values(bernoulli({3}, 1, 1)) == plain{{3}, {1, 1, 1}});
    double const share = mean(bernoulli({100000}, 0.01, 3));
    CHECK(share == doctest::Approx(0.01).epsilon(0.1));
    CHECK_THROWS_AS(bernoulli({3}, 1.5, 1), felt::error);
    CHECK_THROWS_AS(bernoulli({3}, test::not_a_number, 1), felt::error);
}

TEST_CASE("permutation has every number once, and is where views put it") {
    for (index_t n : {0, 1, 2, 7, 37, 1000}) {
        felt::permutation_stream const s(n, 11);
        auto const expected =
            computed({n}, [&](auto at) { return static_cast<double>(s.at(at[0])); });
        CHECK(values(permutation(n, 11)) == expected);
        CHECK(values(flip<0>(flip<0>(permutation(n, 11)) + 1) - 1) == expected);
        CHECK(values(felt::scatter_add<0>({n}, permutation(n, 11), felt::full({n}, 1))) ==
              values(felt::full({n}, 1)));
    }
    CHECK_THROWS_AS(permutation(-1, 1), felt::shape_error);
}

TEST_CASE("choice is a gather of random indices") {
    auto const x = numbered<Tensor<float, 2>>({37, 5});
    CHECK(values(choice(x, 100, 3)) == values(felt::gather<0>(x, randint({100}, 0, 37, 3))));
    CHECK(values(choice(x + 1, 4, 3) - 1) == values(felt::gather<0>(x, randint({4}, 0, 37, 3))));
    auto const v = Tensor<int, 1>::of({4, 5, 6});
    CHECK(values(choice(v, {2, 3}, 9)) == values(reshape(choice(v, 6, 9), {2, 3})));
    CHECK(values(choice(v, {2, 0}, 9)) == plain{{2, 0}, {}});
    CHECK_THROWS_AS(choice(Tensor<int, 1>({0}), 1, 1), felt::error);
}

TEST_CASE("without replacement each is chosen once") {
    auto const x = numbered<Tensor<float, 2>>({37, 5});
    auto const order = permutation(37, 8);
    CHECK(values(choice(x, 37, 8, felt::without_replacement)) == values(felt::gather<0>(x, order)));
    CHECK(values(choice(x, 4, 8, felt::without_replacement)) ==
          values(felt::gather<0>(x, slice(order, felt::until(4)))));
    CHECK(values(sum<0>(cast<double>(choice(x, 37, 8, felt::without_replacement)))) ==
          values(sum<0>(cast<double>(x))));
    CHECK(message([&] { (void)choice(x, 38, 1, felt::without_replacement); }) ==
          "choice: 38 of 37 without replacement");
}

TEST_CASE("samples are not written") {
    auto const x = numbered<Tensor<float, 2>>({67, 35});
    Tensor<float, 2> y({67, 35});
    CHECK(explain(assign(y, x * bernoulli<float>(x.extents(), 0.5, 1) +
                                cast<float>(randint<int>(x.extents(), 0, 9, 2))))
              .intermediates()
              .empty());
    CHECK(explain(assign(y, 2.f * choice(x, 67, 8, felt::without_replacement)))
              .intermediates()
              .empty());
}
