// SPDX-License-Identifier: BSD-3-Clause
//
// Amounts as people read them.
#pragma once
#include <felt/core/extents.hpp>
#include <sstream>
#include <string>

namespace felt::inline FELT_ABI::detail {

// 1536 as "1.5 KiB".
inline std::string amount(double n, char const* unit, double step) {
    char const* const prefix[] = {"", "Ki", "Mi", "Gi", "Ti"};
    char const* const thousand[] = {"", "k", "M", "G", "T"};
    int i = 0;
    for (; n >= step && i < 4; ++i) n /= step;
    std::ostringstream text;
    text.precision(n < 10 && i > 0 ? 2 : 3);
    if (n >= 1000) text << static_cast<long>(n);
    else text << n;
    text << ' ' << (step > 1000 ? prefix[i] : thousand[i]) << unit;
    return text.str();
}
// 0.0015 as "1.5 ms".
inline std::string duration_text(double seconds) {
    char const* const unit[] = {"ns", "us", "ms", "s"};
    int i = 0;
    for (seconds *= 1e9; seconds >= 999.5 && i < 3; ++i) seconds /= 1e3;
    std::ostringstream text;
    text.precision(3);
    if (seconds >= 999.5) text << static_cast<long>(seconds);
    else text << seconds;
    text << ' ' << unit[i];
    return text.str();
}
inline std::string bytes_text(index_t n) { return amount(static_cast<double>(n), "B", 1024); }

}  // namespace felt::inline FELT_ABI::detail
