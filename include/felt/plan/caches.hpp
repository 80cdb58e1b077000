// SPDX-License-Identifier: BSD-3-Clause
//
// The caches that plans count with. Those of constants.hpp, so that a plan is the same on every
// machine, unless the environment variable FELT_CACHES says otherwise when the first plan is made:
// the bytes of the first, the second and the last cache, as in 48K,2M,16M, or `system` for what the
// system says of this one. Of the last cache, what one core may expect to have of it.
#pragma once
#include <felt/core/errors.hpp>
#include <felt/plan/constants.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace felt::inline FELT_ABI::planning {

struct cache_sizes {
    double first = first_cache, second = second_cache, last = last_cache;

    bool operator==(cache_sizes const&) const = default;
};

namespace detail {

// Reads a number of bytes, with a K, M or G; begins at `at`, which then is behind it. 0: none.
inline double read_size(std::string const& text, std::size_t& at) {
    char* end = nullptr;
    double size = std::strtod(text.c_str() + at, &end);
    for (double unit = 1024; char const letter : {'K', 'M', 'G'}) {
        if (*end == letter) size *= unit;
        unit *= 1024;
    }
    if (*end != '\0' && std::string("KMG").find(*end) != std::string::npos) ++end;
    at = static_cast<std::size_t>(end - text.c_str());
    return size;
}

inline cache_sizes sizes_in(std::string const& text) {
    cache_sizes all;
    std::size_t at = 0;
    bool right = true;
    for (double* const size : {&all.first, &all.second, &all.last}) {
        *size = read_size(text, at);
        char const behind = size == &all.last ? '\0' : ',';
        right = right && *size > 0 && text.c_str()[at] == behind;
        at += right ? 1 : 0;
    }
    if (!right || all.first > all.second || all.second > all.last) {
        throw error(
            "FELT_CACHES: \"" + text +
            "\" is neither \"system\" nor three sizes in bytes that grow, as in 48K,2M,16M");
    }
    return all;
}

// How many processors a list names, as in 0-3,8.
inline int processors_in(char const* list) {
    int count = 0, first = 0, last = 0, used = 0;
    while (std::sscanf(list, "%d%n", &first, &used) == 1) {
        list += used;
        bool const range = std::sscanf(list, "-%d%n", &last, &used) == 1;
        if (range) list += used;
        count += range ? last - first + 1 : 1;
        if (*list++ != ',') break;
    }
    return std::max(count, 1);
}

// The first line of a file; empty if there is none.
inline std::string line_of(std::string const& path) {
    char line[256] = {};
    if (std::FILE* const file = std::fopen(path.c_str(), "r")) {
        if (std::fgets(line, sizeof line, file) == nullptr) line[0] = '\0';
        std::fclose(file);
    }
    return std::string(line, std::strcspn(line, "\n"));
}

// As Linux describes a processor's caches in a folder; what is not said there stays as it is.
// Processors share the last cache.
inline cache_sizes sizes_in_folder(std::string const& folder) {
    cache_sizes all;
    for (int index = 0; index < 8; ++index) {
        std::string const at = folder + "/index" + std::to_string(index) + "/";
        std::string const level = line_of(at + "level"), text = line_of(at + "size");
        std::size_t end = 0;
        double const size = read_size(text, end);
        if (size <= 0 || line_of(at + "type") == "Instruction") continue;
        if (level == "1") all.first = size;
        if (level == "2") all.second = size;
        if (level == "3") all.last = size / processors_in(line_of(at + "shared_cpu_list").c_str());
    }
    all.second = std::max(all.first, all.second);
    all.last = std::max(all.second, all.last);
    return all;
}

}  // namespace detail

inline cache_sizes caches_of(char const* text) {
    if (text == nullptr || *text == '\0') return {};
    std::string const said = text;
    return said == "system" ? detail::sizes_in_folder("/sys/devices/system/cpu/cpu0/cache")
                            : detail::sizes_in(said);
}

inline cache_sizes const& caches() {
    static cache_sizes const all = caches_of(std::getenv("FELT_CACHES"));
    return all;
}

}  // namespace felt::inline FELT_ABI::planning
