// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/expr/views/gather.hpp>
#include <cstdint>

using felt::gather;
using felt::Tensor;
using test::computed;
using test::message;
using test::numbered;
using test::plain;
using test::values;

namespace {

auto const x = Tensor<int, 2>::of({{1, 2, 3}, {4, 5, 6}});
using indices = Tensor<int, 1>;

}  // namespace

TEST_CASE("gather picks slices of an axis by their numbers, in any order") {
    CHECK(values(gather<0>(x, indices::of({1, 0, 1}))) ==
          plain{{3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6}});
    CHECK(values(gather<-1>(x, indices::of({2, 2}))) == plain{{2, 2}, {3, 3, 6, 6}});
    CHECK(values(gather<0>(x, Tensor<std::uint8_t, 1>::of({1}))) == plain{{1, 3}, {4, 5, 6}});
    CHECK(values(gather<0>(x, Tensor<felt::index_t, 1>::of({}))) == plain{{0, 3}, {}});
}

TEST_CASE("gather of expressions by computed indices") {
    auto const y = numbered<Tensor<float, 2>>({23, 37});
    auto const a = values(y);
    auto const backwards = 22 - felt::iota<int>(23);
    CHECK(values(gather<0>(y * 2, backwards) / 2) ==
          computed({23, 37}, [&](auto at) { return a(22 - at[0], at[1]); }));
    CHECK(values(gather<1>(transpose(y), backwards)) ==
          computed({37, 23}, [&](auto at) { return a(22 - at[1], at[0]); }));
    CHECK(values(gather<0>(sum<1>(y), argmax<1>(y) * 0 + 5)) == computed({23}, [&](auto) {
              double sum = 0;
              for (int j = 0; j < 37; ++j) sum += a(5, j);
              return sum;
          }));
}

TEST_CASE("an index outside is an error that says where, and nothing is written") {
    Tensor<int, 2> y = felt::full({2, 3}, 7);
    CHECK(message([&] { y = gather<0>(x, indices::of({0, 2})); }).find("gather: index 2") == 0);
    CHECK_THROWS_AS((y = gather<0>(x, indices::of({0, -1}))), felt::shape_error);
    CHECK_THROWS_AS((y = gather<0>(x + 1, indices::of({1, 1}) + 1)), felt::shape_error);
    CHECK(values(y) == plain{{2, 3}, {7, 7, 7, 7, 7, 7}});
    Tensor<int, 2> large({1000, 3});
    indices which({1000});
    which(999) = 2;
    CHECK_THROWS_AS((large = gather<0>(x, which) + 1), felt::shape_error);
    CHECK(values(large) == values(Tensor<int, 2>({1000, 3})));
    Tensor<int, 2> empty;
    CHECK_THROWS_AS((empty = gather<0>(x, indices::of({0, 2}))), felt::shape_error);
    CHECK(empty.extents() == felt::extents<2>{});
}
