// SPDX-License-Identifier: BSD-3-Clause
//
// Groups of statements that read one term z, in orders and layouts by the seed: one stores a
// function of it, another reads it after that, or sums it, or reads what was stored.
#pragma once
#include "tests/differential/cases.hpp"

namespace test {

// The statement y = node, and what it stores.
template <class T, std::size_t R, class N>
struct stored {
    char const* name;
    felt::View<T, R> y;
    N node;
    plain::array value;
};

// In free memory; where `last`, perhaps over operands: then it is the last one of a group.
template <class N>
auto store(pool& p, char const* name, N const& node, plain::array const& value, bool last = false) {
    using T = typename N::value_type;
    auto const y = last ? p.destination<T, N::rank>(value.e) : p.apart<T, N::rank>(value.e);
    return stored<T, N::rank, N>{name, y, node, value};
}

// Fused and unfused; what went wrong, empty if nothing did.
template <class... S>
std::string run_statements(pool& p, double error, S const&... s) {
    (p.mark(s.y, s.value.e), ...);
    p.remember();
    std::string wrong, names;
    ((names += std::string(names.empty() ? "" : ", ") + s.name), ...);
    auto const compare = [&](char const* way, auto const& one) {
        if (!wrong.empty()) return;
        wrong = outcome(way, p, one.y, one.value, error);
        if (!wrong.empty()) wrong = one.name + (" of (" + names) + "), " + wrong;
    };
    p.guarded([&] { execute(felt::fused, assign(s.y, s.node)...); });
    (compare("fused", s), ...);
    p.restore();
    p.guarded([&] { execute(felt::unfused, assign(s.y, s.node)...); });
    (compare("unfused", s), ...);
    return wrong;
}

// A case of statements that share the term that `of` makes. One in four has long strips.
template <class T, class F>
std::string run_group(std::uint64_t seed, F&& of) {
    dice d(seed);
    bool const large = seed % 4 == 3;
    index_t const m = large ? d.between(64, 170) : any_extent(d);
    index_t const n = large ? d.between(64, 200) : any_extent(d);
    pool p(d);
    operands<T> o(p, d, m, n);
    auto const z = of(o);
    p.leave_room<typename decltype(z.node)::value_type>(z.value.e);
    plain::array const ten = plain::multiply(plain::maximum(z.value, number(0)), number(10));
    auto const f = store(p, "h = relu(z) * 10", relu(z.node) * 10, ten);
    auto const g = store(p, "z + 1", z.node + 1, plain::add(z.value, number(1)), true);
    auto const same = store(p, "z", z.node, z.value);
    auto const sum = store(p, "sum<0>(z)", felt::sum<0>(z.node), plain::sum(z.value, 1));
    auto const top = store(p, "max<1>(z * z)", felt::max<1>(z.node * z.node),
                           plain::max(plain::multiply(z.value, z.value), 2));
    auto const twice = plain::multiply(ten, number(2));
    auto const read = store(p, "h * 2 - z", f.y * 2 - z.node, subtract(twice, z.value));
    double const e = epsilon<T>;
    std::string wrong;
    switch (d.between(0, 7)) {
        case 0:
            wrong = run_statements(p, e, f, g);
            break;
        case 1:
            wrong = run_statements(p, e, f, sum);
            break;
        case 2:
            wrong = run_statements(p, e, same, g);
            break;
        case 3:
            wrong = run_statements(p, e, f, same, g);
            break;
        case 4:
            wrong = run_statements(p, e, sum, f, g);
            break;
        case 5:
            wrong = run_statements(p, e, f, top, g);
            break;
        case 6:
            wrong = run_statements(p, e, f, read, g);
            break;
        default:
            wrong = run_statements(p, e, sum, f, same, top, read, g);
    }
    return wrong.empty() ? wrong : felt::to_string(z.value.e.data(), 2) + " " + wrong;
}

}  // namespace test
