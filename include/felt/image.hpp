// SPDX-License-Identifier: BSD-3-Clause
//
// Images whose rows begin a number of bytes apart (the pitch, step or stride of OpenCV, of windows
// and of video frames) as views of three axes: rows, columns, channels.
//
//   auto x = felt::image(p, {.rows = 480, .columns = 641, .channels = 3, .bytes_per_row = 1936});
//   x = felt::cast<std::uint8_t>(255.f - felt::cast<float>(x));
//
// Channel c of pixel (i, j) is the element that lies i * bytes_per_row bytes and
// j * channels + c elements after p.
#pragma once
#include <felt/foreign.hpp>

namespace felt::inline FELT_ABI {

// bytes_per_row is negative where rows are stored from the last one on; p is the first row then
// too.
struct image_shape {
    extent_arg rows, columns;
    extent_arg channels = 1;
    extent_arg bytes_per_row;
};

namespace detail {

inline void expect_pitch(image_shape const& s, index_t element_bytes) {
    index_t const pitch = s.bytes_per_row.value, apart = pitch < 0 ? -pitch : pitch;
    index_t const row = s.columns.value * s.channels.value * element_bytes;
    if (pitch % element_bytes != 0) {
        throw shape_error("image: " + std::to_string(pitch) +
                          " bytes per row, which is no multiple of the " +
                          std::to_string(element_bytes) + " of an element");
    }
    if (s.rows.value > 1 && apart < row) {
        throw shape_error("image: rows of " + std::to_string(row) + " bytes, " +
                          std::to_string(apart) + " from one to the next: they overlap");
    }
}

}  // namespace detail

// Throws shape_error if the pitch is no multiple of the element's size, if rows overlap or an
// extent is negative; foreign_error for a null pointer and for elements that are not aligned.
template <class T>
    requires element<std::remove_const_t<T>>
[[nodiscard]] View<T, 3> image(T* p, image_shape const& s) {
    extents<3> const e{{s.rows.value, s.columns.value, s.channels.value}};
    auto const bytes = static_cast<index_t>(sizeof(T));
    detail::expect_pitch(s, bytes);
    return detail::checked_view<T, 3>("image", p, e,
                                      {{s.bytes_per_row.value / bytes, e[2], index_t{1}}});
}

}  // namespace felt::inline FELT_ABI
