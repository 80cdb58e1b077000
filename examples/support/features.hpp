// SPDX-License-Identifier: BSD-3-Clause
//
// Learned features from a file, one in each row: the array W1 of an .npz, or the array of a .npy.
#pragma once
#include <felt/npz.hpp>
#include <support/files.hpp>

namespace support {

struct feature_set {
    std::size_t count = 0, size = 0;
    std::vector<float> values;  // (count, size)
};

namespace detail {

inline std::vector<float> floats_of(felt::npz_array const& a) {
    return std::visit(
        [](auto const& v) {
            std::vector<float> out;
            for (auto x : v) out.push_back(static_cast<float>(x));
            return out;
        },
        a.values);
}

template <class T>
felt::npz_array elements_of(felt::detail::npy_header const& h, std::string_view bytes,
                            std::string const& where) {
    std::size_t count = 1;
    for (felt::index_t e : h.extents) count *= static_cast<std::size_t>(e);
    if (bytes.size() != count * sizeof(T)) {
        throw felt::io_error(where + ": " + std::to_string(bytes.size()) + " bytes of elements");
    }
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    if (h.fortran_order) values = felt::detail::transposed(values, h.extents);
    return {h.extents, std::move(values)};
}

inline felt::npz_array load_npy_array(fs::path const& file) {
    auto const bytes = read_file(file);
    std::string const where = file.string();
    std::string_view text(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    if (text.size() < felt::detail::npy_preamble) throw felt::io_error(where + ": is no .npy file");
    std::string_view const head = text.substr(0, felt::detail::npy_preamble);
    std::size_t const length = felt::detail::npy_header_length(head, where);
    text.remove_prefix(head.size());
    if (text.size() < length) throw felt::io_error(where + ": ends inside the .npy header");
    auto const h = felt::detail::parse_npy_header(text.substr(0, length), where);
    text.remove_prefix(length);
    if (h.descr == "<f4") return elements_of<float>(h, text, where);
    if (h.descr == "<f8") return elements_of<double>(h, text, where);
    throw felt::io_error(where + ": elements are " + h.descr + "; <f4 and <f8 are read");
}

}  // namespace detail

inline feature_set load_features(fs::path const& file) {
    felt::npz_array const a = file.extension() == ".npy"
                                  ? detail::load_npy_array(file)
                                  : felt::load_npz(file.string()).array("W1");
    if (a.extents.size() != 2) {
        throw felt::io_error(file.string() + ": the array is " +
                             felt::detail::npz_shape(a.extents) + ", not (features, pixels)");
    }
    return {static_cast<std::size_t>(a.extents[0]), static_cast<std::size_t>(a.extents[1]),
            detail::floats_of(a)};
}

}  // namespace support
