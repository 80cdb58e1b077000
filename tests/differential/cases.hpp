// SPDX-License-Identifier: BSD-3-Clause
//
// A case of an expression by its seed: extents, layouts, values and aliasing. execute() carries out
// statements (FELT_EXECUTE).
#pragma once
#include "tests/differential/rows.hpp"

namespace test {

inline index_t any_extent(dice& d) {
    index_t const awkward[] = {1, 2, 3, 5, 7, 13, 15, 16, 17, 31, 32, 33, 40, 64, 65};
    return awkward[d.between(0, 14)];
}

template <class T, std::size_t R>
std::string outcome(char const* way, pool const& p, felt::View<T, R> const& y,
                    plain::array const& expected, double error) {
    std::string const wrong = difference(p.read(y, expected.e), expected, error);
    if (!wrong.empty()) return std::string(way) + p.how() + ": " + wrong;
    if (!p.rest_is_untouched()) return std::string(way) + p.how() + ": wrote beside y";
    return "";
}

// The expression that `of` makes, in a case by its seed. One case in twelve is larger than a block.
template <class T, class F>
std::string run_case(std::uint64_t seed, F&& of) {
    dice d(seed);
    bool const large = seed % 12 == 11;
    index_t const m = large ? d.between(100, 170) : any_extent(d);
    index_t const n = large ? d.between(300, 500) : any_extent(d);
    pool p(d);
    operands<T> o(p, d, m, n);
    auto const e = of(o);
    using N = std::remove_const_t<decltype(e.node)>;
    using V = typename N::value_type;
    auto y = p.destination<V, N::rank>(e.value.e);
    p.mark(y, e.value.e);
    std::string const size = felt::to_string(e.value.e.data(), e.value.e.size()) + " ";
    p.remember();
    p.guarded([&] { execute(felt::fused, assign(y, e.node)); });
    std::string wrong = outcome("fused", p, y, e.value, epsilon<T>);
    if (!wrong.empty()) return size + wrong;
    p.restore();
    p.guarded([&] { execute(felt::unfused, assign(y, e.node)); });
    wrong = outcome("unfused", p, y, e.value, epsilon<T>);
    return wrong.empty() ? wrong : size + wrong;
}

}  // namespace test
