// SPDX-License-Identifier: BSD-3-Clause
//
// The emulated block finds what is wrong: a barrier that is not there, or too late, a wait for too
// little, a fence that is not there, parts of sums that are read as they were.
#include "tests/device/tile/emulated.hpp"
#include <felt/device/tile/mma.hpp>

using namespace felt;

namespace {

// Leaves out barrier `missing` of each thread; waits for all but `lax` groups more.
template <int Missing, int Lax>
struct faulty : test::block {
    using test::block::block;
    int count[256] = {};

    void sync() {
        if (count[thread()]++ != Missing) test::block::sync();
    }
    template <int N>
    void wait() {
        test::block::wait<N + Lax>();
    }
};

// Barriers come after the copies that follow them: a stage is overwritten that others still read.
struct late : test::block {
    using test::block::block;
    bool due[256] = {};

    void sync() { due[thread()] = true; }
    void commit() {
        test::block::commit();
        if (std::exchange(due[thread()], false)) test::block::sync();
    }
};

// Leaves out fence `missing` of each thread.
template <int Missing>
struct unfenced : test::block {
    using test::block::block;
    int count[256] = {};

    void fence() {
        if (count[thread()]++ != Missing) test::block::fence();
    }
};

// Reads what other blocks wrote as if nobody else did.
struct stale : test::block {
    using test::block::block;

    template <class T>
    T fresh(T const& x) const {
        return x;
    }
};

// Whether blocks add up the parts of a product's sums.
template <class Block>
bool adds_parts() {
    auto const a = test::random<RowMajor>({64, 1000}, 1);
    auto const b = test::random<ColMajor>({1000, 64}, 2);
    Tensor<float, 2, Device> y({64, 64}), want({64, 64});
    want = matmul(a, b);
    test::by_tiles<test::small_way, Block>(y, matmul(a, b), 3);
    return all_close(to<Host>(y), to<Host>(want), 1e-4, 1e-3);
}

// Whether a block computes a product of operands that are copied, or computed, in any order of its
// threads.
template <class Way, class Block, bool Computed>
bool is_right() {
    auto const a = test::random<RowMajor>({64, 100}, 1);
    auto const b = test::random<ColMajor>({100, 64}, 2);
    Tensor<float, 2, Device> y({64, 64}), want({64, 64});
    want = matmul(a, b);
    bool all = true;
    for (unsigned seed = 1; seed < 30 && all; ++seed) {
        if constexpr (Computed) test::by_tiles<Way, Block>(y, matmul(a * 1, b * 1), seed);
        else test::by_tiles<Way, Block>(y, matmul(a, b), seed);
        all = all_close(to<Host>(y), to<Host>(want), 1e-2, 3e-1);
    }
    return all;
}

template <class Way>
void mutants() {
    CHECK(is_right<Way, faulty<-1, 0>, false>());
    CHECK(is_right<Way, faulty<-1, 0>, true>());
    CHECK_FALSE(is_right<Way, faulty<0, 0>, false>());
    CHECK_FALSE(is_right<Way, faulty<0, 0>, true>());
    CHECK_FALSE(is_right<Way, faulty<2, 0>, true>());
    CHECK_FALSE(is_right<Way, faulty<-1, 1>, false>());
    CHECK_FALSE(is_right<Way, late, false>());
}

}  // namespace

TEST_CASE("of threads that multiply") { mutants<test::small_way>(); }
TEST_CASE("of tensor cores") { mutants<device::mma<device::tf32, false, 64, 64, 16, 32, 32, 3>>(); }
TEST_CASE("of blocks that share sums") {
    CHECK(adds_parts<test::block>());
    CHECK(adds_parts<unfenced<-1>>());
    CHECK_FALSE(adds_parts<unfenced<0>>());
    CHECK_FALSE(adds_parts<unfenced<1>>());
    CHECK_FALSE(adds_parts<stale>());
}
