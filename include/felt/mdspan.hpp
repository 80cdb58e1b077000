// SPDX-License-Identifier: BSD-3-Clause
//
// Multidimensional spans (C++23's std::mdspan, Kokkos' reference implementation, or whatever has
// their members) in Felt's expressions, and Felt's tensors as spans. Nothing is copied:
//
//   void f(std::mdspan<float const, std::dextents<int, 2>> a, std::mdspan<..> b) {
//       felt::fuse(felt::assign(b, felt::exp(a) + 1.f));
//   }
//   f(felt::to_mdspan<std::mdspan<float const, std::dextents<int, 2>>>(x), ..);
//
// Element (i, j) is at data_handle()[sum of index * stride(r)] in both libraries. Include the
// header that has the spans; this one needs none of them.
#pragma once
#include <felt/foreign.hpp>
#include <array>
#include <limits>

namespace felt::inline FELT_ABI {

template <class M>
concept mdspan_like = requires(std::remove_cvref_t<M> const& m) {
    typename std::remove_cvref_t<M>::element_type;
    typename std::remove_cvref_t<M>::extents_type;
    typename std::remove_cvref_t<M>::mapping_type;
    { std::remove_cvref_t<M>::rank() } -> std::convertible_to<std::size_t>;
    m.data_handle();
    m.mapping().is_strided();
    m.extent(0);
};

template <class M>
concept mdspan_has_strides =
    std::remove_cvref_t<M>::rank() == 0 ||
    requires(std::remove_cvref_t<M> const& m) { m.mapping().stride(std::size_t{0}); };

// Its accessor gives the elements themselves: not their products with a number, not atomic ones.
template <class M>
concept mdspan_gives_its_elements = mdspan_like<M> && requires(std::remove_cvref_t<M> const& m) {
    requires std::same_as<std::remove_cvref_t<decltype(m.data_handle())>,
                          typename std::remove_cvref_t<M>::element_type*>;
    requires std::same_as<typename std::remove_cvref_t<M>::reference,
                          typename std::remove_cvref_t<M>::element_type&>;
};

template <class M>
concept mdspan_operand =
    mdspan_gives_its_elements<M> && mdspan_has_strides<M> &&
    element<std::remove_const_t<typename std::remove_cvref_t<M>::element_type>> &&
    std::remove_cvref_t<M>::rank() <= max_rank;

// The elements of a span. Throws shape_error if no strides say where they are, or if elements that
// may be written are shown twice; foreign_error if they are not aligned.
template <mdspan_operand M>
[[nodiscard]] auto view(M const& m) {
    constexpr std::size_t R = M::rank();
    extents<R> e, stride;
    if (!m.mapping().is_strided()) throw shape_error("view: the mdspan's mapping has no strides");
    for (std::size_t r = 0; r != R; ++r) {
        e[r] = static_cast<index_t>(m.extent(r));
        if constexpr (R > 0) stride[r] = static_cast<index_t>(m.mapping().stride(r));
    }
    return detail::checked_view<typename M::element_type, R>("view", m.data_handle(), e, stride);
}

// The door by which they enter expressions. A span owns nothing.
template <mdspan_operand M>
struct foreign_array<M> {
    using borrows = void;
    static auto view(M const& m) { return felt::view(m); }
};

namespace detail {

[[noreturn]] inline void no_mdspan(shape_ref e, shape_ref stride, char const* why) {
    throw shape_error("to_mdspan: strides " + stride.text() + " of " + e.text() + why);
}

// Extents that the span's type has room for, and agrees with.
template <class E, std::size_t R>
E mdspan_extents(extents<R> const& e) {
    using I = typename E::index_type;
    std::array<I, R> to{};
    for (std::size_t r = 0; r != R; ++r) {
        to[r] = static_cast<I>(e[r]);
        bool const any = E::static_extent(r) == std::numeric_limits<std::size_t>::max();
        if (!std::in_range<I>(e[r]) ||
            (!any && E::static_extent(r) != static_cast<std::size_t>(e[r]))) {
            throw shape_error("to_mdspan: extents " + to_string(e) + " do not fit the type");
        }
    }
    return E(to);
}

// The mapping of a type that is told its strides: they are positive, and no element is shown twice.
template <class Mapping, std::size_t R>
Mapping strided_mapping(typename Mapping::extents_type const& to, extents<R> const& e,
                        extents<R> const& stride) {
    using I = typename Mapping::index_type;
    std::array<I, R> steps{};
    for (std::size_t r = 0; r != R; ++r) {
        index_t const step = e[r] < 2 ? std::max<index_t>(stride[r], 1) : stride[r];
        if (step < 1 || !std::in_range<I>(step)) no_mdspan(e, stride, " are no mdspan's");
        steps[r] = static_cast<I>(step);
    }
    if (an_element_is_shown_twice(e.value, stride.value, R)) {
        no_mdspan(e, stride, " show an element twice");
    }
    return Mapping(to, steps);
}

template <class Mapping, std::size_t R>
Mapping mdspan_mapping(extents<R> const& e, extents<R> const& stride) {
    using E = typename Mapping::extents_type;
    auto const to = mdspan_extents<E>(e);
    if constexpr (std::constructible_from<Mapping, E, std::array<typename E::index_type, R>> &&
                  R > 0) {
        return strided_mapping<Mapping>(to, e, stride);
    } else {
        Mapping const mapping(to);
        if constexpr (R > 0) {
            for (std::size_t r = 0; r != R; ++r) {
                bool const same = static_cast<index_t>(mapping.stride(r)) == stride[r];
                if (!same && e[r] > 1 && e.size() > 0) {
                    no_mdspan(e, stride, " are not those of the mdspan's layout");
                }
            }
        }
        return mapping;
    }
}

}  // namespace detail

template <class M, class X>
concept span_has_as_many_axes = M::rank() == rank_of<X>;
template <class M, class X>
concept span_shows_such_elements =
    std::convertible_to<decltype(std::declval<X&>().data()), typename M::element_type*>;
template <class X>
concept elements_outlive_the_span =
    std::is_lvalue_reference_v<X> || std::is_trivially_destructible_v<std::remove_cvref_t<X>>;

// The elements of a tensor or view as a span of type M, which must not outlive the tensor. Throws
// shape_error if the layout of M does not place them so (layout_stride places all whose strides are
// positive), and if extents are not those of its type.
template <mdspan_operand M, strided_array X>
    requires span_has_as_many_axes<M, X> && span_shows_such_elements<M, X> &&
             elements_outlive_the_span<X> && lies_on_host<X>
[[nodiscard]] M to_mdspan(X&& x) {
    using mapping = typename M::mapping_type;
    return M(x.data(), detail::mdspan_mapping<mapping>(x.extents(), x.strides()));
}

}  // namespace felt::inline FELT_ABI
