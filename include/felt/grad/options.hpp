// SPDX-License-Identifier: BSD-3-Clause
//
// What gradient() is told by name: wrt<"w", "b">(), whose derivatives are wanted; inlined<"z">()
// and written<"z">(), whether the derivative by z is a part of what reads it or a statement of its
// own; in_place<"z">(), that it is written over z, which is not read after that.
#pragma once
#include <felt/core/fixed_string.hpp>
#include <string_view>

namespace felt::inline FELT_ABI {

template <class... Name>
struct wrt_names {};
template <fixed_string... Name>
constexpr wrt_names<literal_name<Name>...> wrt() {
    return {};
}
template <class... Name>
struct inlined_names {};
template <fixed_string... Name>
constexpr inlined_names<literal_name<Name>...> inlined() {
    return {};
}
template <class... Name>
struct written_names {};
template <fixed_string... Name>
constexpr written_names<literal_name<Name>...> written() {
    return {};
}

template <class... Name>
struct names_in_place {};
template <fixed_string... Name>
constexpr names_in_place<literal_name<Name>...> in_place() {
    return {};
}

namespace derive {

template <class O>
inline constexpr bool is_option = false;
template <class... Name>
inline constexpr bool is_option<inlined_names<Name...>> = true;
template <class... Name>
inline constexpr bool is_option<written_names<Name...>> = true;
template <class... Name>
inline constexpr bool is_option<names_in_place<Name...>> = true;

// Whether an option names part I.
template <class I, class Option>
inline constexpr bool is_inlined = false;
template <class I, class... Name>
inline constexpr bool is_inlined<I, inlined_names<Name...>> =
    ((std::string_view(I::label) == std::string_view(Name::text)) || ...);
template <class I, class Option>
inline constexpr bool is_written = false;
template <class I, class... Name>
inline constexpr bool is_written<I, written_names<Name...>> =
    ((std::string_view(I::label) == std::string_view(Name::text)) || ...);

template <class I, class... Name>
inline constexpr bool is_written<I, names_in_place<Name...>> =
    ((std::string_view(I::label) == std::string_view(Name::text)) || ...);
template <class I, class Option>
inline constexpr bool is_in_place = false;
template <class I, class... Name>
inline constexpr bool is_in_place<I, names_in_place<Name...>> =
    is_written<I, names_in_place<Name...>>;

}  // namespace derive

}  // namespace felt::inline FELT_ABI
