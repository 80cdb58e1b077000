// SPDX-License-Identifier: BSD-3-Clause
//
// Files as wholes: read plain or gzipped, written so that a reader sees the old or the new file.
#pragma once
#include <felt/core/errors.hpp>
#include <zlib.h>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace support {

namespace fs = std::filesystem;

// Reads a file from front to end; a gzipped one is unpacked on the way.
class byte_reader {
public:
    explicit byte_reader(fs::path const& file)
        : name_(file.string()), stream_(gzopen(file.c_str(), "rb")) {
        if (!stream_) throw felt::io_error(name_ + ": " + std::strerror(errno));
        if (fs::is_directory(file)) throw felt::io_error(name_ + ": is a folder");
    }

    // The next n bytes, fewer at the end of the file. Memory grows with what is really there.
    std::vector<std::uint8_t> read(std::size_t n) {
        std::vector<std::uint8_t> bytes;
        while (bytes.size() < n) {
            std::size_t const start = bytes.size();
            bytes.resize(std::min(n, start + (std::size_t{1} << 20)));
            auto const want = static_cast<unsigned>(bytes.size() - start);
            int const got = gzread(stream_.get(), bytes.data() + start, want);
            if (got < 0) throw error();
            bytes.resize(start + static_cast<std::size_t>(got));
            at_ += static_cast<std::uint64_t>(got);
            if (static_cast<unsigned>(got) < want) break;
        }
        int code = Z_OK;
        gzerror(stream_.get(), &code);
        if (code != Z_OK && code != Z_STREAM_END) throw error();
        return bytes;
    }

private:
    felt::io_error error() const {
        int code = Z_OK;
        std::string const why = gzerror(stream_.get(), &code);
        return felt::io_error(name_ + ": damaged, after byte " + std::to_string(at_) + ": " +
                              (code == Z_ERRNO ? std::strerror(errno) : why.c_str()));
    }

    struct close {
        void operator()(gzFile f) const { gzclose(f); }
    };

    std::string name_;
    std::unique_ptr<gzFile_s, close> stream_;
    std::uint64_t at_ = 0;
};

inline std::vector<std::uint8_t> read_file(fs::path const& file) {
    return byte_reader(file).read(SIZE_MAX);
}

// Writes beside the file and renames: an interrupted program leaves the old file whole.
inline void write_file(fs::path const& file, std::string_view bytes) {
    fs::path const part = file.string() + ".part";
    {
        std::ofstream out(part, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) {
            std::string const why = std::strerror(errno);
            std::error_code ignored;
            fs::remove(part, ignored);
            throw felt::io_error(file.string() + ": cannot be written: " + why);
        }
    }
    std::error_code error;
    fs::rename(part, file, error);
    if (!error) return;
    std::error_code ignored;
    fs::remove(part, ignored);
    throw felt::io_error(file.string() + ": cannot be written: " + error.message());
}

}  // namespace support
