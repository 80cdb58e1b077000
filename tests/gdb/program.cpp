// SPDX-License-Identifier: BSD-3-Clause
//
// What tools/gdb/felt_gdb.py prints, as print.gdb asks for it; expected.txt holds the answers.
#include <felt/expr/contract.hpp>
#include <felt/expr/fill.hpp>
#include <felt/expr/reductions.hpp>
#include <felt/expr/scan.hpp>
#include <felt/expr/views/along.hpp>
#include <felt/expr/views/concat.hpp>
#include <felt/expr/views/gather.hpp>
#include <felt/expr/views/pad.hpp>
#include <felt/expr/views/permute.hpp>
#include <felt/expr/views/reshape.hpp>
#include <felt/expr/views/scatter.hpp>
#include <felt/expr/views/slice.hpp>
#include <felt/expr/views/split.hpp>
#include <felt/grad/named.hpp>
#include <cmath>
#include <limits>

namespace {

using namespace felt;

// A device's memory is elsewhere.
struct Remote {
    static constexpr bool element_access = false;
};

// Rows that begin at multiples of 8 elements; the program asks the first of them for its strides.
struct Padded {
    static extents<2> strides(extents<2> const& e) { return {{(e[1] + 7) / 8 * 8, 1}}; }
};
struct Silent : Padded {};

struct dense {
    Tensor<float, 1> bias;
    bool relu;
};

struct twice {
    auto make(auto x) const { return x + x; }
};

template <class X>
X counted(X x) {
    for (index_t i = 0; i < x.span_size(); ++i) {
        x.data()[i] = static_cast<typename X::value_type>(i);
    }
    return x;
}

// What memory may look like before anything is constructed in it.
alignas(16) std::int64_t raw[] = {-1, -2, -3, -4};
static_assert(sizeof(raw) >= sizeof(Tensor<float, 2>));

[[gnu::noinline]] void stop() { asm volatile(""); }

void elements() {
    auto const floats = Tensor<float, 2>::of({{1, 0.1f, -2.5f}, {1e-8f, 3.40282347e38f, 16777216}});
    auto const doubles = Tensor<double, 1>::of({0.1, 1. / 3, NAN, -INFINITY, -0.});
    auto const bytes = Tensor<std::int8_t, 1>::of({-128, 65, 127});
    auto const letters = Tensor<std::uint16_t, 1>::of({0, 65535});
    auto const numbers = Tensor<int, 1>::of({-1, 20});
    auto const places = Tensor<index_t, 1>::of({std::numeric_limits<index_t>::min(), 7});
    auto const conditions = Tensor<bool, 1>::of({true, false});
    auto const halves = Tensor<bfloat16, 1>::of({bfloat16(1.5f), bfloat16(-0.1f)});
    auto const complexes = Tensor<std::complex<float>, 1>::of({{1, 2}, {0.5f, -1}});
    bfloat16 const half(0.25f);
    stop();
}

void shapes() {
    Tensor<double, 0> zero;
    zero() = 2.5;
    auto const cube = counted(Tensor<int, 3>({2, 2, 3}));
    auto const columns = counted(Tensor<int, 2, Host, ColMajor>({2, 3}));
    auto const images = counted(Tensor<int, 4, Host, ChannelsLast>({1, 2, 2, 2}));
    auto padded = counted(Tensor<int, 2, Host, Padded>({2, 3}));
    padded(1, 0) = -1;
    Tensor<int, 2, Host, Silent> const silent({2, 3});
    auto const line = counted(Tensor<int, 1>({2000}));
    auto const square = counted(Tensor<int, 2>({40, 50}));
    auto const row = counted(Tensor<int, 1>({30}));
    auto const many = counted(Tensor<int, 5>({2, 2, 1, 1, 300}));
    Tensor<float, 2> const nothing, no_rows({0, 3});
    auto given = Tensor<float, 1>::of({1});
    auto const taken = std::move(given);
    [[maybe_unused]] extents<3> const e{{2, 3, 4}};
    dense const layer{Tensor<float, 1>::of({1, 2}), true};
    [[maybe_unused]] auto const& reference = layer.bias;
    stop();
}

void views() {
    auto x = counted(Tensor<float, 2>({3, 4}));
    auto const inner = slice(x, range(1, 3), range(1, 3));
    auto const backwards = view(static_cast<float const*>(x.data() + 3), {4}, {-1});
    View<float, 1> const null(nullptr, {{3}}, {{1}});
    View<float, 1> const lost(reinterpret_cast<float*>(16), {{3}}, {{1}});
    Tensor<float, 1, Remote> const far({4});
    View<float, 2, Remote> const remote(reinterpret_cast<float*>(0x7000), {{3, 4}}, {{4, 1}});
    [[maybe_unused]] auto const& wild = reinterpret_cast<Tensor<float, 2> const&>(raw);
    [[maybe_unused]] auto const& torn = reinterpret_cast<decltype(exp(x).x.head) const&>(raw);
    stop();
}

void expressions() {
    auto const x = counted(Tensor<float, 2>({3, 4}));
    auto const w = counted(Tensor<float, 2>({4, 5}));
    auto const v = counted(Tensor<float, 1>({4}));
    auto const rows = Tensor<int, 1>::of({0, 2});
    auto const sum_of = exp(x) + 1.f;
    auto const stretched = x - mean<1>(x, keepdims);
    auto const product = tanh(2.f * matmul(x, w) - 1.f);
    auto const by_row = max<1>(square(x));
    auto const turned = transpose(x + v);
    auto const padded = pad(x, {{1, 1}, {0, 2}});
    auto const joined = concat<0>(x, x);
    auto const gathered = gather<0>(x, rows);
    auto const scattered = scatter_add<0>({9, 4}, rows, slice(x, until(2), all()));
    auto const flat = reshape(2.f * x, {-1});
    auto const random = normal<float>({2, 3}, 1);
    auto const running = cumsum<1>(x);
    auto const bias = along<1>(v);
    auto const w1 = named<"w">(w);
    auto const half = std::get<1>(split<0, 2>(w1));
    auto const inserted = expand_dims<1>(w1) + 1.f;
    auto const rule = compose(twice{}, w1);
    auto const mine = map([](auto a) { return a + a; }, x);
    auto const kept = as_node(Tensor<float, 1>::of({1, 2}));
    stop();
}

}  // namespace

int main() {
    elements();
    shapes();
    views();
    expressions();
}
