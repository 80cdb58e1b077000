// SPDX-License-Identifier: BSD-3-Clause
//
// One array in one .npy file of NumPy's, read and written through xtensor:
//
//   felt::save_npy("w.npy", w);           a tensor, a view, an xtensor array or an expression
//   auto w = felt::load_npy<float, 2>("w.npy");
//   auto f = felt::load_npy<float, 2, felt::ColMajor>("w.npy");
//
// The order of the elements in the file (C or Fortran) and in memory are independent of each
// other. What a file must be is checked before xtensor reads it: a head of version 1.0, elements
// of the type asked for, and exactly as many bytes as its shape says.
#pragma once
#include <felt/npy_format.hpp>
#include <felt/xtensor_arrays.hpp>
#include <xtensor/xnpy.hpp>
#include <filesystem>
#include <fstream>

namespace felt::inline FELT_ABI {

namespace detail {

// "<f4", "|b1", "<i8"
template <element T>
std::string npy_descr() {
    char const kind = std::same_as<T, bool>    ? 'b'
                      : std::floating_point<T> ? 'f'
                      : is_complex<T>          ? 'c'
                      : std::is_signed_v<T>    ? 'i'
                                               : 'u';
    return (sizeof(T) == 1 ? "|" : "<") + (kind + std::to_string(sizeof(T)));
}

inline npy_header read_npy_head(std::ifstream& in, std::string const& file) {
    std::string text(npy_preamble, '\0');
    auto const fill = [&] {
        in.read(text.data(), static_cast<std::streamsize>(text.size()));
        if (!in) throw io_error(file + ": ends inside the .npy header");
    };
    fill();
    text.resize(npy_header_length(text, file));
    fill();
    return parse_npy_header(text, file);
}

// A stream at the beginning of a file that holds R axes of T, whole.
template <element T, std::size_t R>
std::ifstream open_npy(std::string const& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code code;
    auto const size = std::filesystem::file_size(file, code);
    if (!in || code) throw io_error(file + ": cannot be read");
    npy_header const h = read_npy_head(in, file);
    if (h.descr != npy_descr<T>()) {
        throw io_error(file + ": elements are " + h.descr + ", not " + npy_descr<T>());
    }
    std::string const shape = to_string(h.extents.data(), h.extents.size());
    if (h.extents.size() != R) {
        throw io_error(file + ": the array is " + shape + ", not of rank " + std::to_string(R));
    }
    auto needed = static_cast<std::uintmax_t>(in.tellg());
    std::uintmax_t count = 1;
    for (index_t e : h.extents) count *= static_cast<std::uintmax_t>(e);
    needed += count * sizeof(T);
    if (size != needed) {
        throw io_error(file + ": " + shape + " of " + h.descr + " makes " + std::to_string(needed) +
                       " bytes, there are " + std::to_string(size));
    }
    in.seekg(0);
    return in;
}

// Writes beside the file and renames: whoever looks finds the old file or the new one, whole.
template <element T, std::size_t R, class A>
void write_npy(std::string const& file, A const& array) {
    std::string const part = file + ".part";
    try {
        xt::dump_npy(part, array);
        open_npy<T, R>(part);  // a full disk is seen here
        std::filesystem::rename(part, file);
    } catch (std::exception const& e) {
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
        throw io_error(file + ": cannot be written: " + e.what());
    }
}

template <class X>
inline constexpr bool is_packed = false;
template <class T, std::size_t R>
inline constexpr bool is_packed<Tensor<T, R, Host, RowMajor>> = true;
template <class T, std::size_t R>
inline constexpr bool is_packed<Tensor<T, R, Host, ColMajor>> = true;

}  // namespace detail

// Throws io_error, which names the file, unless it holds R axes of T.
template <element T, std::size_t R, class Layout = RowMajor>
[[nodiscard]] Tensor<T, R, Host, Layout> load_npy(std::string const& file) {
    auto in = detail::open_npy<T, R>(file);
    try {
        auto const array = xt::load_npy<T>(in);
        return Tensor<T, R, Host, Layout>(felt::view<R>(array));
    } catch (std::exception const& e) {
        throw io_error(file + ": " + e.what());
    }
}

// A column-major tensor is written in Fortran order, everything else in C order. Throws
// io_error, which names the file.
template <array_operand X>
void save_npy(std::string const& file, X&& x) {
    using T = value_of<X>;
    constexpr std::size_t R = rank_of<X>;
    if constexpr (detail::is_packed<std::remove_cvref_t<X>>) {
        detail::write_npy<T, R>(file, to_xtensor(x));
    } else {
        Tensor<T, R> const rows = std::forward<X>(x);
        detail::write_npy<T, R>(file, to_xtensor(rows));
    }
}

}  // namespace felt::inline FELT_ABI
