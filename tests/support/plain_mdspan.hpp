// SPDX-License-Identifier: BSD-3-Clause
//
// The members of mdspan that felt/mdspan.hpp asks for, by the words of the standard [views.mdspan]
// and for dynamic extents alone: it stands where no other is found.
#pragma once
#include <array>
#include <cstddef>
#include <limits>

namespace test {

template <class I, std::size_t R>
struct dextents {
    using index_type = I;
    static constexpr std::size_t rank() { return R; }
    static constexpr std::size_t static_extent(std::size_t) {
        return std::numeric_limits<std::size_t>::max();
    }

    std::array<I, R> of{};
    dextents() = default;
    explicit dextents(std::array<I, R> const& e) : of(e) {}
    I extent(std::size_t r) const { return of[r]; }
};

// What the three mappings share: where each axis steps to.
template <class E>
struct strided {
    using extents_type = E;
    using index_type = typename E::index_type;
    static constexpr bool is_always_strided() { return true; }

    E e;
    std::array<index_type, E::rank()> step{};

    explicit strided(E const& x) : e(x) {}
    static bool is_strided() { return true; }
    index_type stride(std::size_t r) const { return step[r]; }
};

struct layout_right {
    template <class E>
    struct mapping : strided<E> {
        mapping(E const& x) : strided<E>(x) {
            typename E::index_type s = 1;
            for (std::size_t r = E::rank(); r-- > 0; s *= x.extent(r)) this->step[r] = s;
        }
    };
};
struct layout_left {
    template <class E>
    struct mapping : strided<E> {
        mapping(E const& x) : strided<E>(x) {
            typename E::index_type s = 1;
            for (std::size_t r = 0; r < E::rank(); s *= x.extent(r), ++r) this->step[r] = s;
        }
    };
};
struct layout_stride {
    template <class E>
    struct mapping : strided<E> {
        mapping(E const& x, std::array<typename E::index_type, E::rank()> const& s)
            : strided<E>(x) {
            this->step = s;
        }
    };
};

template <class T, class E, class L = layout_right>
class mdspan {
public:
    using element_type = T;
    using extents_type = E;
    using mapping_type = typename L::template mapping<E>;
    using index_type = typename E::index_type;
    using reference = T&;
    static constexpr std::size_t rank() { return E::rank(); }

    mdspan(T* p, mapping_type const& m) : data_(p), mapping_(m) {}
    T* const& data_handle() const { return data_; }
    mapping_type const& mapping() const { return mapping_; }
    index_type extent(std::size_t r) const { return mapping_.e.extent(r); }

private:
    T* data_;
    mapping_type mapping_;
};

}  // namespace test
