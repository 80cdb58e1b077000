// SPDX-License-Identifier: BSD-3-Clause
//
// Charts as SVG text: lines over an axis, groups of bars, and pies. Titles of axes carry the unit:
//
//   support::line_chart c{"Cost", "iteration", "cost per sample"};
//   c.series = {{"fused", iterations, costs}};
//   support::write_file("cost.svg", support::to_svg(c));
#pragma once
#include <support/axis.hpp>
#include <support/svg.hpp>
#include <numeric>

namespace support {

struct series {
    std::string name;
    std::vector<double> x, y;  // of the same length; points that are no numbers break the line
};

struct line_chart {
    std::string title, x_title, y_title;
    std::vector<support::series> series = {};
    bool log_y = false;  // leaves out values that are not positive
};

struct bar_group {
    std::string name;  // one colour
    std::vector<double> values;
};

struct bar_chart {
    std::string title, y_title;
    std::vector<std::string> places;  // what stands under the bars
    std::vector<bar_group> groups = {};
};

struct slice {
    std::string name;
    double value;
};

struct pie_chart {
    std::string title, unit;
    std::vector<support::slice> slices = {};
};

namespace detail {

inline constexpr double chart_width = 760, chart_height = 460;
inline constexpr double plot_left = 86, plot_right = 736, plot_top = 52, plot_bottom = 382;

inline svg::canvas titled(std::string const& title) {
    svg::canvas c{chart_width, chart_height};
    c.text({chart_width / 2, 30}, title, svg::anchor::middle, 18);
    return c;
}

inline void draw_y_axis(svg::canvas& c, axis const& y, std::string const& title) {
    for (double v : ticks_of(y, 8)) {
        c.line({plot_left, y.place(v)}, {plot_right, y.place(v)}, "#e4e4e4");
        c.text({plot_left - 8, y.place(v) + 4}, number(v), svg::anchor::end);
    }
    c.upright({22, (plot_top + plot_bottom) / 2}, title, 14);
}

inline void draw_frame(svg::canvas& c) {
    c.line({plot_left, plot_bottom}, {plot_right, plot_bottom}, "#222");
    c.line({plot_left, plot_top}, {plot_left, plot_bottom}, "#222");
}

// In the bottom margin, side by side, so that it never hides a line.
inline void draw_legend(svg::canvas& c, std::vector<std::string> const& names) {
    if (names.size() < 2) return;
    double width = 0;
    for (auto const& name : names) width += 42 + 7.2 * static_cast<double>(name.size());
    double x = std::max(8.0, (chart_width - width) / 2);
    for (std::size_t i = 0; i < names.size(); ++i) {
        c.rectangle({x, chart_height - 19}, 18, 8, svg::colour(i));
        c.text({x + 24, chart_height - 10}, names[i]);
        x += 42 + 7.2 * static_cast<double>(names[i].size());
    }
}

inline std::string line_path(series const& s, axis const& x, axis const& y) {
    std::string d;
    bool pen_is_down = false;
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
        bool const seen = x.shows(s.x[i]) && y.shows(s.y[i]);
        if (seen) {
            d += pen_is_down ? 'L' : 'M';
            d += svg::at(x.place(s.x[i])) + " " + svg::at(y.place(s.y[i]));
            if (!pen_is_down) d += "h0.01";  // a lone point is a dot
        }
        pen_is_down = seen;
    }
    return d;
}

inline std::string pie_path(svg::point centre, double radius, double from, double to) {
    double const turn = 2 * 3.14159265358979323846;
    auto const rim = [&](double t) {
        return svg::at(centre.x + radius * std::sin(turn * t)) + " " +
               svg::at(centre.y - radius * std::cos(turn * t));
    };
    std::string const arc = "A" + svg::at(radius) + " " + svg::at(radius) + " 0 ";
    if (to - from > 0.9999) {
        return "M" + rim(0) + arc + "0 1 " + rim(0.5) + arc + "0 1 " + rim(0) + "Z";
    }
    return "M" + svg::at(centre.x) + " " + svg::at(centre.y) + "L" + rim(from) + arc +
           (to - from > 0.5 ? "1" : "0") + " 1 " + rim(to) + "Z";
}

}  // namespace detail

