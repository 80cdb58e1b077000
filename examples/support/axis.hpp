// SPDX-License-Identifier: BSD-3-Clause
//
// From values to places along an axis, and which values to write beside it: steps of 1, 2 or 5
// times a power of ten; on a logarithmic axis powers of ten, with 2 and 5 if the decades are few.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace support {

struct axis {
    double low, high;    // values at its ends
    double start, stop;  // places of its ends
    bool log = false;

    double place(double v) const {
        double const t =
            log ? std::log10(v / low) / std::log10(high / low) : (v - low) / (high - low);
        return start + t * (stop - start);
    }

    bool shows(double v) const { return std::isfinite(v) && (!log || v > 0); }
};

// The largest of 1, 2, 5 x 10^n not above v.
inline double round_step(double v) {
    double const power = std::pow(10, std::floor(std::log10(v)));
    double const head = v / power;
    return power * (head >= 5 - 1e-9 ? 5 : head >= 2 - 1e-9 ? 2 : 1);
}

inline std::vector<double> linear_ticks(double low, double high, int about) {
    double const step = round_step((high - low) / about * 1.5);
    std::vector<double> ticks;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
        ticks.push_back(k == 0 ? 0 : k * step);
    }
    return ticks;
}

inline std::vector<double> log_ticks(double low, double high) {
    double const decades = std::log10(high / low);
    int const every = std::max(1, static_cast<int>(decades / 6));
    std::vector<double> ticks;
    for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10, e) <= high * 1.001;
         ++e) {
        for (double head : {1.0, 2.0, 5.0}) {
            double const v = head * std::pow(10, e);
            bool const wanted = head == 1 ? e % every == 0 : decades <= 2.5;
            if (wanted && v >= low * 0.999 && v <= high * 1.001) ticks.push_back(v);
        }
    }
    return ticks;
}

inline std::vector<double> ticks_of(axis const& a, int about) {
    return a.log ? log_ticks(a.low, a.high) : linear_ticks(a.low, a.high, about);
}

// "0.05", "1200", "3e-07"
inline std::string number(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", v);
    return text;
}

// An axis on which all these values can be seen, with some room at both ends.
inline axis fitted(std::vector<double> const& values, double start, double stop, bool log,
                   bool from_zero = false) {
    axis a{0, 1, start, stop, log};
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (double v : values) {
        if (!a.shows(v)) continue;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    if (from_zero) low = std::min(low, 0.0), high = std::max(high, 0.0);
    if (low > high) low = log ? 1 : 0, high = log ? 10 : 1;
    if (log) {
        double const room = std::pow(high / low, 0.04) * (high == low ? 2 : 1);
        a.low = low / room;
        a.high = high * room;
    } else {
        double const room = high > low ? 0.04 * (high - low) : std::max(1.0, std::abs(high)) * 0.5;
        a.low = from_zero && low == 0 ? 0 : low - room;
        a.high = from_zero && high == 0 ? 0 : high + room;
    }
    return a;
}

}  // namespace support
