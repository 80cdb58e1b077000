// SPDX-License-Identifier: BSD-3-Clause
//
// The tile program in an emulated block has the values that the host has: awkward extents, all
// orders of memory, what is fused before and after, sums in parts.
#include "tests/device/tile/emulated.hpp"

using namespace felt;
using test::check_tiles;
using matrix = Tensor<float, 2, Device>;

TEST_CASE("products of awkward extents, each order of memory") {
    for (index_t m : {1, 5, 64, 67, 130}) {
        for (index_t n : {1, 4, 66}) {
            for (index_t k : {0, 1, 7, 16, 33}) {
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                auto const a = test::random<RowMajor>({m, k}, 1);
                auto const b = test::random<RowMajor>({k, n}, 2);
                auto const at = test::random<ColMajor>({m, k}, 3);
                auto const bt = test::random<ColMajor>({k, n}, 4);
                check_tiles(matmul(a, b));
                check_tiles(matmul(at, bt));
                check_tiles(matmul(a, bt));
                check_tiles(matmul(at, b));
            }
        }
    }
}

TEST_CASE("what comes before and after the sums is fused") {
    auto const a = test::random<RowMajor>({67, 40}, 1);
    auto const b = test::random<ColMajor>({40, 33}, 2);
    auto const c = test::random<RowMajor>({67, 33}, 3);
    Tensor<float, 1, Device> v({33});
    v = normal<float>({33}, 4);
    check_tiles(sigmoid(matmul(a, b) + v) * c - matmul(a, b));
    check_tiles(matmul(sigmoid(a) * 2, flip<0>(b)));
    check_tiles(matmul(a, b + reshape(iota<float>({40}), {40, 1}) / 40));
    check_tiles(transpose(matmul(a, b)) + transpose(c));
    check_tiles(where(matmul(a, b) > 0, c, cast<float>(uniform<float>({67, 33}, 5))));
    auto const s = slice(matmul(a, b), range(3, 50), range(5, 33));
    check_tiles(exp(s / 20) + slice(c, range(3, 50), range(5, 33)));
}

TEST_CASE("batches, several axes, double and integers") {
    Tensor<float, 3, Device> x({3, 20, 7}), y({1, 7, 35}), z({3, 2, 7});
    x = normal<float>({3, 20, 7}, 1), y = normal<float>({1, 7, 35}, 2);
    z = normal<float>({3, 2, 7}, 3);
    check_tiles(matmul(x, y));
    check_tiles(einsum<"bij,blj->ilb">(slice(x, all(), range(0, 5), all()), z));
    check_tiles(einsum<"bij,kij->bk">(x, x));
    auto const a = cast<double>(x);
    using wide = device::simt<double, 64, 64, 16, 4, 4>;
    check_tiles<wide>(matmul(a, cast<double>(y)), 1e-12);
    using whole = device::simt<int, 64, 64, 16, 4, 4>;
    check_tiles<whole>(matmul(cast<int>(x * 9), cast<int>(y * 9)), 0, 0);
    check_tiles<whole>(einsum<"bij,bij->b">(cast<int>(x * 9), cast<int>(x * 9)), 0, 0);
    check_tiles<whole>(einsum<"bij,bij->">(cast<int>(x * 9), cast<int>(x * 9)), 0, 0);
}

TEST_CASE("sums in parts, added in order by the block that comes last") {
    auto const a = test::random<RowMajor>({70, 3001}, 1);
    auto const b = test::random<ColMajor>({3001, 65}, 2);
    check_tiles(tanh(matmul(a, b) / 50));
    matrix first({70, 65}), second({70, 65});
    test::by_tiles<test::small_way>(first, matmul(a, b), 1);
    test::by_tiles<test::small_way>(second, matmul(a, b),
                                    2);  // another order of blocks and threads
    CHECK(all_close(to<Host>(first), to<Host>(second), 0, 0));
}

TEST_CASE("infinity and NaN stay in their rows and columns") {
    auto a = test::random<RowMajor>({66, 9}, 1), b = test::random<RowMajor>({9, 5}, 2);
    slice(a, range(65, 66), range(2, 3)) = std::numeric_limits<float>::quiet_NaN();
    slice(a, range(3, 4), range(8, 9)) = std::numeric_limits<float>::infinity();
    matrix y({66, 5});
    test::by_tiles<test::small_way>(y, matmul(a, b));
    auto const is_finite = cast<int>(abs(y) < 1e30f);
    CHECK(int(sum(is_finite)) == 64 * 5);
}
