// SPDX-License-Identifier: BSD-3-Clause
//
// The head of an .npy file, of which an .npz is made (NumPy's format, version 1.0):
//
//   "\x93NUMPY", 1, 0, length of the header (2 bytes, little endian), header, elements
//   header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", spaces, "\n"
//
// The length of everything before the elements is a multiple of 64.
#pragma once
#include <felt/core/errors.hpp>
#include <felt/core/extents.hpp>
#include <bit>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace felt::inline FELT_ABI::detail {

static_assert(std::endian::native == std::endian::little, "npy: elements are the host's bytes");

inline constexpr std::size_t npy_preamble = 10;  // magic, version, length

struct npy_header {
    std::string descr;  // "<f4", "<f8", "<i8"
    bool fortran_order = false;
    std::vector<index_t> extents;
};

inline std::string npy_head(npy_header const& h) {
    std::string shape;
    for (index_t e : h.extents) shape += (shape.empty() ? "" : ", ") + std::to_string(e);
    if (h.extents.size() == 1) shape += ',';
    std::string text = "{'descr': '" + h.descr +
                       "', 'fortran_order': " + (h.fortran_order ? "True" : "False") +
                       ", 'shape': (" + shape + "), }";
    text.append(63 - (npy_preamble + text.size()) % 64, ' ');
    text += '\n';
    std::string const magic("\x93NUMPY\x01\x00", 8);
    return magic + static_cast<char>(text.size() & 255) + static_cast<char>(text.size() >> 8) +
           text;
}

// The header's length from the first ten bytes; where names file and entry for the message.
inline std::size_t npy_header_length(std::string_view head, std::string const& where) {
    if (head.substr(0, 6) != "\x93NUMPY") {
        throw io_error(where + ": not an .npy array (no \\x93NUMPY at byte 0)");
    }
    if (head[6] != 1 || head[7] != 0) {
        throw io_error(where + ": .npy version " + std::to_string(head[6]) + "." +
                       std::to_string(head[7]) + " at byte 6, only 1.0 is read");
    }
    auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
    return byte(8) + 256u * byte(9);
}

// What follows 'key': in the header, without leading spaces.
inline std::string_view npy_value(std::string_view text, std::string_view key,
                                  std::string const& where) {
    std::string const quoted = "'" + std::string(key) + "':";
    auto const at = text.find(quoted);
    auto const from = at == text.npos ? at : text.find_first_not_of(' ', at + quoted.size());
    if (from == text.npos) throw io_error(where + ": the .npy header has no " + quoted);
    return text.substr(from);
}

// "(3, 4), ..." -> {3, 4}; bytes must be countable, also those of the axes beside one of extent 0.
inline std::vector<index_t> npy_shape(std::string_view text, std::string const& where) {
    std::string_view const list = text.substr(0, text.find(')'));
    auto const bad = [&] {
        return io_error(where + ": bad shape in the .npy header: " + std::string(list) + ")");
    };
    if (list.size() == text.size() || list[0] != '(') throw bad();
    std::vector<index_t> extents;
    index_t count = 1;
    char const* at = list.data() + 1;
    char const* const end = list.data() + list.size();
    while (at != end) {
        index_t e = 0;
        auto const [next, error] = std::from_chars(at, end, e);
        if (error != std::errc() || e < 0) throw bad();
        index_t const at_least = e > 0 ? e : 1;
        if (count > std::numeric_limits<index_t>::max() / 16 / at_least) throw bad();
        count *= at_least;
        extents.push_back(e);
        at = next;
        while (at != end && (*at == ',' || *at == ' ')) ++at;
    }
    return extents;
}

inline npy_header parse_npy_header(std::string_view text, std::string const& where) {
    std::string_view const descr = npy_value(text, "descr", where);
    auto const quote = descr.find('\'', 1);
    bool const plain = descr[0] == '\'' && quote != descr.npos;
    std::string_view const order = npy_value(text, "fortran_order", where);
    if (!order.starts_with("True") && !order.starts_with("False"))
        throw io_error(where + ": 'fortran_order' is neither True nor False in the .npy header");
    return {plain ? std::string(descr.substr(1, quote - 1)) : "a structure",
            order.starts_with("True"), npy_shape(npy_value(text, "shape", where), where)};
}

}  // namespace felt::inline FELT_ABI::detail
