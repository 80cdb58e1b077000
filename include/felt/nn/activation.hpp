// SPDX-License-Identifier: BSD-3-Clause
//
// Activations at the end of a block. What a block gives, y = f(z), lies in memory with f applied;
// whoever reads y turns the derivative by y into that by z, for which y suffices:
//
//   relu:  dz = dy where y > 0      sigmoid:  dz = dy y (1 - y)      tanh:  dz = dy (1 - y^2)
//
// so that dz takes the place of y, and the block itself begins with dz.
#pragma once
#include <felt/felt.hpp>

namespace felt::inline FELT_ABI::nn {

enum class curve { linear, rectified, logistic, tangent };

// What was applied to a value in memory; `scale`: then elements were dropped, others multiplied.
struct activation {
    curve of = curve::linear;
    double scale = 1;
};

// dz of dy and y = f(z).
template <class T>
struct slope {
    static constexpr char const* name = "slope";
    static constexpr int cost = 2;
    curve of = curve::linear;
    T scale = 1;

    FELT_FN auto operator()(auto dy, auto y) const {
        using V = decltype(dy);
        switch (of) {
            case curve::rectified:
                return V(math::select(y > V(0), V(dy * V(scale)), V(0)));
            case curve::logistic:
                return V(dy * (y - y * y));
            case curve::tangent:
                return V(dy - dy * (y * y));
            case curve::linear:
                break;
        }
        return dy;
    }
    bool operator==(slope const&) const = default;
};

// y as it is, whose derivative goes on as that by z.
template <class T>
struct behind_activation {
    slope<T> by;

    auto make(auto const& y) const { return y; }
    template <std::size_t>
    auto pull(auto const& dy, auto const&, auto const& y) const {
        return map(by, dy, y);
    }
};

// f(z), of which the derivative that is handed in is that by z already.
template <class F>
struct activated {
    F f;

    auto make(auto const& z) const { return f(z); }
    template <std::size_t>
    auto pull(auto const& dz, auto const&, auto const&) const {
        return dz;
    }
};

// max(z, floor), that being 0 or minus infinity: a relu or nothing, by one type.
template <class T>
struct from_floor {
    T floor;

    auto make(auto const& z) const { return maximum(z, floor); }
    template <std::size_t>
    auto pull(auto const& dy, auto const&, auto const& z) const {
        return where(z > floor, dy, T(0));
    }
};

}  // namespace felt::inline FELT_ABI::nn
