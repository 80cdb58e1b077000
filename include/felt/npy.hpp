// SPDX-License-Identifier: BSD-3-Clause
//
// One array in one .npy file of NumPy's, written through xtensor:
//
//   felt::save_npy("w.npy", w);           a tensor, a view, an xtensor array or an expression
//   auto w = felt::load_npy<float, 2>("w.npy");
//   auto f = felt::load_npy<float, 2, felt::ColMajor>("w.npy");
//
// The order of the elements in the file (C or Fortran) and in memory are independent of each
// other. What a file must be is checked before there is memory for it: a head of version 1.0,
// elements of the type asked for, and exactly as many bytes as its shape says.
#pragma once
#include <felt/npy_format.hpp>
#include <felt/xtensor_arrays.hpp>
#include <xtensor/xnpy.hpp>
#include <algorithm>
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

// The head of a file that holds R axes of T, whole; `in` is then at the elements.
template <element T, std::size_t R>
npy_header open_npy(std::ifstream& in, std::string const& file) {
    in.open(file, std::ios::binary);
    std::error_code code;
    auto const size = std::filesystem::file_size(file, code);
    if (!in || code) throw io_error(file + ": cannot be read");
    npy_header h = read_npy_head(in, file);
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
    return h;
}

// The elements, which lie in the file as they do in a tensor of this layout.
template <element T, std::size_t R, class Layout>
Tensor<T, R, Host, Layout> read_npy(std::ifstream& in, npy_header const& h,
                                    std::string const& file) {
    extents<R> e;
    for (std::size_t r = 0; r != R; ++r) e[r] = h.extents[r];
    auto const from = static_cast<std::size_t>(in.tellg());
    Tensor<T, R, Host, Layout> x(e, uninitialized);
    auto* const bytes = reinterpret_cast<char*>(x.data());
    auto const size = static_cast<std::size_t>(x.size()) * sizeof(T);
    in.read(bytes, static_cast<std::streamsize>(size));
    auto const got = static_cast<std::size_t>(in.gcount());
    if (got < size) throw io_error(file + ": ends early, at byte " + std::to_string(from + got));
    if constexpr (std::same_as<T, bool>) {  // other values of a bool have no meaning in C++
        auto const* const wrong = std::find_if(bytes, bytes + size, [](char c) { return c & ~1; });
        if (wrong != bytes + size) {
            auto const at = from + static_cast<std::size_t>(wrong - bytes);
            throw io_error(file + ": byte " + std::to_string(at) + " is neither True nor False");
        }
    }
    return x;
}

// Writes beside the file and renames: whoever looks finds the old file or the new one, whole.
template <element T, std::size_t R, class A>
void write_npy(std::string const& file, A const& array) {
    std::string const part = file + ".part";
    try {
        xt::dump_npy(part, array);
        std::ifstream written;
        open_npy<T, R>(written, part);  // a full disk is seen here
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
    std::ifstream in;
    auto const h = detail::open_npy<T, R>(in, file);
    if constexpr (std::same_as<Layout, RowMajor> || std::same_as<Layout, ColMajor>) {
        if (h.fortran_order == std::same_as<Layout, ColMajor>)
            return detail::read_npy<T, R, Layout>(in, h, file);
    }
    if (h.fortran_order)
        return Tensor<T, R, Host, Layout>(detail::read_npy<T, R, ColMajor>(in, h, file));
    return Tensor<T, R, Host, Layout>(detail::read_npy<T, R, RowMajor>(in, h, file));
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
