// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of Python (NumPy's, PyTorch's CPU tensors, whatever speaks DLPack or the buffer protocol),
// as nanobind hands them over, in Felt's expressions. Nothing is copied:
//
//   using matrix = nb::ndarray<float, nb::ndim<2>, nb::device::cpu>;
//   using constant = nb::ndarray<float const, nb::ndim<2>, nb::device::cpu>;
//   m.def("f", [](constant x, matrix y) { felt::fuse(felt::assign(y, felt::exp(x))); },
//         "x"_a.noconvert(), "y"_a.noconvert());
//
// Without noconvert() nanobind copies an array of another type or in another memory: results
// written to a copy are lost. The rank is that of nb::ndim; without one it is said,
// felt::view<2>(x). This header asks for the members of nb::ndarray and does not include it.
#pragma once
#include <felt/dlpack_types.hpp>
#include <felt/foreign.hpp>

namespace felt::inline FELT_ABI {

template <class A>
concept ndarray_like = requires(std::remove_cvref_t<A> const& a) {
    { *a.data() } -> std::same_as<typename std::remove_cvref_t<A>::Scalar&>;
    { std::remove_cvref_t<A>::Config::N } -> std::convertible_to<int>;
    { a.ndim() } -> std::convertible_to<std::size_t>;
    { a.shape(std::size_t{0}) } -> std::convertible_to<std::size_t>;
    { a.stride(std::size_t{0}) } -> std::convertible_to<std::int64_t>;
    a.device_type();
    a.device_id();
    requires element<std::remove_const_t<typename std::remove_cvref_t<A>::Scalar>>;
};

// The number of axes by its type, or -1.
template <ndarray_like A>
inline constexpr int ndarray_rank = std::remove_cvref_t<A>::Config::N;

// The elements of an array of R axes. Throws shape_error if it has others, or if elements that may
// be written are shown twice; foreign_error if they are not aligned or lie on a device.
template <std::size_t R, ndarray_like A>
    requires(ndarray_rank<A> < 0 || ndarray_rank<A> == static_cast<int>(R))
[[nodiscard]] auto view(A const& a) {
    extents<R> e, stride;
    if (a.ndim() != R) {
        throw shape_error("view: an array of " + std::to_string(a.ndim()) + " axes, not " +
                          std::to_string(R));
    }
    detail::expect_dlpack_device("view", static_cast<int>(a.device_type()),
                                 static_cast<int>(a.device_id()));
    for (std::size_t r = 0; r != R; ++r) {
        e[r] = static_cast<index_t>(a.shape(r));
        stride[r] = static_cast<index_t>(a.stride(r));
    }
    return detail::checked_view<typename A::Scalar, R>("view", a.data(), e, stride);
}
template <ndarray_like A>
    requires(ndarray_rank<A> >= 0)
[[nodiscard]] auto view(A const& a) {
    return felt::view<static_cast<std::size_t>(ndarray_rank<A>)>(a);
}

// The door by which they enter expressions, and what is said to those without a rank. An array
// holds its memory: a temporary one is copied.
template <ndarray_like A>
    requires(ndarray_rank<A> >= 0)
struct foreign_array<A> {
    static auto view(A const& a) { return felt::view(a); }
};
template <ndarray_like A>
    requires(ndarray_rank<A> < 0)
struct foreign_array<A> {
    using has_no_rank = void;
};

}  // namespace felt::inline FELT_ABI
