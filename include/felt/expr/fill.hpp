// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors that are computed, not stored: zeros, full, iota, uniform, normal. Random numbers
// come from a counter, so element i is the same on every space, thread count and layout.
#pragma once
#include <felt/expr/views/broadcast.hpp>
#include <felt/tensor/random.hpp>
#include <cstring>

namespace felt::inline FELT_ABI {

// out[i...] = g.at(i), i the row-major index of the element.
template <class G, class T, std::size_t R>
struct FELT_LAZY generator_node {
    using value_type = T;
    using space = Anywhere;
    static constexpr node_kind what = node_kind::generator;
    static constexpr std::size_t rank = R;

    G g;
    felt::extents<R> e;
    char const* name;

    FELT_FN felt::extents<R> extents() const { return e; }
    FELT_FN tuple<> operands() const { return {}; }
    bool has_data_of(generator_node const& n) const { return g == n.g && e == n.e; }
};

namespace detail {
template <class T>
struct counting {
    FELT_FN T at(index_t i) const { return static_cast<T>(i); }
    // Counted in 32 bits where they are enough: vectors convert those best.
    template <int N>
    void lanes(index_t i, index_t step, T* out) const {
        auto const fits = [](index_t n) { return n == static_cast<std::int32_t>(n); };
        bool const narrow = fits(i) && fits(i + (N - 1) * step);
        if (narrow) count<N, std::uint32_t, std::int32_t>(i, step, out);
        else count<N, std::uint64_t, index_t>(i, step, out);
    }
    FELT_FN bool operator==(counting const&) const { return true; }

private:
    // In registers by name: a short loop would be unrolled before it is seen to be a vector.
    template <int N, class U, class I>
    static void count(index_t i, index_t step, T* out) {
        constexpr int most = static_cast<int>(xsimd::batch<U>::size), W = most < N ? most : N;
        using vec [[gnu::vector_size(sizeof(U) * W)]] = U;
        alignas(64) U number[N];
        vec v;
        for (int l = 0; l < W; ++l) v[l] = static_cast<U>(l);
        v = v * static_cast<U>(step) + static_cast<U>(i);
        for (int l = 0; l < N; l += W) {
            std::memcpy(number + l, &v, sizeof(v));
            v += static_cast<U>(W) * static_cast<U>(step);
        }
        for (int l = 0; l < N; ++l) out[l] = static_cast<T>(static_cast<I>(number[l]));
    }
};
}  // namespace detail

// 0, 1, 2, ... n-1, or along the rows of a shape.
template <element T = index_t, std::size_t R>
auto iota(extent_arg const (&e)[R]) {
    return generator_node<detail::counting<T>, T, R>{
        {}, checked_extents("iota", make_extents(e)), "iota"};
}
template <element T = index_t, std::integral I>
auto iota(I n) {
    return iota<T>({n});
}

template <element T, std::size_t R>
auto full(extents<R> const& e, T value) {
    return detail::broadcast_view(scalar<T>{value}, e);
}
template <element T, std::size_t R>
auto full(extent_arg const (&e)[R], T value) {
    return full(make_extents(e), value);
}
template <element T, std::size_t R>
auto zeros(extent_arg const (&e)[R]) {
    return full(make_extents(e), T(0));
}
template <element T, std::size_t R>
auto zeros(extents<R> const& e) {
    return full(e, T(0));
}

// Uniform in [0, 1); the same bits everywhere.
template <std::floating_point T, std::size_t R>
auto uniform(extents<R> const& e, std::uint64_t seed) {
    return generator_node<uniform_stream<T>, T, R>{
        {seed}, checked_extents("uniform", e), "uniform"};
}
template <std::floating_point T, std::size_t R>
auto uniform(extent_arg const (&e)[R], std::uint64_t seed) {
    return uniform<T>(make_extents(e), seed);
}

// Normal with mean 0 and deviation 1, by Box-Muller; to 4 ulp everywhere.
template <std::floating_point T, std::size_t R>
auto normal(extents<R> const& e, std::uint64_t seed) {
    return generator_node<normal_stream<T>, T, R>{{seed}, checked_extents("normal", e), "normal"};
}
template <std::floating_point T, std::size_t R>
auto normal(extent_arg const (&e)[R], std::uint64_t seed) {
    return normal<T>(make_extents(e), seed);
}

}  // namespace felt::inline FELT_ABI
