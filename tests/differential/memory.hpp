// SPDX-License-Identifier: BSD-3-Clause
//
// field: elements in memory by an awkward layout, between guards. A field knows which elements
// belong to it, so that a write anywhere else is found.
#pragma once
#include "tests/differential/plain.hpp"
#include <felt/tensor/view.hpp>
#include <cstdint>
#include <cstdio>

namespace test {

using felt::index_t;
using plain::shape;

enum class order { rows, columns, steps, flipped, flipped_last, pitched, rotated, count };

inline std::string name_of(order o) {
    char const* const names[] = {"rows",         "columns", "steps",  "flipped",
                                 "flipped_last", "pitched", "rotated"};
    return names[static_cast<std::size_t>(o)];
}

// Strides, where element 0 lies, and how many elements the memory has.
struct layout {
    shape stride;
    index_t first = 0, size = 0;
};

inline layout make_layout(order o, shape const& e) {
    std::size_t const rank = e.size();
    std::vector<std::size_t> axes;  // from innermost to outermost
    for (std::size_t r = rank; r-- > 0;) axes.push_back(r);
    if (o == order::columns) std::reverse(axes.begin(), axes.end());
    if (o == order::rotated && rank > 1) std::rotate(axes.begin(), axes.begin() + 1, axes.end());
    layout out{shape(rank, 0), 0, 0};
    index_t step = o == order::steps ? 3 : 1;
    for (std::size_t a : axes) {
        out.stride[a] = step;
        step *= e[a] > 0 ? e[a] : 1;
        if (o == order::steps) step += 1;
        if (o == order::pitched && a == axes.front()) step += 5;
    }
    out.size = step;
    for (std::size_t r = 0; r < rank; ++r) {
        bool const turn = o == order::flipped || (o == order::flipped_last && r + 1 == rank);
        if (!turn || e[r] == 0) continue;
        out.first += out.stride[r] * (e[r] - 1);
        out.stride[r] = -out.stride[r];
    }
    return out;
}

// Numbers that look random and are the same everywhere.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
    std::uint64_t next() {  // xorshift64*
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1DULL;
    }
    // lo <= result <= hi
    index_t between(index_t lo, index_t hi) {
        return lo + static_cast<index_t>((next() >> 33) % static_cast<std::uint64_t>(hi - lo + 1));
    }

private:
    std::uint64_t state_;
};

// Small whole numbers times `scale`: sums of products of them are exact.
inline plain::array whole_numbers(shape const& e, dice& d, index_t limit = 3, double scale = 1) {
    plain::array x(e);
    for (double& v : x.v) v = scale * static_cast<double>(d.between(-limit, limit));
    return x;
}

template <class T, std::size_t R>
class field {
    static constexpr index_t guard = 40;
    static constexpr T marker = std::is_same_v<T, bool> ? T(1) : T(93);

public:
    field(shape const& e, order o) : e_(e), at_(make_layout(o, e)) {
        room_ = static_cast<std::size_t>(at_.size + 2 * guard);
        memory_.assign(room_, marker);
    }
    field(plain::array const& x, order o) : field(x.e, o) { set(x); }

    T* data() { return reinterpret_cast<T*>(memory_.data()) + guard + at_.first; }

    felt::View<T, R> view() {
        felt::extents<R> e, stride;
        for (std::size_t r = 0; r < R; ++r) {
            e[r] = e_[r];
            stride[r] = at_.stride[r];
        }
        return {data(), e, stride};
    }

    void set(plain::array const& x) {
        std::size_t i = 0;
        plain::each(e_, [&](shape const& at) { *place(at) = static_cast<T>(x.v[i++]); });
    }
    plain::array get() {
        plain::array x(e_);
        std::size_t i = 0;
        plain::each(e_, [&](shape const& at) { x.v[i++] = static_cast<double>(*place(at)); });
        return x;
    }

    // Whether everything between and around the elements is as it was.
    bool guards_hold() {
        std::vector<char> mine(room_, 0);
        plain::each(e_, [&](shape const& at) {
            mine[static_cast<std::size_t>(place(at) - reinterpret_cast<T*>(memory_.data()))] = 1;
        });
        for (std::size_t i = 0; i < room_; ++i) {
            if (!mine[i] && memory_[i] != static_cast<stored>(marker)) return false;
        }
        return true;
    }

private:
    using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;

    T* place(shape const& i) {
        T* p = data();
        for (std::size_t r = 0; r < i.size(); ++r) p += i[r] * at_.stride[r];
        return p;
    }

    shape e_;
    layout at_;
    std::size_t room_ = 0;
    std::vector<stored> memory_;
};

inline std::string digits(double x) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9g", x);
    return text;
}

template <class T>
inline constexpr double epsilon = std::is_same_v<T, float> ? 6e-8 : 1.2e-16;

// The first element of y that is further from x than its error allows, in words; empty if none.
// What has an infinite error may be anything.
inline std::string difference(plain::array const& y, plain::array const& x, double epsilon) {
    if (y.e != x.e) return "the extents differ";
    for (std::size_t i = 0; i < x.v.size(); ++i) {
        bool const both_nan = std::isnan(x.v[i]) && std::isnan(y.v[i]);
        bool const finite = std::isfinite(x.v[i]) && std::isfinite(y.v[i]);
        bool const close = y.v[i] == x.v[i] || both_nan || std::isinf(x.error[i]) ||
                           (finite && std::fabs(y.v[i] - x.v[i]) <= epsilon * x.error[i] * 2);
        if (!close) {
            return "element " + std::to_string(i) + " of " +
                   felt::to_string(x.e.data(), x.e.size()) + " is " + digits(y.v[i]) + ", not " +
                   digits(x.v[i]) + " within " + digits(epsilon * x.error[i] * 2);
        }
    }
    return "";
}

}  // namespace test
