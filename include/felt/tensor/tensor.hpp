// SPDX-License-Identifier: BSD-3-Clause
//
// Tensor<T, Rank, Space, Layout>: an owner of elements. y(i, j) is at sum(index * stride).
#pragma once
#include <felt/core/concepts.hpp>
#include <felt/core/errors.hpp>
#include <felt/core/layout.hpp>
#include <felt/core/refused.hpp>
#include <felt/tensor/storage.hpp>
#include <felt/tensor/literal.hpp>
#include <felt/tensor/view.hpp>
#include <utility>

namespace felt::inline FELT_ABI {

template <std::size_t Rank>
concept rank_is_at_most_eight = Rank <= max_rank;

template <class Layout, std::size_t Rank>
concept layout_orders_axes = requires(extents<Rank> const& e) {
    { Layout::strides(e) } -> std::same_as<extents<Rank>>;
};

template <class Space>
concept space_stands_before_layout = !requires(extents<2> const& e) { Space::strides(e); } &&
                                     !requires(extents<4> const& e) { Space::strides(e); };

struct uninitialized_t {};
inline constexpr uninitialized_t uninitialized{};

template <class T, std::size_t Rank, class Space = Host, class Layout = RowMajor>
    requires element<T> && rank_is_at_most_eight<Rank> && space_stands_before_layout<Space> &&
             layout_orders_axes<Layout, Rank> && complex_numbers_lie_on_host<T, Space>
class Tensor {
public:
    using value_type = T;
    using space = Space;
    using layout = Layout;
    using extents_type = felt::extents<Rank>;
    static constexpr std::size_t rank = Rank;

    // Empty: all extents 0; a tensor of rank 0 holds one zero.
    Tensor() : storage_(Rank == 0 ? 1 : 0, true) {}

    // Zero-filled, or with whatever the memory held. Throws shape_error for a negative extent.
    explicit Tensor(extent_arg const (&e)[extents_type::stored])
        requires(Rank > 0)
        : Tensor(make_extents(e)) {}
    template <std::integral I>
    explicit Tensor(I const (&e)[extents_type::stored])
        requires(Rank > 0)
        : Tensor(make_extents(e)) {}
    Tensor(extent_arg const (&e)[extents_type::stored], uninitialized_t tag)
        requires(Rank > 0)
        : Tensor(make_extents(e), tag) {}
    template <std::same_as<felt::extents<Rank>> E>
    explicit Tensor(E const& e)
        : extents_(checked_extents("Tensor", e)), storage_(felt::span_size<Layout>(e), true) {}
    template <std::same_as<felt::extents<Rank>> E>
    Tensor(E const& e, uninitialized_t)
        : extents_(checked_extents("Tensor", e)), storage_(felt::span_size<Layout>(e), false) {}

    Tensor(Tensor const& other) : extents_(other.extents_), storage_(other.storage_.copy()) {}
    Tensor(Tensor&& other) noexcept(Rank > 0)
        : extents_(other.extents_), storage_(std::move(other).release()) {}

    // y = x of the same type copies elements; memory that others view stays where it is. Moved
    // in, x gives its memory, and takes y's; its extents must be y's, as in every assignment.
    Tensor& operator=(Tensor const& other) { return this == &other ? *this : assign_from(other); }
    Tensor& operator=(Tensor&& other) {
        if (extents_ != felt::extents<Rank>{} && extents_ != other.extents_) {
            apart<&detail::assign_fails>::call(other.extents_, extents_);
        }
        std::swap(extents_, other.extents_);
        storage_ = std::move(other.storage_);
        return *this;
    }

    // The value of an expression: its extents are taken over.
    template <class E>
        requires array_operand<E> &&
                 (!std::same_as<std::remove_cvref_t<E>, Tensor>) && assignable_from<Tensor, E>
    Tensor(E&& e) : Tensor() {
        assign_from(std::forward<E>(e));
    }

    // y = e evaluates e into y. Throws shape_error unless y has e's extents or is empty.
    template <class E>
        requires(!std::same_as<std::remove_cvref_t<E>, Tensor>) && assignable_from<Tensor, E>
    Tensor& operator=(E&& e) {
        return assign_from(std::forward<E>(e));
    }

