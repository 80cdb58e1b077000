// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays by name in one file: the .npz of NumPy's savez, a zip archive of entries "name.npy".
//
//   felt::npz a;                          felt::npz const b = felt::load_npz("w.npz");
//   a.put("w", w);                        b.get("w", w);
//   a.put("rate", 0.5);                   double const rate = b.scalar<double>("rate");
//   felt::save_npz("w.npz", a);
//
// The same arrays make the same bytes. Needs libzip and zlib: target felt::npz, or -lzip -lz.
#pragma once
#include <felt/npz_arrays.hpp>
#include <zip.h>
#include <filesystem>
#include <memory>

namespace felt::inline FELT_ABI {

namespace detail {

struct zip_deleter {
    void operator()(zip_t* z) const { zip_discard(z); }
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using zip_handle = std::unique_ptr<zip_t, zip_deleter>;
using zip_entry = std::unique_ptr<zip_file_t, zip_deleter>;

inline zip_handle open_zip(std::string const& file, int flags) {
    int code = 0;
    if (zip_t* z = zip_open(file.c_str(), flags, &code)) return zip_handle(z);
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string const why = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw io_error(file + ": " + why);
}

// Exactly `bytes` more bytes of the entry; the last call also checks its checksum.
inline void read_entry(zip_file_t* entry, void* to, std::size_t bytes, std::string const& where) {
    for (std::size_t done = 0; done < bytes;) {
        auto const n = zip_fread(entry, static_cast<char*>(to) + done, bytes - done);
        if (n <= 0) {
            zip_int64_t const at = zip_ftell(entry);
            throw io_error(where + ": " + (n < 0 ? zip_file_strerror(entry) : "ends early") +
                           (at < 0 ? "" : ", at byte " + std::to_string(at)));
        }
        done += static_cast<std::size_t>(n);
    }
}

// Column-major elements in row-major order.
template <class T>
std::vector<T> transposed(std::vector<T> const& v, std::vector<index_t> const& e) {
    std::vector<T> out(v.size());
    std::vector<index_t> at(e.size(), 0);
    for (std::size_t i = 0; i < v.size(); ++i) {
        index_t offset = 0;
        for (std::size_t r = e.size(); r-- > 0;) offset = offset * e[r] + at[r];
        out[i] = v[static_cast<std::size_t>(offset)];
        for (std::size_t r = e.size(); r-- > 0 && ++at[r] == e[r];) at[r] = 0;
    }
    return out;
}

template <class T>
npz_array read_elements(zip_file_t* entry, std::uint64_t bytes, npy_header const& h,
                        std::string const& where) {
    index_t count = 1;
    for (index_t e : h.extents) count *= e;
    if (bytes != static_cast<std::uint64_t>(count) * sizeof(T)) {
        throw io_error(where + ": " + npz_shape(h.extents) + " of " + h.descr + " needs " +
                       std::to_string(static_cast<std::uint64_t>(count) * sizeof(T)) +
                       " bytes, there are " + std::to_string(bytes));
    }
    std::vector<T> values(static_cast<std::size_t>(count));
    read_entry(entry, values.data(), static_cast<std::size_t>(bytes), where);
    char past = 0;
    if (zip_fread(entry, &past, 1) != 0) throw io_error(where + ": " + zip_file_strerror(entry));
    if (h.fortran_order && h.extents.size() > 1) values = transposed(values, h.extents);
    return {h.extents, std::move(values)};
}

// Deflate expands at most 1032 times, and entries lie one behind the other: sizes beyond that are a
// lie, found before they are allocated. `rest` is what earlier entries have left of the file.
inline void check_size(zip_stat_t const& stat, std::uint64_t& rest, std::string const& where) {
    std::uint64_t const needed = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    bool const known = (stat.valid & needed) == needed;
    if (known && stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
        throw io_error(where + ": compressed by method " + std::to_string(stat.comp_method) +
                       "; stored and deflated entries are read");
    }
    if (!known || stat.size < npy_preamble || stat.comp_size > rest ||
        stat.size / 1032 > stat.comp_size) {
        throw io_error(where + ": impossible size " + std::to_string(stat.size));
    }
    rest -= stat.comp_size;
}

inline npz_array read_npy(zip_file_t* entry, std::uint64_t size, std::string const& where) {
    std::string text(npy_preamble, '\0');
    read_entry(entry, text.data(), text.size(), where);
    std::size_t const length = npy_header_length(text, where);
    if (npy_preamble + length > size) throw io_error(where + ": ends inside its header");
    text.resize(length);
    read_entry(entry, text.data(), length, where);
    npy_header const h = parse_npy_header(text, where);
    std::uint64_t const rest = size - npy_preamble - length;
    if (h.descr == "<f4") return read_elements<float>(entry, rest, h, where);
    if (h.descr == "<f8") return read_elements<double>(entry, rest, h, where);
    if (h.descr == "<i8") return read_elements<std::int64_t>(entry, rest, h, where);
    throw io_error(where + ": elements are " + h.descr + "; <f4, <f8 and <i8 are read");
}

inline std::string npy_bytes(npz_array const& a) {
    std::string bytes = npy_head({npz_descr(a), false, a.extents});
    std::visit(
        [&](auto const& v) {
            bytes.append(reinterpret_cast<char const*>(v.data()), v.size() * sizeof(v[0]));
        },
        a.values);
    return bytes;
}

// The bytes must live until the archive is closed. Without a date, equal arrays make equal files.
inline void add_entry(zip_t* z, std::string const& name, std::string const& bytes, bool deflate) {
    zip_source_t* const source = zip_source_buffer(z, bytes.data(), bytes.size(), 0);
    zip_int64_t const at =
        source ? zip_file_add(z, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
        if (source) zip_source_free(source);
        throw io_error("entry '" + name + "': " + zip_strerror(z));
    }
    auto const index = static_cast<zip_uint64_t>(at);
    zip_set_file_compression(z, index, deflate ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    zip_uint16_t const first_of_1980 = 33;
    zip_file_set_dostime(z, index, 0, first_of_1980, 0);
}

}  // namespace detail

// Every "name.npy" of the archive. Throws io_error that names the file, the entry and the byte.
[[nodiscard]] inline npz load_npz(std::string const& file) {
    auto const z = detail::open_zip(file, ZIP_RDONLY);
    std::error_code code;
    std::uint64_t rest = std::filesystem::file_size(file, code);
    if (code) throw io_error(file + ": " + code.message());
    npz result;
    result.file = file;
    for (zip_int64_t i = 0; i < zip_get_num_entries(z.get(), 0); ++i) {
        auto const index = static_cast<zip_uint64_t>(i);
        zip_stat_t stat;
        if (zip_stat_index(z.get(), index, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_NAME)) {
            throw io_error(file + ": entry " + std::to_string(i) + ": " + zip_strerror(z.get()));
        }
        std::string const name = stat.name;
        if (!name.ends_with(".npy")) continue;
        std::string const where = file + ", entry " + name;
        detail::check_size(stat, rest, where);
        detail::zip_entry const entry(zip_fopen_index(z.get(), index, 0));
        if (!entry) throw io_error(where + ": " + zip_strerror(z.get()));
        result.arrays[name.substr(0, name.size() - 4)] =
            detail::read_npy(entry.get(), stat.size, where);
    }
    return result;
}

enum class npz_compression { stored, deflated };

// Replaces the file in one step: libzip writes beside it and renames, so that whoever looks
// finds the old archive or the new one, whole.
inline void save_npz(std::string const& file, npz const& a,
                     npz_compression how = npz_compression::stored) {
    if (a.arrays.empty()) throw io_error(file + ": an .npz needs at least one array");
    std::vector<std::string> bytes;
    bytes.reserve(a.arrays.size());
    auto z = detail::open_zip(file, ZIP_CREATE | ZIP_TRUNCATE);
    for (auto const& [name, array] : a.arrays) {
        bytes.push_back(detail::npy_bytes(array));
        detail::add_entry(z.get(), name, bytes.back(), how == npz_compression::deflated);
    }
    if (zip_close(z.get()) != 0) throw io_error(file + ": " + zip_strerror(z.get()));
    z.release();
}

}  // namespace felt::inline FELT_ABI
