// SPDX-License-Identifier: BSD-3-Clause
//
// Floating-point elements as text of one width, by NumPy's rule: as few digits as tell each number
// from its neighbours, at most 8 after the point; all with a power of ten if the largest is from
// 1e8 (float: 1e6), the smallest but zero below 1e-4, or these 1000 times apart. A precision of the
// stream that is not its default takes the place of 8, and with std::fixed and std::scientific all
// numbers have that many digits.
#pragma once
#include <felt/core/version.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <ios>
#include <string>
#include <vector>

namespace felt::inline FELT_ABI::detail {

struct float_style {
    bool single = false;  // they were float
    bool scientific = false;
    bool all_digits = false;  // the precision is kept, not only a bound
    int precision = 8;
};

// 12.5e+03 in parts: the sign and what is before the point, after it, and e+03.
struct float_parts {
    std::string whole, fraction, exponent;
};

inline float_parts parts_of_float(double v, float_style const& style) {
    auto const form = style.scientific ? std::chars_format::scientific : std::chars_format::fixed;
    char text[1024];
    char* const end = text + sizeof(text);
    auto const split = [&](char const* last) {
        std::string const all(static_cast<char const*>(text), last);
        auto const e = std::min(all.find('e'), all.size());
        auto const point = std::min(all.find('.'), e);
        auto const after = std::min(point + 1, e);
        return float_parts{all.substr(0, point), all.substr(after, e - after), all.substr(e)};
    };
    auto parts = split(style.single ? std::to_chars(text, end, static_cast<float>(v), form).ptr
                                    : std::to_chars(text, end, v, form).ptr);
    if (style.all_digits || parts.fraction.size() > static_cast<std::size_t>(style.precision)) {
        parts = split(std::to_chars(text, end, v, form, style.precision).ptr);
        auto const last = parts.fraction.find_last_not_of('0') + 1;
        if (!style.all_digits) parts.fraction.resize(last);
    }
    return parts;
}

// What the numbers themselves want, where the stream says nothing.
inline bool wants_scientific(std::vector<double> const& values, bool single) {
    double largest = 0, smallest = INFINITY;
    for (double const v : values) {
        if (!std::isfinite(v) || v == 0) continue;
        largest = std::max(largest, std::abs(v));
        smallest = std::min(smallest, std::abs(v));
    }
    double const ratio = single ? static_cast<float>(largest / smallest) : largest / smallest;
    return largest >= (single ? 1e6 : 1e8) || (largest > 0 && (smallest < 1e-4 || ratio > 1000));
}

inline float_style style_of_floats(std::vector<double> const& values, bool single,
                                   std::ios_base const& stream) {
    auto const field = stream.flags() & std::ios_base::floatfield;
    bool const scientific = field == std::ios_base::scientific;
    bool const chosen = scientific || field == std::ios_base::fixed;
    int const precision = std::min(static_cast<int>(stream.precision()), 500);
    return {single, chosen ? scientific : wants_scientific(values, single), chosen,
            chosen || precision != 6 ? precision : 8};
}

// The points stand below each other; powers of ten have as many digits before them.
inline std::vector<std::string> texts_of_floats(std::vector<double> const& values, bool single,
                                                std::ios_base const& stream) {
    float_style style = style_of_floats(values, single, stream);
    std::vector<float_parts> parts;
    std::size_t whole = 0, fraction = 0, exponent = 0;
    for (double const v : values) {
        parts.push_back(std::isfinite(v) ? parts_of_float(v, style) : float_parts{});
        whole = std::max(whole, parts.back().whole.size());
        fraction = std::max(fraction, parts.back().fraction.size());
        exponent = std::max(exponent, parts.back().exponent.size());
    }
    style.all_digits = style.scientific;
    style.precision = static_cast<int>(fraction);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i != values.size(); ++i) {
        auto& [w, f, e] = parts[i];
        if (!std::isfinite(values[i])) {
            texts.push_back(std::isnan(values[i]) ? "nan" : values[i] < 0 ? "-inf" : "inf");
            continue;
        }
        if (style.scientific && f.size() < fraction) parts[i] = parts_of_float(values[i], style);
        f.resize(fraction, ' ');
        if (!e.empty()) e.insert(2, exponent - e.size(), '0');
        texts.push_back(std::string(whole - w.size(), ' ') + w + "." + f + e);
    }
    return texts;
}

// 1.5-2.j: each part as the numbers it is one of.
inline std::vector<std::string> texts_of_complex(std::vector<double> const& real,
                                                 std::vector<double> const& imag, bool single,
                                                 std::ios_base const& stream) {
    auto texts = texts_of_floats(real, single, stream);
    auto parts = texts_of_floats(imag, single, stream);
    std::size_t whole = 0, after = 0;
    for (std::size_t i = 0; i != texts.size(); ++i) whole = std::max(whole, texts[i].size());
    for (std::string& t : parts) {
        t.erase(0, t.find_first_not_of(' '));
        if (t[0] != '-') t.insert(0, "+");
        auto const digits = t.find_last_not_of(' ') + 1;
        t.insert(digits, "j");
        after = std::max(after, t.size());
    }
    for (std::size_t i = 0; i != texts.size(); ++i) {
        texts[i].insert(0, whole - texts[i].size(), ' ');
        texts[i] += std::string(after - parts[i].size(), ' ') + parts[i];
    }
    return texts;
}

}  // namespace felt::inline FELT_ABI::detail