    // What an expression of another rank, type or space is told; and braces that are left out.
    // clang-format off
    template <class E> requires rank_is_too_high<Tensor, E>
    Tensor(E&&) = delete;  // expression_rank_fits_destination: reduce it, y = sum<0>(e), or give y the rank of e
    template <class E> requires would_narrow<Tensor, E>
    Tensor(E&&) = delete;  // assignment_does_not_narrow: say so, y = cast<float>(e) for a tensor of float, y = real(e) of complex numbers
    template <class E> requires lies_elsewhere<Tensor, E>
    Tensor(E&&) = delete;  // destination_and_expression_share_a_space: copy it first, to<Space>(x)
    template <std::integral I, std::integral... J> requires(sizeof...(J) + 1 != Rank || (std::same_as<I, J> && ...))
    explicit Tensor(I, J...) = delete;  // one extent for every axis, in braces: Tensor<float, 2> y({3, 4})
    template <class U, std::size_t N> requires(N != extents_type::stored || !std::integral<U>) && (!std::is_array_v<U>)
    explicit Tensor(U const (&)[N]) = delete;  // an extent for every axis; of elements, Tensor<float, 1>::of({1, 2, 3})
    template <class U, std::size_t M, std::size_t N> requires(N > 1)
    explicit Tensor(U const (&)[M][N]) = delete;  // a tensor of these elements: Tensor<float, 2>::of({{1, 2}, {3, 4}})
    template <class U, std::size_t... N> requires(sizeof...(N) > 1)
    explicit Tensor(U const (&... rows)[N]) = delete;  // a tensor of these elements: Tensor<float, 2>::of({{1, 2}, {3, 4}})
    template <element S> requires(Rank > 0)
    Tensor(extent_arg const (&)[extents_type::stored], S) = delete;  // extents alone; fill it after that, y = s
    template <std::same_as<felt::extents<Rank>> E, element S>
    Tensor(E const&, S) = delete;  // extents alone; fill it after that, y = s
    // clang-format on

    [[nodiscard]] index_t extent(std::size_t axis) const { return extents_[axis]; }
    [[nodiscard]] felt::extents<Rank> extents() const { return extents_; }
    [[nodiscard]] felt::extents<Rank> strides() const { return Layout::strides(extents_); }
    [[nodiscard]] index_t size() const { return extents_.size(); }
    // Elements of its memory, with the gaps of its layout.
    [[nodiscard]] index_t span_size() const { return storage_.size(); }

    [[nodiscard]] T* data() { return storage_.data(); }
    [[nodiscard]] T const* data() const { return storage_.data(); }

    // All elements, as they lie in memory: for (float v : x), std::ranges::sort(x). Throws
    // shape_error where a layout leaves gaps.
    [[nodiscard]] T* begin()
        requires element_access_is_possible<Space>
    {
        detail::expect_packed(extents_.value, strides().value, Rank);
        return data();
    }
    [[nodiscard]] T const* begin() const
        requires element_access_is_possible<Space>
    {
        detail::expect_packed(extents_.value, strides().value, Rank);
        return data();
    }
    [[nodiscard]] T* end()
        requires element_access_is_possible<Space>
    {
        return data() + size();
    }
    [[nodiscard]] T const* end() const
        requires element_access_is_possible<Space>
    {
        return data() + size();
    }

    template <std::integral... I>
        requires element_access_is_possible<Space> && one_index_for_every_axis<Rank, I...>
    T& operator()(I... i) {
        return storage_.data()[detail::element_offset<Rank>(extents_, strides(), i...)];
    }
    template <std::integral... I>
        requires element_access_is_possible<Space> && one_index_for_every_axis<Rank, I...>
    T const& operator()(I... i) const {
        return storage_.data()[detail::element_offset<Rank>(extents_, strides(), i...)];
    }

    // These take nothing.
    void operator=(refused<Tensor const>) const;
    void operator=(refused_container<Tensor>);
    void operator()(refused_index<element_access_is_possible<Space>>, ...) const;
    template <class I>
    void operator[](I&&) const = delete;  // elements are x(i, j), a row is slice(x, i, all())

    // Take other extents; elements are lost. Used when an empty tensor is assigned to.
    void reset(felt::extents<Rank> const& e) {
        storage_ = storage<T, Space>(felt::span_size<Layout>(e), false);
        extents_ = e;
    }

    // {{1, 2}, {3, 4}} as a tensor; rows of unequal length throw shape_error. A literal that nests
    // otherwise finds a deleted function that says so.
    [[nodiscard]] static Tensor of(literal<T, Rank> const& list)
        requires(Rank >= 1 && Rank <= 4) && element_access_is_possible<Space>
    {
        Tensor t(detail::literal_extents<Rank, T>(list));
        auto const s = t.strides();
        detail::copy_literal<Rank, T>(list, t.extents_, s, t.data(), 0);
        return t;
    }

    // clang-format off
    template <class U> using list = std::initializer_list<U>;
    template <class U> requires literal_is_not_of_rank<1, Rank> static void of(list<U>) = delete;
    template <class U> requires literal_is_not_of_rank<2, Rank> static void of(list<list<U>>) = delete;
    template <class U> requires literal_is_not_of_rank<3, Rank> static void of(list<list<list<U>>>) = delete;
    // clang-format on

    // Gives the memory away and is empty then; a tensor of rank 0 never is, it gives a copy.
    storage<T, Space> release() && {
        if constexpr (Rank == 0) {
            return storage_.copy();
        } else {
            extents_ = {};
            return std::move(storage_);
        }
    }

private:
    // Found by argument-dependent lookup where the expression is known (expr/assign.hpp).
    template <class E>
    Tensor& assign_from(E&& e) {
        run_assignment(*this, std::forward<E>(e));
        return *this;
    }

    felt::extents<Rank> extents_;
    storage<T, Space> storage_;
};

}  // namespace felt::inline FELT_ABI
