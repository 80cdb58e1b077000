// SPDX-License-Identifier: BSD-3-Clause
//
// Grey pictures, 8 bits a pixel, and PNG files of them; coloured ones from PNG and JPEG files.
#pragma once
#include <support/files.hpp>
#include <support/picture_format.hpp>
#include <cstdlib>
// What a damaged file leaves open is 0: tables that are used and not there, pixels that are not.
#define STBI_MALLOC(n) std::calloc(1, n)
#define STBI_REALLOC(p, n) std::realloc(p, n)
#define STBI_FREE(p) std::free(p)
#define STBI_ASSERT(x) ((void)0)
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace support {

struct picture {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels;  // (height, width)
};

namespace detail {

// A PNG file has at least a bit for a pixel, deflated to a 1032nd at best; a JPEG file at least a
// bit for 8 x 8 pixels. A picture beyond that is a lie, found before its memory is asked for.
inline bool is_possible(std::size_t width, std::size_t height, std::size_t bytes, bool is_jpeg) {
    return width * height / (is_jpeg ? 8 * 64 : 8 * 1032) <= bytes;
}

// With so many bytes a pixel: 1, grey, or 3.
inline picture read_picture(fs::path const& file, int bytes_each, char const* kind) {
    auto const bytes = read_file(file);
    int width = 0, height = 0, channels = 0;
    int const length = bytes.size() > INT32_MAX ? 0 : static_cast<int>(bytes.size());
    bool const is_jpeg = jpeg_segments::is_jpeg(bytes);
    if (is_jpeg) jpeg_segments(bytes, file.string()).check();
    else if (bytes.size() > 8 && bytes[1] == 'P') check_png_chunks(bytes, file.string());
    if (stbi_info_from_memory(bytes.data(), length, &width, &height, &channels) &&
        !is_possible(static_cast<std::size_t>(width), static_cast<std::size_t>(height),
                     bytes.size(), is_jpeg)) {
        throw felt::io_error(file.string() + ": " + std::to_string(width) + " x " +
                             std::to_string(height) + " pixels cannot be in " +
                             std::to_string(bytes.size()) + " bytes");
    }
    std::unique_ptr<stbi_uc, decltype([](stbi_uc* p) { stbi_image_free(p); })> const pixels(
        stbi_load_from_memory(bytes.data(), length, &width, &height, &channels, bytes_each));
    if (!pixels) {
        throw felt::io_error(file.string() + ": no " + kind + " picture: " + stbi_failure_reason());
    }
    auto const w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
    return {w, h, {pixels.get(), pixels.get() + w * h * static_cast<std::size_t>(bytes_each)}};
}

}  // namespace detail

// Colours are turned into grey.
inline picture read_png(fs::path const& file) { return detail::read_picture(file, 1, "PNG"); }

// Pixels are (height, width, 3): red, green, blue.
inline picture read_colours(fs::path const& file) {
    return detail::read_picture(file, 3, "PNG or JPEG");
}

inline void write_png(fs::path const& file, picture const& p) {
    std::string bytes;
    auto const append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<char const*>(data),
                                              static_cast<std::size_t>(size));
    };
    int const width = static_cast<int>(p.width);
    if (!stbi_write_png_to_func(append, &bytes, width, static_cast<int>(p.height), 1,
                                p.pixels.data(), width)) {
        throw felt::io_error(file.string() + ": the picture cannot be packed");
    }
    write_file(file, bytes);
}

}  // namespace support
