// SPDX-License-Identifier: BSD-3-Clause
//
// Where the data are: in --data DIR if it is given, else in $FELT_DATA, else in ./data; in that
// folder itself or in the subfolder of the set (DIR/mnist). Names may end in .gz.
#pragma once
#include <support/files.hpp>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace support {

// The folders to look in, in order. What the user names, and only that, is looked at if given.
inline std::vector<fs::path> data_folders(std::string const& option, std::string const& set) {
    std::vector<fs::path> roots;
    char const* const variable = std::getenv("FELT_DATA");
    if (!option.empty()) {
        roots = {option};
    } else {
        if (variable && *variable) roots.push_back(variable);
        roots.push_back("data");
    }
    std::vector<fs::path> folders;
    for (fs::path const& root : roots) {
        folders.push_back(root / set);
        folders.push_back(root);
    }
    return folders;
}

inline std::optional<fs::path> find_file(fs::path const& folder, std::string const& name) {
    for (fs::path const& file : {folder / name, folder / (name + ".gz")}) {
        if (fs::is_regular_file(file)) return file;
    }
    return std::nullopt;
}

template <class List>
std::string joined(List const& list) {
    std::string text;
    for (auto const& item : list) text += (text.empty() ? "" : ", ") + fs::path(item).string();
    return text;
}

// All files of a set from the first folder that has any of them. Nothing if there are none and
// the user did not name a folder; else what is missing is an error.
inline std::optional<std::vector<fs::path>> find_files(std::string const& option,
                                                       std::string const& set,
                                                       std::vector<std::string> const& names) {
    auto const folders = data_folders(option, set);
    for (fs::path const& folder : folders) {
        std::vector<fs::path> found;
        std::string missing;
        for (std::string const& name : names) {
            if (auto const file = find_file(folder, name)) found.push_back(*file);
            else missing += (missing.empty() ? "" : ", ") + name;
        }
        if (found.size() == names.size()) return found;
        if (!found.empty()) {
            throw felt::io_error(folder.string() + ": no " + missing + " (or .gz); expected are " +
                                 joined(names));
        }
    }
    if (option.empty()) return std::nullopt;
    throw felt::io_error("no " + joined(names) + " (or .gz) in " + joined(folders));
}

}  // namespace support
