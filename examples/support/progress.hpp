// SPDX-License-Identifier: BSD-3-Clause
//
// How far a long loop is. On a terminal one line that is drawn again, ten times a second at most:
//
//   [########............] 160/400   cost 9.127   |gradient| 0.0312   12.4 s, 18.6 s left
//
// Without a terminal about twenty plain lines; with --quiet nothing.
#pragma once
#include <support/machine.hpp>
#include <support/table.hpp>
#include <unistd.h>
#include <iostream>

namespace support {

struct reading {
    std::string name;
    double value;
};

class progress {
public:
    enum class style { none, lines, bar };

    static style fitting(bool quiet) {
        return quiet ? style::none : isatty(STDERR_FILENO) ? style::bar : style::lines;
    }

    // `first` is where a resumed run begins: what was done before does not count as speed.
    progress(std::size_t total, style s, std::size_t first = 0)
        : progress(total, s, first, s == style::bar ? std::cerr : std::cout) {}
    progress(std::size_t total, style s, std::size_t first, std::ostream& out)
        : total_(total), first_(first), style_(s), out_(out) {}
    progress(progress const&) = delete;
    ~progress() { finish(); }

    // After iteration `done` of `total`.
    void show(std::size_t done, std::vector<reading> const& readings) {
        last_ = text(done, readings);
        double const now = clock_.seconds();
        if (style_ == style::lines && (wanted(done) || done == total_)) {
            out_ << last_ << std::endl;
            last_.clear();
        }
        if (style_ == style::bar && (now >= next_ || done == total_)) {
            next_ = now + 0.1;
            draw();
        }
    }

    // Shows the last state and ends the line; later output begins on a fresh one.
    void finish() {
        if (last_.empty()) return;
        if (style_ == style::bar) draw(), out_ << std::endl;
        if (style_ == style::lines) out_ << last_ << std::endl;
        last_.clear();
    }

private:
    std::string text(std::size_t done, std::vector<reading> const& readings) const {
        std::string const all = std::to_string(total_), now = std::to_string(done);
        std::string line =
            std::string(all.size() - std::min(all.size(), now.size()), ' ') + now + "/" + all;
        for (reading const& r : readings) {
            char value[32];
            std::snprintf(value, sizeof value, "%#-8.4g", r.value);
            line += "   " + r.name + " " + value;
        }
        double const spent = clock_.seconds();
        line += "   " + duration(spent);
        if (done > first_ && done < total_) {
            double const each = spent / static_cast<double>(done - first_);
            line += ", " + duration(each * static_cast<double>(total_ - done)) + " left";
        }
        if (style_ != style::bar) return line;
        std::size_t const marks = total_ == 0 ? 20 : 20 * std::min(done, total_) / total_;
        return "[" + std::string(marks, '#') + std::string(20 - marks, '.') + "] " + line;
    }

    bool wanted(std::size_t done) const {
        return done == first_ || done % std::max<std::size_t>(1, total_ / 20) == 0;
    }

    // Carriage return, text, and "erase to the end of the line".
    void draw() { out_ << '\r' << last_ << "\x1b[K" << std::flush; }

    std::size_t total_, first_;
    style style_;
    std::ostream& out_;
    stopwatch clock_;
    double next_ = 0;
    std::string last_;
};

}  // namespace support
