// SPDX-License-Identifier: BSD-3-Clause
//
// View<T, Rank, Space>: elements that somebody else owns, by pointer, extents and strides.
// A view never resizes; assigning to it writes the elements it shows.
#pragma once
#include <felt/core/concepts.hpp>
#include <felt/core/errors.hpp>
#include <felt/core/layout.hpp>
#include <felt/core/refused.hpp>
#include <utility>

namespace felt::inline FELT_ABI {

template <class Space>
concept element_access_is_possible = Space::element_access;

// What runs when it is called, by ordinary loops, asks for this: else copy first, to<Host>(x).
template <class X>
concept lies_on_host = element_access_is_possible<join_space_t<space_of<X>, Host>>;

template <std::size_t Rank, class... I>
concept one_index_for_every_axis = sizeof...(I) == Rank;

template <class T>
concept elements_are_writable = !std::is_const_v<T>;

namespace detail {
[[noreturn]] FELT_PLANNING inline void access_fails(index_t const* at, index_t const* e,
                                                    std::size_t rank) {
    throw shape_error("element access: index " + to_string(at, rank) + " in " + to_string(e, rank));
}

template <std::size_t R, class... I>
index_t element_offset(extents<R> const& e, extents<R> const& stride, I... i) {
    extents<R> const at{static_cast<index_t>(i)...};
    index_t offset = 0;
    for (std::size_t r = 0; r != R; ++r) {
        if (FELT_CHECKED && (at[r] < 0 || at[r] >= e[r])) {
            apart<&access_fails>::call(at.value, e.value, R);
        }
        offset += at[r] * stride[r];
    }
    return offset;
}
}  // namespace detail

template <class T, std::size_t Rank, class Space = Host>
    requires complex_numbers_lie_on_host<std::remove_const_t<T>, Space>
class View {
public:
    using value_type = std::remove_const_t<T>;
    using space = Space;
    static constexpr std::size_t rank = Rank;

    View(T* data, felt::extents<Rank> const& e, felt::extents<Rank> const& strides)
        : data_(data), extents_(e), strides_(strides) {}
    View(View const&) = default;

    // A view of elements is a view of constant elements.
    template <class U>
        requires(!std::is_const_v<T>) && std::same_as<U, T const>
    operator View<U, Rank, Space>() const {
        return {data_, extents_, strides_};
    }

    // Assignment writes elements, also from another view of the same type.
    View& operator=(View const& other)
        requires elements_are_writable<T>
    {
        run_assignment(*this, other);
        return *this;
    }
    template <class E>
        requires elements_are_writable<T> &&
                 (!std::same_as<std::remove_cvref_t<E>, View>) && assignable_from<View, E>
    View& operator=(E&& e) {
        run_assignment(*this, std::forward<E>(e));
        return *this;
    }

    // These take nothing.
    View& operator=(refused<View>);
    View& operator=(refused_container<View>);

    [[nodiscard]] index_t extent(std::size_t axis) const { return extents_[axis]; }
    [[nodiscard]] felt::extents<Rank> extents() const { return extents_; }
    [[nodiscard]] felt::extents<Rank> strides() const { return strides_; }
    [[nodiscard]] index_t size() const { return extents_.size(); }
    [[nodiscard]] T* data() const { return data_; }

    // All elements, as they lie in memory. Throws shape_error where they do not lie side by side.
    [[nodiscard]] T* begin() const
        requires element_access_is_possible<Space>
    {
        detail::expect_packed(extents_.value, strides_.value, Rank);
        return data_;
    }
    [[nodiscard]] T* end() const
        requires element_access_is_possible<Space>
    {
        return data_ + size();
    }

    template <std::integral... I>
        requires element_access_is_possible<Space> && one_index_for_every_axis<Rank, I...>
    T& operator()(I... i) const {
        return data_[detail::element_offset<Rank>(extents_, strides_, i...)];
    }

    void operator()(refused_index<element_access_is_possible<Space>>, ...) const;  // takes nothing
    template <class I>
    void operator[](I&&) const = delete;  // elements are x(i, j), a row is slice(x, i, all())

private:
    T* data_;
    felt::extents<Rank> extents_;
    felt::extents<Rank> strides_;
};

// Somebody else's memory as a tensor: {m, n} at `data`, packed in Layout order or by strides
// (in elements). The memory must outlive every expression over it.
template <class Layout = RowMajor, class Space = Host, class T, std::size_t R>
[[nodiscard]] View<T, R, Space> view(T* data, extent_arg const (&e)[R]) {
    auto const x = make_extents(e);
    return {data, x, Layout::strides(x)};
}
template <class Layout = RowMajor, class Space = Host, class T, std::size_t R>
[[nodiscard]] View<T, R, Space> view(T* data, extent_arg const (&e)[R],
                                     extent_arg const (&strides)[R]) {
    return {data, make_extents(e), make_extents(strides)};
}
template <class Layout = RowMajor, class Space = Host, class T, std::size_t R>
[[nodiscard]] View<T, R, Space> view(T* data, extents<R> const& e) {
    return {data, e, Layout::strides(e)};
}

// These take nothing.
void view(refused_container<>);
template <std::size_t R>
void view(refused_container<>, extent_arg const (&)[R]);

// The elements of a tensor or view, by reference.
template <strided_array X>
[[nodiscard]] auto view(X&& x) {
    using T = std::remove_pointer_t<decltype(x.data())>;
    return View<T, rank_of<X>, space_of<X>>(x.data(), x.extents(), x.strides());
}

}  // namespace felt::inline FELT_ABI
