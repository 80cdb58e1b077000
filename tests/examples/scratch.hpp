// SPDX-License-Identifier: BSD-3-Clause
//
// What the tests of the examples' support share: a folder of a test's own, bytes, messages.
#pragma once
#include <felt/core/errors.hpp>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace test {

namespace fs = std::filesystem;

struct scratch_folder {
    fs::path path;

    scratch_folder() {
        static int made = 0;
        path = fs::temp_directory_path() /
               ("felt_test_" + std::to_string(getpid()) + "_" + std::to_string(made++));
        fs::create_directories(path);
    }
    ~scratch_folder() { fs::remove_all(path); }
    scratch_folder(scratch_folder const&) = delete;

    fs::path operator/(std::string const& name) const { return path / name; }
    auto files() const { return std::distance(fs::directory_iterator(path), {}); }
};

inline std::string read_bytes(fs::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(fs::path const& file, std::string const& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

// What a felt::io_error says; "" if none is thrown.
template <class F>
std::string message_of(F f) {
    try {
        f();
    } catch (felt::io_error const& e) {
        return e.what();
    }
    return "";
}

inline bool has(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace test
