// SPDX-License-Identifier: BSD-3-Clause
//
// A case of a program: its cost and its derivatives, fused and unfused, beside the cost by plain
// loops and central differences of that.
#pragma once
#include "tests/differential/program.hpp"
#include <functional>

namespace test {

// What derivatives are asked for: those by the leaves that expressions E reach.
template <class Name, class... E>
using if_reached =
    std::conditional_t<(felt::derive::reaches<Name, E> || ...), std::tuple<Name>, std::tuple<>>;
template <int Level, class... E>
using reached_at =
    decltype(std::tuple_cat(if_reached<felt::literal_name<name_of('x', Level)>, E...>{},
                            if_reached<felt::literal_name<name_of('y', Level)>, E...>{},
                            if_reached<felt::literal_name<name_of('z', Level)>, E...>{}));
template <class... E>
using reached =
    decltype(std::tuple_cat(reached_at<0, E...>{}, reached_at<1, E...>{}, reached_at<2, E...>{}));

template <class... Name>
auto wrt_all(std::tuple<Name...>) {
    return felt::wrt_names<Name...>{};
}
template <class... Name>
std::vector<std::string> texts(felt::wrt_names<Name...>) {
    return {Name::text...};
}

template <class J, class... Part>
auto names_of(J const&, std::tuple<Part...> const&) {
    return wrt_all(
        reached<J, std::remove_cvref_t<decltype(std::declval<Part>().expression())>...>{});
}

// A cost and its derivatives.
struct results {
    double cost = 0;
    std::vector<plain::array> by;
};

// Where a derivative of the extents of d is written.
template <class D>
auto room_for(pool& p, D const& d) {
    auto const e = d.extents();
    shape const all(e.begin(), e.end());
    auto const to = p.apart<double, D::rank>(all);
    p.mark(to, all);
    return to;
}
template <class View>
plain::array read(pool const& p, View const& v) {
    auto const e = v.extents();
    return p.read(v, shape(e.begin(), e.end()));
}

template <class How, class G, class... View>
results results_of(How how, pool& p, G& program, View const&... to) {
    p.restore();
    results out;
    p.guarded([&] { out.cost = program(how, to...); });
    (out.by.push_back(read(p, to)), ...);
    if (!p.rest_is_untouched()) throw felt::error("wrote beside derivatives and what is kept");
    return out;
}

// A number, and how far rounding may have taken it.
struct estimate {
    double value, error;
};

// The cost by plain loops where a leaf is moved.
using cost_at = std::function<plain::array(move const&)>;

// The slope of the cost along the direction of that leaf: off by rounding, by the order of h^4,
// and by what kinks within h make of it.
inline estimate slope(cost_at const& f, std::string const& name, double h) {
    auto const difference = [&](double by) {
        plain::array const up = f({name, by}), down = f({name, -by});
        return estimate{(up.v[0] - down.v[0]) / (2 * by),
                        epsilon<double> * (up.error[0] + down.error[0]) / (2 * by)};
    };
    estimate const a = difference(h), b = difference(h / 2);
    return {(4 * b.value - a.value) / 3, 2 * b.error};
}

// The derivative d by the leaf of that name, along its direction, beside slopes of the cost: it is
// one of them if h is so small that there is no kink.
inline std::string beside_slope(cost_at const& cost, std::string const& name, plain::array const& d,
                                plain::array const& direction) {
    double along = 0, magnitude = 0;
    for (std::size_t i = 0; i < d.v.size(); ++i) {
        along += d.v[i] * direction.v[i];
        magnitude += std::fabs(d.v[i] * direction.v[i]);
    }
    estimate s{};
    for (double h : {1e-3, 1e-4, 1e-5, 1e-6}) {
        s = slope(cost, name, h);
        double const error = 1e-6 * (magnitude + std::fabs(s.value)) + s.error;
        if (std::fabs(along - s.value) <= error) return "";
    }
    return "the derivative by " + name + " is " + digits(along) + " along a direction, not " +
           digits(s.value);
}

// The largest difference of elements is small beside the largest element. (Where all of them
// cancel, as the derivatives of a softmax's sum do, rounding is left.)
inline std::string beside_unfused(std::string const& name, plain::array const& fused,
                                  plain::array const& unfused) {
    double worst = 0, largest = 1e-2;
    for (std::size_t i = 0; i < fused.v.size(); ++i) {
        double const off = std::fabs(fused.v[i] - unfused.v[i]);
        worst = std::max(worst, std::isnan(off) ? INFINITY : off);
        largest = std::max(largest, std::fabs(unfused.v[i]));
    }
    if (worst <= 1e-11 * largest) return "";
    return "the derivative by " + name + " is " + digits(worst) + " from the unfused one";
}

}  // namespace test
