// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays by name, as an .npz holds them: put copies in, get and values copy or look out. Elements
// are row-major, whatever the layout of the tensor they come from or go to.
#pragma once
#include <felt/core/concepts.hpp>
#include <felt/npy_format.hpp>
#include <concepts>
#include <cstdint>
#include <map>
#include <ranges>
#include <variant>

namespace felt::inline FELT_ABI {

template <class T>
concept npz_element =
    std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int64_t>;

// A tensor or view on the host whose elements an .npz can hold.
template <class X>
concept npz_tensor = strided_array<X> && npz_element<value_of<X>> && space_of<X>::element_access;

struct npz_array {
    std::vector<index_t> extents;  // none: a single value
    std::variant<std::vector<float>, std::vector<double>, std::vector<std::int64_t>> values;
};

namespace detail {

inline std::string npz_descr(npz_array const& a) {
    static constexpr char const* names[] = {"<f4", "<f8", "<i8"};
    return names[a.values.index()];
}

inline std::string npz_shape(std::vector<index_t> const& e) {
    return to_string(e.data(), e.size());
}

// f(i, offset) for element i, counted row by row, of a tensor with these extents and strides.
template <std::size_t R, class F>
void for_each_offset(extents<R> const& e, extents<R> const& stride, F f) {
    extents<R> at;
    index_t const count = e.size();
    for (index_t i = 0; i < count; ++i) {
        index_t offset = 0;
        for (std::size_t r = 0; r != R; ++r) offset += at[r] * stride[r];
        f(static_cast<std::size_t>(i), offset);
        for (std::size_t r = R; r-- > 0 && ++at[r] == e[r];) at[r] = 0;
    }
}

}  // namespace detail

class npz {
public:
    std::map<std::string, npz_array> arrays;
    std::string file = "npz";  // where they came from, for messages

    // Elements in row-major order: put("x", {64, n}, values).
    template <std::ranges::contiguous_range V>
        requires npz_element<std::ranges::range_value_t<V>>
    void put(std::string const& name, std::vector<index_t> extents, V const& values) {
        index_t count = 1;
        for (index_t e : extents) count *= e;
        if (count != static_cast<index_t>(std::ranges::size(values))) {
            throw shape_error("npz: '" + name + "' has " +
                              std::to_string(std::ranges::size(values)) + " elements, not " +
                              detail::npz_shape(extents));
        }
        std::vector<std::ranges::range_value_t<V>> copy(std::ranges::begin(values),
                                                        std::ranges::end(values));
        arrays[name] = {std::move(extents), std::move(copy)};
    }

    // A tensor or view, whatever its layout; it is written row-major.
    template <npz_tensor X>
    void put(std::string const& name, X const& x) {
        auto const e = x.extents();
        std::vector<value_of<X>> values(static_cast<std::size_t>(e.size()));
        detail::for_each_offset(e, x.strides(),
                                [&](std::size_t i, index_t at) { values[i] = x.data()[at]; });
        arrays[name] = {std::vector<index_t>(e.begin(), e.end()), std::move(values)};
    }

    template <npz_element T>
    void put(std::string const& name, T value) {
        arrays[name] = {{}, std::vector<T>{value}};
    }

    bool contains(std::string const& name) const { return arrays.count(name) != 0; }

    npz_array const& array(std::string const& name) const {
        auto const found = arrays.find(name);
        if (found != arrays.end()) return found->second;
        std::string have;
        for (auto const& [other, a] : arrays) have += (have.empty() ? "" : ", ") + other;
        throw io_error(file + ": no array '" + name + "'; there are: " + have);
    }

    template <npz_element T>
    std::vector<T> const& values(std::string const& name) const {
        npz_array const& a = array(name);
        if (auto const* v = std::get_if<std::vector<T>>(&a.values)) return *v;
        throw io_error(file + ": array '" + name + "' holds " + detail::npz_descr(a) + ", not " +
                       detail::npz_descr({{}, std::vector<T>{}}));
    }

    template <npz_element T>
    T scalar(std::string const& name) const {
        auto const& v = values<T>(name);
        if (v.size() == 1) return v.front();
        throw io_error(file + ": array '" + name + "' is " +
                       detail::npz_shape(array(name).extents) + ", not one value");
    }

    // Into a tensor or view of the same type and extents, whatever its layout.
    template <npz_tensor X>
    void get(std::string const& name, X&& x) const {
        auto const& v = values<value_of<X>>(name);
        auto const e = x.extents();
        std::vector<index_t> const want(e.begin(), e.end());
        if (array(name).extents != want) {
            throw io_error(file + ": array '" + name + "' is " +
                           detail::npz_shape(array(name).extents) + ", not " +
                           detail::npz_shape(want));
        }
        detail::for_each_offset(e, x.strides(),
                                [&](std::size_t i, index_t at) { x.data()[at] = v[i]; });
    }
};

}  // namespace felt::inline FELT_ABI
