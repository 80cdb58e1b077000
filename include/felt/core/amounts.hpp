// SPDX-License-Identifier: BSD-3-Clause
//
// Amounts as people read them.
#pragma once
#include <felt/core/extents.hpp>
#include <sstream>
#include <string>

namespace felt::detail {

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
inline std::string bytes_text(index_t n) { return amount(static_cast<double>(n), "B", 1024); }

}  // namespace felt::detail
