// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/grad.hpp>

using namespace felt;

namespace {

Tensor<double, 3> S({2, 3, 4});
Tensor<double, 2> w({4, 4}), s0({3, 4}), c0({3, 4});

auto gate() { return keep<"g">(steps(S), matmul(named<"s0">(s0), named<"w">(w))); }
auto memory() { return keep<"c">(steps(S), gate() * named<"c0">(c0)); }
auto output() { return keep<"h">(steps(S), tanh(memory())); }
auto aside() { return keep<"q">(steps(S), memory() + 1); }

using cell = tuple<decltype(gate()), decltype(memory()), decltype(output()), decltype(aside())>;
using states = tuple<state_names<literal_name<"s0">, literal_name<"h">>,
                     state_names<literal_name<"c0">, literal_name<"c">>>;
using some = leaf<double, 2, Host>;
using none = derive::zero;
using by_w = wrt_names<literal_name<"w">>;

template <class... D>
using facts = derive::cell_facts<states, cell, tuple<D...>, by_w>;
template <std::size_t K>
using part = std::remove_cvref_t<decltype(get<K>(std::declval<cell const&>()))>;

}  // namespace

TEST_CASE("what the cost does not reach has no derivative") {
    using of_output = facts<none, none, some, none>;
    static_assert(of_output::active == std::array{true, true, true, false});
    using of_aside = facts<none, none, none, some>;  // h by the gate of the next step
    static_assert(of_aside::active == std::array{true, true, true, true});
    static_assert(!facts<none, none, none, none>::any);
    CHECK(of_output::any);
}

TEST_CASE("all steps are kept of what weights are multiplied to; states are written") {
    using of_output = facts<none, none, some, none>;
    static_assert(of_output::in_series<part<0>> && !of_output::in_series<part<1>>);
    static_assert(of_output::written<part<0>> && of_output::written<part<1>>);
    static_assert(of_output::written<part<2>> && !of_output::written<part<3>>);
    static_assert(of_output::written<part<3>, written_names<literal_name<"q">>>);
    CHECK(of_output::count == 4);
}

TEST_CASE("names outside are those of wrt and of the parts before") {
    using outer = derive::outer_names<2, by_w, cell>::type;
    static_assert(
        std::is_same_v<outer, wrt_names<literal_name<"w">, literal_name<"g">, literal_name<"c">>>);
    CHECK(std::is_same_v<derive::outer_names<0, by_w, cell>::type, by_w>);
}
