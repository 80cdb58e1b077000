// SPDX-License-Identifier: BSD-3-Clause
//
// What arrays of other libraries have in common, once foreign_array (core/concepts.hpp) says how
// they become views: they are destinations, and their memory is checked.
//
//   felt::fuse(felt::assign(a, e));   a is written; it is never resized
//   felt::noalias(a) = e;             e reads nothing of a
//   felt::view(a) += e;
#pragma once
#include <felt/core/overlap.hpp>
#include <felt/expr/assign.hpp>

namespace felt::inline FELT_ABI {

// Memory or a type of another library of which no view can be made.
struct foreign_error : error {
    using error::error;
};

namespace detail {

// Whether two indices i, j lead to one element: sum_r d_r s_r = 0 for a difference d = i - j whose
// first entry that is not 0 is positive.
inline bool an_element_is_shown_twice(index_t const* e, index_t const* stride, std::size_t rank) {
    if (std::any_of(e, e + rank, [](index_t n) { return n == 0; })) return false;
    for (std::size_t first = 0; first < rank; ++first) {
        if (e[first] == 1) continue;
        sum_of_multiples distance;
        distance.add(stride[first], 1, e[first] - 1);
        for (std::size_t r = first + 1; r < rank; ++r) distance.add(stride[r], 1 - e[r], e[r] - 1);
        distance.largest_first();
        if (can_be(distance, 0, 0)) return true;
    }
    return false;
}

template <std::size_t R>
void expect_elements_apart(char const* function, extents<R> const& e, extents<R> const& stride) {
    if (an_element_is_shown_twice(e.value, stride.value, R)) {
        throw shape_error(std::string(function) + ": strides " + to_string(stride) + " of " +
                          to_string(e) + " show an element twice: read it as const");
    }
}

inline void expect_memory(char const* function, void const* data, std::size_t aligned_to,
                          index_t size) {
    if (size > 0 && data == nullptr) {
        throw foreign_error(std::string(function) + ": a null pointer to " + std::to_string(size) +
                            " elements");
    }
    if (size > 0 && reinterpret_cast<std::uintptr_t>(data) % aligned_to != 0) {
        throw foreign_error(std::string(function) + ": elements are not aligned to " +
                            std::to_string(aligned_to) + " bytes");
    }
}

// Memory that another library describes when the program runs. Throws shape_error for a negative
// extent, and if an element that may be written is shown twice; foreign_error for a null pointer
// and for elements that are not aligned. `function` begins the message.
template <class T, std::size_t R>
View<T, R> checked_view(char const* function, T* data, extents<R> const& e,
                        extents<R> const& stride) {
    checked_extents(function, e);
    expect_memory(function, data, alignof(T), e.size());
    if constexpr (!std::is_const_v<T>) expect_elements_apart(function, e, stride);
    return {data, e, stride};
}

}  // namespace detail

// Whether the elements outlive the object X, which shows them only.
template <class X>
concept foreign_array_borrows =
    requires { typename foreign_array<std::remove_cvref_t<X>>::borrows; };

template <foreign_operand X>
using foreign_view = decltype(foreign_array<std::remove_cvref_t<X>>::view(
    std::declval<std::remove_reference_t<X>&>()));

// A foreign array that can be written, and that is there when the statement runs.
template <class D>
concept foreign_destination =
    foreign_operand<D> && (std::is_lvalue_reference_v<D> || foreign_array_borrows<D>) &&
    destination_is_writable<foreign_view<D>>;

// The statement "the elements of y become e". Throws shape_error if e does not broadcast to y.
template <foreign_destination D, class E>
    requires assignable_from<foreign_view<D>, E>
auto assign(D&& y, E&& e) {
    return assign(foreign_array<std::remove_cvref_t<D>>::view(y), std::forward<E>(e));
}

// noalias(y) = e writes the elements of y, and promises that e reads none of them.
template <class V>
struct [[nodiscard("it does nothing by itself: noalias(y) = e")]] noalias_elements {
    V y;

    template <class E>
        requires assignable_from<V, E>
    void operator=(E&& e) const {
        V to = y;
        noalias(to) = std::forward<E>(e);
    }
};
template <foreign_destination D>
[[nodiscard]] auto noalias(D&& y) {
    return noalias_elements<foreign_view<D>>{foreign_array<std::remove_cvref_t<D>>::view(y)};
}

}  // namespace felt::inline FELT_ABI
