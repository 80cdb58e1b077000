// SPDX-License-Identifier: BSD-3-Clause
//
// std::cout << x: a tensor, a view or the value of an expression, as NumPy prints it: in columns,
// by the stream's format; of more than 1000 elements, three from each end of every axis.
#pragma once
#include <felt/tensor/view.hpp>
#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace felt {

namespace detail {

// As `out` would write it; small integers are numbers, not letters.
template <class T>
std::string text_of_element(std::ostream const& out, T v) {
    std::ostringstream text;
    text.copyfmt(out);
    text.width(0);
    if constexpr (std::is_same_v<T, bool>) text << v;
    else text << +v;
    return text.str();
}

// The elements that are shown, in row-major order: text, and where to put it.
class printed {
public:
    static constexpr index_t most = 1000, ends = 3;

    printed(index_t const* e, std::size_t rank) : e_(e), rank_(rank) {
        index_t size = 1;
        for (std::size_t r = 0; r < rank; ++r) size *= e[r];
        all_ = size <= most;
    }

    // f(at) for the index of each element that is shown.
    template <class F>
    void for_each(F&& f) const {
        index_t at[max_rank] = {};
        walk(0, at, f);
    }

    // Brackets around each axis, the elements aligned.
    void write(std::ostream& out, std::vector<std::string> const& text) const {
        std::size_t width = 0, next = 0;
        for (std::string const& t : text) width = std::max(width, t.size());
        write_axis(out, text, width, 0, next);
    }

private:
    bool skips(std::size_t axis, index_t i) const {
        return !all_ && i == ends && e_[axis] > 2 * ends;
    }

    template <class F>
    void walk(std::size_t axis, index_t* at, F& f) const {
        if (axis == rank_) return f(at);
        for (index_t i = 0; i < e_[axis]; ++i) {
            if (skips(axis, i)) i = e_[axis] - ends;
            at[axis] = i;
            walk(axis + 1, at, f);
        }
    }

    void write_axis(std::ostream& out, std::vector<std::string> const& text, std::size_t width,
                    std::size_t axis, std::size_t& next) const {
        if (axis == rank_) {
            std::string const& t = text[next++];
            out << std::string(width - t.size(), ' ') << t;
            return;
        }
        std::string const gap = axis + 1 == rank_ ? " " : between_rows(axis);
        out << '[';
        for (index_t i = 0; i < e_[axis]; ++i) {
            if (i > 0) out << gap;
            if (skips(axis, i)) {
                out << "..." << gap;
                i = e_[axis] - ends;
            }
            write_axis(out, text, width, axis + 1, next);
        }
        out << ']';
    }

    // A line for each row, an empty one between matrices, two between their batches.
    std::string between_rows(std::size_t axis) const {
        return std::string(rank_ - axis - 1, '\n') + std::string(axis + 1, ' ');
    }

    index_t const* e_;
    std::size_t rank_;
    bool all_;
};

}  // namespace detail

template <class X>
concept can_be_printed = node<X> || strided_array<X>;

template <can_be_printed X>
std::ostream& operator<<(std::ostream& out, X const& x) {
    if constexpr (node<X>) {
        return out << eval(x);
    } else if constexpr (!element_access_is_possible<typename X::space>) {
        return out << to<Host>(x);
    } else {
        auto const e = x.extents();
        auto const stride = x.strides();
        std::vector<std::string> text;
        detail::printed const shown(e.value, X::rank);
        shown.for_each([&](index_t const* at) {
            index_t offset = 0;
            for (std::size_t r = 0; r != X::rank; ++r) offset += at[r] * stride[r];
            text.push_back(detail::text_of_element(out, x.data()[offset]));
        });
        shown.write(out, text);
        return out;
    }
}

}  // namespace felt
