// SPDX-License-Identifier: BSD-3-Clause
//
// The types of the differential test's grammar over contiguous tensors: every FELT_PARTS-th, from
// FELT_PART on. Two of three pairs of an inner and an outer row, and triples.
#include "tests/differential/outer.hpp"
#include "compare.hpp"
#include <memory>

namespace {

using felt::index_t;
namespace outer = test::outer;
using test::inner_row;
using test::inners;
using test::outer_row;
using test::outers;

// What the rows of the grammar take their operands from. Their values are not computed.
struct contiguous_operands {
    using value_type = float;

    contiguous_operands(index_t rows, index_t columns) : m(rows), n(columns) {}

    index_t const m, n;

    template <std::size_t R>
    auto tensor(index_t const (&e)[R]) {
        felt::extents<R> extents;
        for (std::size_t r = 0; r < R; ++r) extents[r] = e[r];
        auto& x = keep(felt::Tensor<float, R>(extents));
        x = 0.1f * felt::normal<float>(x.extents(), ++seed_);
        return test::term{felt::as_node(x), plain::array(plain::shape(e, e + R))};
    }
    template <std::size_t R>
    auto second(index_t const (&e)[R]) {
        return tensor(e);
    }
    auto indices(index_t count, index_t limit) {
        auto& x = keep(felt::Tensor<int, 1>({count}));
        for (index_t i = 0; i < count; ++i) x(i) = static_cast<int>(i * 977 % limit);
        return test::term{felt::as_node(x), plain::array(plain::shape{count})};
    }
    index_t between(index_t, index_t most) { return most; }

private:
    template <class T>
    T& keep(T&& x) {
        auto const kept = std::make_shared<T>(std::move(x));
        kept_.push_back(kept);
        return *kept;
    }
    std::vector<std::shared_ptr<void>> kept_{};
    std::uint64_t seed_ = 0;
};

template <class F>
void run(std::string const& name, bench::size at, F&& of) {
    constexpr index_t rows[] = {33, 200, 900}, columns[] = {48, 320, 1500};
    auto const i = static_cast<std::size_t>(at);
    contiguous_operands o{rows[i], columns[i]};
    bench::compare(name, at, of(o).node);
}

template <std::size_t I, std::size_t J>
void add_pair() {
    bench::statements().push_back(
        {std::string(outer_row<J>::name) + " of x = " + inner_row<I>::name,
         [](std::string const& name, bench::size at) {
             run(name, at, [](auto& o) { return outer_row<J>::of(o, inner_row<I>::of(o)); });
         }});
}

template <std::size_t I, std::size_t J, std::size_t K>
void add_triple() {
    bench::statements().push_back(
        {std::string(outer_row<K>::name) + " of x = " + outer_row<J>::name +
             " of x = " + inner_row<I>::name,
         [](std::string const& name, bench::size at) {
             run(name, at, [](auto& o) {
                 return outer_row<K>::of(o, outer_row<J>::of(o, inner_row<I>::of(o)));
             });
         }});
}

inline constexpr std::size_t pairs = inners * outers / 2, triples = 90;

template <std::size_t K>
void add_type() {
    if constexpr (K < pairs) {
        constexpr std::size_t i = K % inners, j = (2 * (K / inners) + i) % outers;
        add_pair<i, j>();
    } else if constexpr (K < pairs + triples) {
        constexpr std::size_t t = K - pairs;
        add_triple<(5 * t + t / 18) % inners, (3 * t + t / 14) % outer::squares,
                   (7 * t + 2) % outers>();
    }
}

template <std::size_t... K>
bool add_part(std::index_sequence<K...>) {
    (add_type<K * FELT_PARTS + FELT_PART>(), ...);
    return true;
}
bool const added = add_part(std::make_index_sequence<(pairs + triples) / FELT_PARTS + 1>{});

}  // namespace
