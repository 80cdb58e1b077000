// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors that are computed, not stored: zeros, full, iota, uniform, normal. Random numbers
// come from a counter, so element i is the same on every space, thread count and layout.
#pragma once
#include <felt/expr/views/broadcast.hpp>
#include <felt/tensor/random.hpp>

namespace felt {

// out[i...] = g.at(i), i the row-major index of the element.
template <class G, class T, std::size_t R>
struct generator_node {
    using value_type = T;
    using space = Anywhere;
    static constexpr std::size_t rank = R;

    G g;
    felt::extents<R> e;
    char const* name;

    FELT_FN felt::extents<R> extents() const { return e; }
    FELT_FN tuple<> operands() const { return {}; }
};

namespace detail {
template <class T>
struct counting {
    FELT_FN T at(index_t i) const { return static_cast<T>(i); }
    template <int N>
    void lanes(index_t i, index_t step, T* out) const {
        for (int l = 0; l < N; ++l) out[l] = static_cast<T>(i + l * step);
    }
    FELT_FN bool operator==(counting const&) const { return true; }
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
    return detail::broadcast_to(scalar<T>{value}, e);
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

}  // namespace felt
