// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers for people: values with units of a fitting size, and aligned tables of them.
//
//   per cost and gradient    time     bytes   peak
//                              ms       MiB    MiB
//   fused                    3.21      5.12   31.0
#pragma once
#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace support {

// Three significant digits: "0.00321", "3.21", "321", "12345".
inline std::string three_digits(double v) {
    char text[40];
    double const size = v < 0 ? -v : v;
    int const digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : -1;
    if (digits < 0) std::snprintf(text, sizeof text, "%.3g", v);
    else std::snprintf(text, sizeof text, "%.*f", digits, v);
    return text;
}

// "850 us", "3.21 ms", "41.0 s", "2 min 05 s", "1 h 03 min"
inline std::string duration(double seconds) {
    if (seconds < 1e-3) return three_digits(seconds * 1e6) + " us";
    if (seconds < 1) return three_digits(seconds * 1e3) + " ms";
    if (seconds < 99.5) return three_digits(seconds) + " s";
    char text[48];
    auto const s = static_cast<long long>(seconds + 0.5);
    if (s < 3600) std::snprintf(text, sizeof text, "%lld min %02lld s", s / 60, s % 60);
    else std::snprintf(text, sizeof text, "%lld h %02lld min", s / 3600, s % 3600 / 60);
    return text;
}

// "512 B", "3.21 MiB"
inline std::string byte_size(double bytes) {
    static constexpr char const* units[] = {" B", " KiB", " MiB", " GiB", " TiB"};
    std::size_t i = 0;
    for (; bytes >= 1000 && i < 4; ++i) bytes /= 1024;
    return (i == 0 ? std::to_string(static_cast<int>(bytes)) : three_digits(bytes)) + units[i];
}

struct column {
    std::string title;
    std::string unit = {};
};

// The first column is text and stands left, all others are numbers and stand right.
class table {
public:
    explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

    void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    void print(std::ostream& out) const {
        std::vector<std::vector<std::string>> lines(1);
        bool units = false;
        for (column const& c : columns_) lines[0].push_back(c.title), units |= !c.unit.empty();
        if (units) lines.emplace_back();
        for (column const& c : columns_) {
            if (units) lines[1].push_back(c.unit);
        }
        lines.insert(lines.end(), rows_.begin(), rows_.end());
        std::vector<std::size_t> width(columns_.size(), 0);
        for (auto const& line : lines) {
            for (std::size_t k = 0; k < std::min(line.size(), width.size()); ++k) {
                width[k] = std::max(width[k], line[k].size());
            }
        }
        for (auto const& line : lines) print_line(out, line, width);
    }

private:
    static void print_line(std::ostream& out, std::vector<std::string> const& line,
                           std::vector<std::size_t> const& width) {
        std::string text;
        for (std::size_t k = 0; k < std::min(line.size(), width.size()); ++k) {
            std::string const space(width[k] - line[k].size(), ' ');
            text += k == 0 ? line[k] + space : "   " + space + line[k];
        }
        out << text.substr(0, text.find_last_not_of(' ') + 1) << '\n';
    }

    std::vector<column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace support
