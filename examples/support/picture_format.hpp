// SPDX-License-Identifier: BSD-3-Clause
//
// What stb_image takes on trust, looked at before it reads a picture. Of a JPEG file (ITU-T T.81):
// tables have at most 256 Huffman codes, since what is more is written past their end; and scans
// are not so many that a small file takes hours. Of a PNG file: chunks are in it as long as they
// say.
#pragma once
#include <felt/core/errors.hpp>
#include <cstdint>
#include <span>
#include <string>

namespace support::detail {

class jpeg_segments {
public:
    // `name` is the file's, for messages.
    jpeg_segments(std::span<std::uint8_t const> bytes, std::string name)
        : bytes_(bytes), name_(std::move(name)), at_(after_begin(bytes)) {}

    static bool is_jpeg(std::span<std::uint8_t const> bytes) { return after_begin(bytes) > 0; }

    void check() {
        constexpr int tables = 0xc4, scan = 0xda, end = 0xd9, most_scans = 500;
        int scans = 0;
        for (int marker = next(); marker != end && marker != none; marker = next()) {
            std::size_t const from = at_, length = byte(at_) * 256 + byte(at_ + 1);
            at_ += std::max<std::size_t>(length, 2);
            if (marker == tables) check_tables(from + 2, at_);
            is_in_scan_ = marker == scan;
            if (is_in_scan_ && ++scans > most_scans)
                throw felt::io_error(name_ + ": byte " + std::to_string(from) + " begins scan " +
                                     std::to_string(scans) + " of a JPEG picture, at most " +
                                     std::to_string(most_scans) + " are read");
        }
    }

private:
    static constexpr int none = -1;

    // Where the file's own marker ends; bytes 255 may fill what is before it. 0 if there is none.
    static std::size_t after_begin(std::span<std::uint8_t const> bytes) {
        std::size_t i = 0;
        while (i < bytes.size() && bytes[i] == 0xff) ++i;
        return i > 0 && i < bytes.size() && bytes[i] == 0xd8 ? i + 1 : 0;
    }

    std::size_t byte(std::size_t i) const { return i < bytes_.size() ? bytes_[i] : 0; }

    // The next marker, after which at_ is; in a scan 0 is a byte 255 of its data, and 0xd0 .. 0xd7
    // belong to it.
    int next() {
        for (; at_ + 1 < bytes_.size(); ++at_) {
            auto const m = bytes_[at_ + 1];
            if (bytes_[at_] != 0xff || m == 0xff) continue;
            if (is_in_scan_ && (m == 0 || (m >= 0xd0 && m <= 0xd7))) continue;
            at_ += 2;
            return m;
        }
        return none;
    }

    // Of each table: which it is, how many codes there are of 1 .. 16 bits, what they stand for.
    void check_tables(std::size_t from, std::size_t to) const {
        while (from < to) {
            std::size_t codes = 0;
            for (std::size_t bits = 1; bits <= 16; ++bits) codes += byte(from + bits);
            if (codes > 256)
                throw felt::io_error(name_ + ": byte " + std::to_string(from) +
                                     " begins a table of " + std::to_string(codes) +
                                     " Huffman codes, at most 256 can be");
            from += 17 + codes;
        }
    }

    std::span<std::uint8_t const> bytes_;
    std::string name_;
    std::size_t at_;
    bool is_in_scan_ = false;
};

// `length` (4 bytes, most significant first), type (4 bytes), data, checksum (4 bytes), and again.
inline void check_png_chunks(std::span<std::uint8_t const> bytes, std::string const& name) {
    for (std::size_t at = 8, length; at + 12 <= bytes.size(); at += 12 + length) {
        length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length * 256 + bytes[at + i];
        if (length > bytes.size() - at - 12)
            throw felt::io_error(name + ": byte " + std::to_string(at) + " begins a chunk of " +
                                 std::to_string(length) + " bytes, and there are " +
                                 std::to_string(bytes.size() - at - 12));
    }
}

}  // namespace support::detail
