// SPDX-License-Identifier: BSD-3-Clause
//
// Tensor cores in an emulated block: as exact as their numbers are.
#include "tests/device/tile/emulated.hpp"
#include <felt/device/tile/mma.hpp>

using namespace felt;
using test::check_tiles;

namespace {

template <class Atom, bool Exact>
using way = device::mma<Atom, Exact, 64, 64, 16, 32, 32, 3>;

template <class Way>
void products(double relative) {
    for (index_t m : {1, 67}) {
        for (index_t n : {5, 130}) {
            for (index_t k : {1, 16, 67}) {
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(k);
                auto const a = test::random<RowMajor>({m, k}, 1),
                           b = test::random<RowMajor>({k, n}, 2);
                auto const at = test::random<ColMajor>({m, k}, 3);
                auto const bt = test::random<ColMajor>({k, n}, 4);
                double const absolute = 30 * relative;
                check_tiles<Way>(matmul(a, b), relative, absolute);
                check_tiles<Way>(matmul(at, bt), relative, absolute);
                check_tiles<Way>(sigmoid(matmul(square(a), bt) + 1), relative, absolute);
            }
        }
    }
}

}  // namespace

TEST_CASE("TF32: ten bits of mantissa") { products<way<device::tf32, false>>(1e-3); }
TEST_CASE("BF16: seven bits of mantissa") { products<way<device::bf16, false>>(8e-3); }
TEST_CASE("three products of TF32: as float") { products<way<device::tf32, true>>(1e-6); }
