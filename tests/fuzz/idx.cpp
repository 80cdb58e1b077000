// SPDX-License-Identifier: BSD-3-Clause
#include <support/idx.hpp>
#include <tests/fuzz/target.hpp>

namespace {

using namespace std::string_literals;

std::string gzipped(std::string const& bytes) {
    return fuzz::written([&](std::string const& file) {
        gzFile const to = gzopen(file.c_str(), "wb");
        gzwrite(to, bytes.data(), static_cast<unsigned>(bytes.size()));
        gzclose(to);
    });
}

// Two images of 2 x 3, plain and gzipped, and three labels.
fuzz::files seeds() {
    std::string const images = "\0\0\x08\x03\0\0\0\x02\0\0\0\x02\0\0\0\x03"s + "abcdefghijkl";
    return {images, gzipped(images), "\0\0\x08\x01\0\0\0\x03\0\x01\x02"s};
}

fuzz::target const idx("idx", seeds, fuzz::file([](std::string const& file) {
                           auto const bytes = support::read_file(file);
                           bool const labels = bytes.size() > 3 && bytes[3] == 1;
                           (void)support::read_idx(file, labels ? 1 : 3);
                       }));

}  // namespace
