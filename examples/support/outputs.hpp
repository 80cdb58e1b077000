// SPDX-License-Identifier: BSD-3-Clause
//
// The files a program will write. All are named, and checked, before any work is done: a file
// that exists is not replaced unasked. Of several ranks the first one writes.
//
//   support::outputs out("felt-out/ae", force);
//   auto const features = out.add("features.png");   // a path in the folder
//   out.prepare();                                   // throws if anything is in the way
//   ...
//   out.list(std::cout);                             // what has been written
#pragma once
#include <support/files.hpp>
#include <support/job.hpp>
#include <support/table.hpp>
#include <unistd.h>

namespace support {

// Without --out every run has a folder of its own: felt-out/ae, felt-out/ae-2, ...
inline fs::path free_folder(std::string const& first) {
    fs::path folder = first;
    for (int n = 2; fs::exists(folder); ++n) folder = first + "-" + std::to_string(n);
    return folder;
}

class outputs {
public:
    explicit outputs(fs::path folder, bool force = false, bool writes = true)
        : folder_(std::move(folder)), force_(force), writes_(writes) {}
    explicit outputs(job const& j)
        : outputs(
              j.out_given || j.force || !j.ranks->is_first() ? fs::path(j.out) : free_folder(j.out),
              j.force, j.ranks->is_first()) {}

    // A file of the folder.
    fs::path add(std::string const& name) { return add_file(folder_ / name); }

    // A file elsewhere, as the user gave it (--save FILE). One that the program goes on from
    // (--resume FILE) may be replaced: that was asked for.
    fs::path add_file(fs::path const& file, fs::path const& resumed = {}) {
        if (!writes_) return file;
        files_.push_back(file);
        std::error_code none;
        bool const same = !resumed.empty() && fs::equivalent(file, resumed, none);
        if (!force_ && !same && fs::exists(fs::symlink_status(file, none))) {
            in_the_way_.push_back(file);
        }
        return file;
    }

    // Makes the folders. Throws io_error that names what exists already or cannot be written.
    void prepare() const {
        std::string names;
        for (fs::path const& file : in_the_way_) {
            names += (names.empty() ? "" : ", ") + file.string();
        }
        if (!names.empty()) {
            throw felt::io_error(names + (in_the_way_.size() == 1 ? " exists" : " exist") +
                                 " already and would be lost: choose another place with --out "
                                 "(or --save), or replace with --force");
        }
        for (fs::path const& file : files_) prepare_place(file);
    }

    void list(std::ostream& out) const {
        table written({{"written"}, {"size"}});
        for (fs::path const& file : files_) {
            std::error_code error;
            auto const size = fs::file_size(file, error);
            if (!error) written.row({file.string(), byte_size(static_cast<double>(size))});
        }
        written.print(out);
    }

private:
    static void prepare_place(fs::path const& file) {
        fs::path const folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
        std::error_code error;
        fs::create_directories(folder, error);
        if (!error && access(folder.c_str(), W_OK) != 0) {
            error = {errno, std::generic_category()};
        }
        if (!error && fs::is_directory(file)) {
            error = std::make_error_code(std::errc::is_a_directory);
        }
        if (error) {
            throw felt::io_error(file.string() + ": cannot be written: " + error.message());
        }
    }

    fs::path folder_;
    bool force_, writes_;
    std::vector<fs::path> files_;
    std::vector<fs::path> in_the_way_;
};

}  // namespace support