inline std::string to_svg(line_chart const& chart) {
    using namespace detail;
    std::vector<double> xs, ys;
    std::vector<std::string> names;
    for (series const& s : chart.series) {
        xs.insert(xs.end(), s.x.begin(), s.x.end());
        ys.insert(ys.end(), s.y.begin(), s.y.end());
        names.push_back(s.name);
    }
    axis const x = fitted(xs, plot_left, plot_right, false);
    axis const y = fitted(ys, plot_bottom, plot_top, chart.log_y);
    svg::canvas c = titled(chart.title);
    draw_y_axis(c, y, chart.y_title);
    for (double v : ticks_of(x, 9)) {
        c.line({x.place(v), plot_bottom}, {x.place(v), plot_bottom + 5}, "#222");
        c.text({x.place(v), plot_bottom + 20}, number(v), svg::anchor::middle);
    }
    c.text({(plot_left + plot_right) / 2, plot_bottom + 40}, chart.x_title, svg::anchor::middle,
           14);
    draw_frame(c);
    for (std::size_t i = 0; i < chart.series.size(); ++i) {
        c.path(line_path(chart.series[i], x, y), "none", svg::colour(i), 2);
    }
    draw_legend(c, names);
    return c.finished();
}

inline std::string to_svg(bar_chart const& chart) {
    using namespace detail;
    std::vector<double> all;
    std::vector<std::string> names;
    for (bar_group const& g : chart.groups) {
        all.insert(all.end(), g.values.begin(), g.values.end());
        names.push_back(g.name);
    }
    axis const y = fitted(all, plot_bottom, plot_top, false, true);
    svg::canvas c = titled(chart.title);
    draw_y_axis(c, y, chart.y_title);
    double const pitch = (plot_right - plot_left) / static_cast<double>(chart.places.size());
    double const bar = 0.8 * pitch / static_cast<double>(chart.groups.size());
    for (std::size_t p = 0; p < chart.places.size(); ++p) {
        double const left = plot_left + pitch * (static_cast<double>(p) + 0.1);
        for (std::size_t g = 0; g < chart.groups.size(); ++g) {
            if (p >= chart.groups[g].values.size()) continue;
            double const v = chart.groups[g].values[p];
            if (!y.shows(v)) continue;
            double const top = y.place(std::max(v, 0.0)), bottom = y.place(std::min(v, 0.0));
            c.rectangle({left + bar * static_cast<double>(g), top}, bar * 0.94, bottom - top,
                        svg::colour(g));
        }
        // Small enough not to run into the next one: a letter is about 0.56 of its size wide.
        auto const letters = static_cast<double>(std::max<std::size_t>(1, chart.places[p].size()));
        c.text({left + 0.4 * pitch, plot_bottom + 20}, chart.places[p], svg::anchor::middle,
               std::min(13.0, pitch / (0.58 * letters)));
    }
    draw_frame(c);
    draw_legend(c, names);
    return c.finished();
}

// Slices of no size are left out of the circle but stay in the list beside it.
inline std::string to_svg(pie_chart const& chart) {
    using namespace detail;
    svg::canvas c = titled(chart.title);
    double total = 0;
    for (slice const& s : chart.slices) total += std::max(s.value, 0.0);
    double from = 0, y = 236 - 14 * static_cast<double>(chart.slices.size());
    for (std::size_t i = 0; i < chart.slices.size(); ++i, y += 28) {
        slice const& s = chart.slices[i];
        double const share = total > 0 ? std::max(s.value, 0.0) / total : 0;
        if (share > 0) {
            c.path(pie_path({230, 244}, 170, from, from + share), svg::colour(i), "#fff", 1.5);
        }
        from += share;
        char percent[16];
        std::snprintf(percent, sizeof percent, "%.1f %%", 100 * share);
        c.rectangle({452, y - 11}, 14, 14, svg::colour(i));
        c.text({476, y}, s.name);
        c.text({640, y}, percent, svg::anchor::end);
        char value[16];
        std::snprintf(value, sizeof value, "%.3g", s.value);
        c.text({736, y}, std::string(value) + " " + chart.unit, svg::anchor::end);
    }
    return c.finished();
}

}  // namespace support
