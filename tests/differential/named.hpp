// SPDX-License-Identifier: BSD-3-Clause
//
// Operands of rows by whose names derivatives are taken. What a case draws does not depend on
// values: the same case can be made again, with one of its leaves further along a direction.
#pragma once
#include "tests/differential/rows.hpp"
#include <map>

namespace test {

// "x0", "y0": the first and second operand of the innermost row; "x1": of the row around that.
consteval felt::fixed_string<3> name_of(char letter, int level) {
    char const text[] = {letter, static_cast<char>('0' + level), '\0'};
    return {text};
}

// Which leaf is moved, and how far along its direction.
struct move {
    std::string name;
    double by = 0;
};

class leaves {
public:
    // One case in six has an axis with nothing along it, one in ten is larger than a strip.
    explicit leaves(std::uint64_t seed, move way = {})
        : d_(seed), pool_(d_), m_(extent(seed, 0)), n_(extent(seed, 3)), way_(std::move(way)) {}

    index_t rows() const { return m_; }
    index_t columns() const { return n_; }
    pool& memory() { return pool_; }

    template <felt::fixed_string Name, std::size_t R>
    auto leaf(index_t const (&e)[R]) {
        plain::array x = reals(shape(e, e + R)), direction = reals(x.e);
        plain::array const still = x;
        if (way_.name == Name.text) x = plain::add(x, plain::multiply(direction, number(way_.by)));
        std::fill(x.error.begin(), x.error.end(), 0);
        felt::View<double, R> const v = pool_.place<double, R>(x, x.e);
        if (!drawn_.emplace(Name.text, drawn{still, std::move(direction)}).second) {
            throw std::logic_error(std::string("two leaves have the name ") + Name.text);
        }
        return term{felt::named<Name>(v), std::move(x)};
    }
    // A tensor by which no derivatives are taken.
    template <std::size_t R>
    auto constant(shape const& e) {
        plain::array x = reals(e);
        return term{felt::as_node(pool_.place<double, R>(x, e)), std::move(x)};
    }
    template <std::size_t R>
    auto indices(index_t const (&e)[R], index_t limit) {
        if (limit < 1) throw felt::error("an index of nothing");
        plain::array x(shape(e, e + R));
        for (double& v : x.v) v = static_cast<double>(d_.between(0, limit - 1));
        return term{felt::as_node(pool_.place<int, R>(x, x.e)), std::move(x)};
    }
    index_t between(index_t lo, index_t hi) { return d_.between(lo, hi); }

    bool has_empty_axis() const { return m_ == 0 || n_ == 0; }
    std::size_t count() const { return drawn_.size(); }
    plain::array const& direction(std::string const& name) const {
        return drawn_.at(name).direction;
    }
    // A leaf where it is not moved: what stop() of it is.
    plain::array const& still(std::string const& name) const { return drawn_.at(name).still; }

private:
    struct drawn {
        plain::array still, direction;
    };

    index_t extent(std::uint64_t seed, std::uint64_t empty) {
        index_t const awkward[] = {1, 2, 3, 4, 5, 7, 8, 11, 13, 16, 17};
        index_t const some = awkward[d_.between(0, 10)], many = d_.between(30, 70);
        return seed % 6 == empty ? 0 : seed % 10 == 9 ? many : some;
    }
    // Between -1.5 and 1.5, so that no two are equal and none is where a function has a kink.
    plain::array reals(shape const& e) {
        plain::array x(e);
        for (double& v : x.v) v = static_cast<double>(d_.next() >> 11) * 0x3p-53 - 1.5;
        return x;
    }

    dice d_;
    pool pool_;
    index_t const m_, n_;
    move const way_;
    std::map<std::string, drawn> drawn_;
};

// The operands of a row that stands so deep, counted from the inside.
template <int Level>
struct operands_at {
    using value_type = double;
    leaves& all;
    index_t const m = all.rows(), n = all.columns();

    template <std::size_t R>
    auto tensor(index_t const (&e)[R]) {
        return all.leaf<name_of('x', Level)>(e);
    }
    template <std::size_t R>
    auto second(index_t const (&e)[R]) {
        return all.leaf<name_of('y', Level)>(e);
    }
    template <std::size_t R>
    auto third(index_t const (&e)[R]) {
        return all.leaf<name_of('z', Level)>(e);
    }
    plain::array const& second_still() const { return all.still(name_of('y', Level).text); }
    auto indices(index_t count, index_t limit) { return all.indices<1>({count}, limit); }
    template <std::size_t R>
    auto indices(index_t const (&e)[R], index_t limit) {
        return all.indices(e, limit);
    }
    index_t between(index_t lo, index_t hi) { return all.between(lo, hi); }
};

}  // namespace test
