// SPDX-License-Identifier: BSD-3-Clause
//
// A square of counts as an SVG: row by row what is, column by column what was said. A field is as
// dark as the square root of its share of the row, so that single mistakes are seen.
#pragma once
#include <support/chart.hpp>

namespace support {

struct heat_map {
    std::string title, x_title, y_title;
    std::vector<std::string> names;           // of rows and columns
    std::vector<std::vector<double>> values;  // [row][column]
};

namespace detail {

inline std::string shade(double t) {
    auto const mixed = [t](int full) { return static_cast<int>(255 + t * (full - 255)); };
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", mixed(0), mixed(0x72), mixed(0xb2));
    return text;
}

}  // namespace detail

inline std::string to_svg(heat_map const& map) {
    using namespace detail;
    double const cell = 38, left = 90, top = 62;
    double const size = cell * static_cast<double>(map.names.size());
    svg::canvas c{left + size + 40, top + size + 66};
    c.text({c.width / 2, 30}, map.title, svg::anchor::middle, 18);
    c.text({left + size / 2, top + size + 50}, map.x_title, svg::anchor::middle, 14);
    c.upright({28, top + size / 2}, map.y_title, 14);
    for (std::size_t i = 0; i < map.values.size(); ++i) {
        double const y = top + cell * static_cast<double>(i), middle = y + cell / 2 + 4;
        double const all = std::accumulate(map.values[i].begin(), map.values[i].end(), 0.0);
        c.text({left - 12, middle}, map.names[i], svg::anchor::end);
        c.text({left + cell * (static_cast<double>(i) + 0.5), top + size + 22}, map.names[i],
               svg::anchor::middle);
        for (std::size_t j = 0; j < map.values[i].size(); ++j) {
            double const x = left + cell * static_cast<double>(j), v = map.values[i][j];
            double const t = all > 0 && v > 0 ? std::sqrt(v / all) : 0;
            c.rectangle({x, y}, cell - 1, cell - 1, shade(t));
            if (v == 0) continue;
            c.text({x + cell / 2, middle}, number(v), svg::anchor::middle, 12,
                   t > 0.6 ? " fill=\"#fff\"" : "");
        }
    }
    return c.finished();
}

}  // namespace support
