// SPDX-License-Identifier: BSD-3-Clause
//
// A reader of files that come from outside, to be fed with anything: it returns data or throws a
// felt::io_error that begins with the file's name. Each source of this folder is one:
//
//   fuzz::target const idx("idx", [] { return fuzz::files{..}; },
//                          fuzz::file([](std::string const& name) { support::read_idx(name, 3);
//                          }));
//
// seeds.cpp feeds it with damaged seeds, libfuzzer.cpp with what libFuzzer makes of them.
#pragma once
#include <felt/core/errors.hpp>
#include <unistd.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

using files = std::vector<std::string>;

struct target {
    std::string name;
    std::function<files()> seeds;                // whole files, a few hundred bytes each
    std::function<bool(std::string_view)> feed;  // true: read, false: refused; else it throws

    target(std::string n, std::function<files()> s, std::function<bool(std::string_view)> f)
        : name(std::move(n)), seeds(std::move(s)), feed(std::move(f)) {
        all().push_back(this);
    }
    target(target const&) = delete;

    static std::vector<target const*>& all() {
        static std::vector<target const*> list;
        return list;
    }
    // Or the end of the program, which says what names there are.
    static target const& find(std::string const& name) {
        for (target const* t : all())
            if (t->name == name) return *t;
        std::cerr << "There is no reader '" << name << "'. There are:";
        for (target const* t : all()) std::cerr << ' ' << t->name;
        std::cerr << '\n';
        std::exit(2);
    }
};

// One file of this process, removed at its end: in memory, if there is a folder for that.
inline std::string const& scratch_file() {
    namespace fs = std::filesystem;
    struct file {
        std::string name;
        file() {
            fs::path const memory = "/dev/shm";
            bool const is_there = access(memory.c_str(), W_OK) == 0;
            name = (is_there ? memory : fs::temp_directory_path()) /
                   ("felt_fuzz_" + std::to_string(getpid()));
        }
        ~file() { fs::remove(name); }
        file(file const&) = delete;
    };
    static file const one;
    return one.name;
}

// What f writes to the file whose name it gets.
template <class F>
std::string written(F const& f) {
    f(scratch_file());
    std::ifstream in(scratch_file(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Whether f, called as f(FILE) for a file of these bytes, reads it.
template <class F>
auto file(F f) {
    return [f](std::string_view bytes) {
        std::string const& name = scratch_file();
        std::ofstream(name, std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        try {
            f(name);
            return true;
        } catch (felt::io_error const& e) {
            if (std::string_view(e.what()).starts_with(name)) return false;
            throw std::logic_error("the error does not begin with the file's name: " +
                                   std::string(e.what()));
        }
    };
}

}  // namespace fuzz
