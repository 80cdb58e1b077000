// SPDX-License-Identifier: BSD-3-Clause
#include <support/picture.hpp>
#include <tests/fuzz/target.hpp>

namespace {

void append(void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<char const*>(data),
                                          static_cast<std::size_t>(size));
}

// Of 5 x 4 pixels of so many bytes, which differ in all places.
std::string pixels(int bytes_each) {
    std::string p;
    for (int i = 0; i < 20 * bytes_each; ++i) p += static_cast<char>(37 * i);
    return p;
}
std::string png(int bytes_each) {
    std::string file;
    stbi_write_png_to_func(append, &file, 5, 4, bytes_each, pixels(bytes_each).data(),
                           5 * bytes_each);
    return file;
}
std::string jpeg(int bytes_each, int quality) {
    std::string file;
    stbi_write_jpg_to_func(append, &file, 5, 4, bytes_each, pixels(bytes_each).data(), quality);
    return file;
}

fuzz::target const pictures(
    "picture",
    [] {
        return fuzz::files{png(1), png(2), png(3), png(4), jpeg(1, 50), jpeg(3, 50), jpeg(3, 95)};
    },
    fuzz::file([](std::string const& file) {
        (void)support::read_colours(file);
        (void)support::read_png(file);
    }));

}  // namespace
