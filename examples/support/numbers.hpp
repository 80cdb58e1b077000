// SPDX-License-Identifier: BSD-3-Clause
//
// Tables of numbers in text files, plain or gzipped: a row a line, columns between separators, the
// same count in every line. A header may name them; columns of some names are text, and left out.
//
//   auto const t = support::read_numbers("train.csv", {.header = true, .text = {"case_id"}});
//   t.values[row * t.columns + column]
//
// What is wrong is an io_error that names the file, the line and the column, both from 1.
#pragma once
#include <felt/core/extents.hpp>
#include <support/files.hpp>
#include <charconv>
#include <cmath>

namespace support {

struct numbers_format {
    char separator = ',';  // ' ': any blanks
    bool header = false;
    std::vector<std::string> text = {};  // names of columns that are no numbers
    std::size_t columns = 0;             // of numbers; 0: as many as the first line has
    std::size_t at_most = SIZE_MAX;      // rows
};
struct number_table {
    std::size_t rows = 0, columns = 0;
    std::vector<float> values = {};  // row-major
    std::vector<std::string> names = {};
};

// The lines of a file, one after another; memory is that of a line and a part of the file.
class line_reader {
public:
    explicit line_reader(fs::path const& file) : in_(file) {}

    // False at the end. The line is there until the next call, without what ends it.
    bool next(std::string_view& line) {
        std::size_t end;
        while ((end = buffer_.find('\n', std::max(begin_, searched_))) == std::string::npos) {
            searched_ = buffer_.size();
            if (!refill()) {
                if (begin_ == buffer_.size()) return false;
                end = buffer_.size(), is_whole_ = false;
                break;
            }
        }
        line = std::string_view(buffer_).substr(begin_, end - begin_);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        begin_ = std::min(end + 1, buffer_.size()), searched_ = begin_;
        ++number_;
        return true;
    }
    std::size_t number() const { return number_; }  // of the last line
    bool is_whole() const { return is_whole_; }     // whether that ended in a line feed

private:
    bool refill() {
        auto const more = in_.read(std::size_t{1} << 20);
        if (more.empty()) return false;
        buffer_.erase(0, begin_);
        searched_ -= begin_, begin_ = 0;
        buffer_.append(reinterpret_cast<char const*>(more.data()), more.size());
        return true;
    }

    byte_reader in_;
    std::string buffer_;
    std::size_t begin_ = 0, searched_ = 0, number_ = 0;
    bool is_whole_ = true;
};

namespace detail {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline std::string_view trimmed(std::string_view s) {
    while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
    return s;
}

// f(column, text) for the columns of a line, from 0; how many there are.
template <class F>
std::size_t for_each_column(std::string_view line, char separator, F const& f) {
    if (separator == ' ') line = trimmed(line);
    std::size_t column = 0, from = 0;
    for (;;) {
        std::size_t end = from;
        if (separator == ' ')
            while (end < line.size() && !is_blank(line[end])) ++end;
        else end = std::min(line.find(separator, from), line.size());
        f(column++, line.substr(from, end - from));
        if (end == line.size()) return column;
        from = end + 1;
        while (separator == ' ' && is_blank(line[from])) ++from;
    }
}

// False where the text is not one finite number.
inline bool to_number(std::string_view text, float& v) {
    text = trimmed(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    auto const end = std::from_chars(text.data(), text.data() + text.size(), v);
    return end.ec == std::errc{} && end.ptr == text.data() + text.size() && std::isfinite(v);
}

inline std::string shortened(std::string_view text) {
    return std::string(text.substr(0, 24)) + (text.size() > 24 ? ".." : "");
}

}  // namespace detail

// "FILE: line L, column C"
inline std::string place_in(fs::path const& file, std::size_t line, std::size_t column) {
    return file.string() + ": line " + std::to_string(line) + ", column " + std::to_string(column);
}

namespace detail {

// The rows of a table, line by line.
class number_lines {
public:
    number_lines(fs::path const& file, numbers_format const& as) : file_(file), in_(file), as_(as) {
        if (as.header) read_header();
        table_.columns = as.columns > 0 ? as.columns : table_.names.size();
        expected_ = as.header ? is_text_.size() : table_.columns;
        if (as.header && table_.names.size() != table_.columns)
            throw felt::io_error(file_.string() + ": line 1 names " +
                                 std::to_string(table_.names.size()) +
                                 " columns of numbers, expected " + std::to_string(table_.columns));
    }

    number_table read() {
        std::string_view line;
        while (table_.rows < as_.at_most && in_.next(line))
            if (!trimmed(line).empty()) read_row(line);
        if (table_.rows == 0) throw felt::io_error(file_.string() + ": no rows of numbers");
        return std::move(table_);
    }

private:
    void read_header() {
        std::string_view line;
        if (!in_.next(line)) return;
        for_each_column(line, as_.separator, [&](std::size_t, std::string_view name) {
            name = trimmed(name);
            is_text_.push_back(std::find(as_.text.begin(), as_.text.end(), name) != as_.text.end());
            if (!is_text_.back()) table_.names.emplace_back(name);
        });
    }
    void read_row(std::string_view line) {
        auto const have = for_each_column(line, as_.separator, [&](std::size_t c, auto text) {
            bool const is_other = c < is_text_.size() && is_text_[c];
            if (!is_other && (expected_ == 0 || c < expected_))
                table_.values.push_back(at(c, text));
        });
        if (expected_ == 0) expected_ = table_.columns = have;
        if (have != expected_)
            throw felt::io_error(file_.string() + ": line " + std::to_string(in_.number()) +
                                 " has " + std::to_string(have) + " columns, expected " +
                                 std::to_string(expected_) +
                                 (in_.is_whole() ? "" : "; the file ends within it"));
        ++table_.rows;
    }
    float at(std::size_t column, std::string_view text) const {
        float v = 0;
        if (to_number(text, v)) return v;
        throw felt::io_error(place_in(file_, in_.number(), column + 1) + ": '" + shortened(text) +
                             "' is no finite number");
    }

    fs::path file_;
    line_reader in_;
    numbers_format const& as_;
    number_table table_;
    std::vector<bool> is_text_;  // by column, where there is a header
    std::size_t expected_ = 0;   // columns in a line; 0: not known yet
};

}  // namespace detail

inline number_table read_numbers(fs::path const& file, numbers_format const& as = {}) {
    return detail::number_lines(file, as).read();
}

// A column of whole numbers 0 .. classes - 1.
inline std::vector<felt::index_t> read_labels(fs::path const& file, felt::index_t classes) {
    line_reader in(file);
    std::vector<felt::index_t> labels;
    std::string_view line;
    while (in.next(line)) {
        if (detail::trimmed(line).empty()) continue;
        float v = -1;
        bool const is_number = detail::to_number(line, v);
        if (!is_number || v != std::floor(v) || v < 0 || v >= static_cast<float>(classes))
            throw felt::io_error(place_in(file, in.number(), 1) + ": '" + detail::shortened(line) +
                                 "' is not one of 0 .. " + std::to_string(classes - 1));
        labels.push_back(static_cast<felt::index_t>(v));
    }
    if (labels.empty()) throw felt::io_error(file.string() + ": no labels");
    return labels;
}

}  // namespace support
