// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/tensor/interleave.hpp>

namespace {

template <class B>
void check_interleaved() {
    using T = typename B::value_type;
    constexpr std::size_t size = B::size;
    T a[size], b[size], found[2 * size];
    for (std::size_t l = 0; l < size; ++l) {
        a[l] = static_cast<T>(2 * l);
        b[l] = static_cast<T>(2 * l + 1);
    }
    felt::detail::interleave(B::load_unaligned(a), B::load_unaligned(b), found,
                             typename B::arch_type{});
    for (std::size_t l = 0; l < 2 * size; ++l) CHECK(found[l] == static_cast<T>(l));
}

// Every width that this machine has.
template <class T, std::size_t N>
void check_width() {
    using B = xsimd::make_sized_batch_t<T, N>;
    if constexpr (!std::is_void_v<B>) check_interleaved<B>();
}

TEST_CASE("two batches are interleaved, in every width") {
    check_interleaved<xsimd::batch<float>>();
    check_interleaved<xsimd::batch<double>>();
    check_width<float, 4>();
    check_width<float, 8>();
    check_width<float, 16>();
    check_width<double, 2>();
    check_width<double, 4>();
    check_width<double, 8>();
}

}  // namespace
