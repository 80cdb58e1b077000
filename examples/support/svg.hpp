// SPDX-License-Identifier: BSD-3-Clause
//
// The few elements of SVG that a chart needs, as text.
#pragma once
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

namespace support::svg {

// Colours that people who see few colours can tell apart, also in grey (Okabe and Ito's set).
inline std::string colour(std::size_t i) {
    static constexpr char const* set[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#7f7f7f", "#222222"};
    return set[i % 8];
}

inline std::string escaped(std::string_view text) {
    std::string out;
    for (char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
        }
    }
    return out;
}

// A coordinate: two decimals are a tenth of what a screen shows.
inline std::string at(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", v);
    return text;
}

struct point {
    double x, y;
};

enum class anchor { start, middle, end };

struct canvas {
    double width, height;
    std::string body = {};

    void line(point a, point b, std::string const& stroke, double wide = 1) {
        body += "<line x1=\"" + at(a.x) + "\" y1=\"" + at(a.y) + "\" x2=\"" + at(b.x) + "\" y2=\"" +
                at(b.y) + "\" stroke=\"" + stroke + "\" stroke-width=\"" + at(wide) + "\"/>\n";
    }

    void rectangle(point corner, double w, double h, std::string const& fill) {
        body += "<rect x=\"" + at(corner.x) + "\" y=\"" + at(corner.y) + "\" width=\"" + at(w) +
                "\" height=\"" + at(h) + "\" fill=\"" + fill + "\"/>\n";
    }

    // d in the language of SVG paths.
    void path(std::string const& d, std::string const& fill, std::string const& stroke,
              double wide) {
        body += "<path d=\"" + d + "\" fill=\"" + fill + "\" stroke=\"" + stroke +
                "\" stroke-width=\"" + at(wide) + "\" stroke-linejoin=\"round\"/>\n";
    }

    void text(point p, std::string_view what, anchor a = anchor::start, double size = 13,
              std::string const& more = {}) {
        static constexpr char const* anchors[] = {"start", "middle", "end"};
        body += "<text x=\"" + at(p.x) + "\" y=\"" + at(p.y) + "\" font-size=\"" + at(size) +
                "\" text-anchor=\"" + anchors[static_cast<int>(a)] + "\"" + more + ">" +
                escaped(what) + "</text>\n";
    }

    // Reads upwards.
    void upright(point p, std::string_view what, double size = 13) {
        text(p, what, anchor::middle, size,
             " transform=\"rotate(-90 " + at(p.x) + " " + at(p.y) + ")\"");
    }

    std::string finished() const {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + at(width) + " " +
               at(height) + "\" width=\"" + at(width) + "\" height=\"" + at(height) +
               "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" fill=\"#222\">\n" +
               "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + body + "</svg>\n";
    }
};

}  // namespace support::svg
