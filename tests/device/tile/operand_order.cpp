// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers parted by loops, against sums over the indices of all loops: awkward extents, any steps,
// loops in any order. Neighbours are what they are said to be.
#include "tests/differential/memory.hpp"
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/operand_order.hpp>

using namespace felt;
using device::loop_order;
using test::dice;

namespace {

constexpr std::size_t L = 4;
constexpr index_t awkward[] = {1, 2, 3, 4, 5, 7, 8, 12};

// Where the loops `order` are when they have been counted up to `number`, the last fastest.
void place(extents<L>& at, extents<L> const& e, loop_order const& order, index_t number) {
    for (std::size_t i = order.size(); i-- > 0; number /= e[order[i]]) {
        at[order[i]] = number % e[order[i]];
    }
}
index_t total(extents<L> const& e, loop_order const& order) {
    index_t n = 1;
    for (std::size_t l : order) n *= e[l];
    return n;
}
index_t value(device::steps<L> const& f, extents<L> const& at) {
    index_t v = f.begin;
    for (std::size_t l = 0; l < L; ++l) v += f.by[l] * at[l];
    return v;
}

// Loops in any order, cut into parts.
std::vector<loop_order> parted(dice& d, std::size_t parts) {
    loop_order all{0, 1, 2, 3};
    for (std::size_t l = L; l-- > 1;) {
        std::swap(all[l], all[static_cast<std::size_t>(d.between(0, static_cast<index_t>(l)))]);
    }
    std::vector<loop_order> to(parts);
    for (std::size_t l : all) {
        to[static_cast<std::size_t>(d.between(0, static_cast<index_t>(parts) - 1))].push_back(l);
    }
    return to;
}

// Forms that are dense in some order of the loops, or steps of any kind.
device::forms<L> any_forms(dice& d, std::size_t count) {
    device::forms<L> x{};
    for (index_t& n : x.loops.value) n = awkward[d.between(0, 7)];
    for (std::size_t f = 0; f < count; ++f) {
        device::steps<L> s{d.between(0, 3) == 0 ? 2 : 8, {}};
        index_t step = d.between(0, 3) == 0 ? 4 : 1;
        bool const dense = d.between(0, 3) != 0;
        loop_order const order = parted(d, 1).front();
        for (std::size_t l : order) {
            s.by[l] = dense ? step : d.between(-2, 2) * 4;
            step = step * x.loops[l] + (d.between(0, 7) == 0 ? d.between(1, 2) : 0);
        }
        x.list.push_back(s);
    }
    return x;
}

// Whether four neighbours from any multiple of four on are a step apart.
template <int N, int F>
bool are_apart(device::index_steps<N, F> const& x, index_t n) {
    for (int i = 0; i < n; i += 4)
        for (int j = 0; j < 4 && i + j < n; ++j)
            for (int f = 0; f < F; ++f) {
                if (x.at(i + j).v[f] != x.at(i).v[f] + j * x.step()[f]) return false;
            }
    return true;
}

}  // namespace

TEST_CASE("loops in an order add what their indices add, and as few digits as walk apart") {
    dice d(1);
    for (int trial = 0; trial < 500; ++trial) {
        auto const x = any_forms(d, 2);
        loop_order const order = parted(d, 2).front();
        auto const s = device::steps_of<4, 2>(x, order);
        index_t const n = total(x.loops, order);
        int wrong = 0, digits = 0;
        for (index_t i = 0; i < n; ++i) {
            extents<L> at{};
            place(at, x.loops, order, i);
            for (std::size_t f = 0; f < 2; ++f) {
                index_t const moved = value(x.list[f], at) - x.list[f].begin;
                wrong += s.at(static_cast<int>(i)).v[f] != moved;
            }
        }
        CHECK(wrong == 0);
        for (auto const& digit : s.digits.extent) digits += digit.by > 1;
        int apart = 0;
        std::size_t last = L;  // the loop before that is longer than one
        for (std::size_t l : order) {
            if (x.loops[l] == 1) continue;
            apart += last == L || !device::walk_as_one(x, last, l, x.loops[l]);
            last = l;
        }
        CHECK(digits == apart);
        CHECK(device::holds_neighbours(s) == are_apart(s, n));
    }
}

TEST_CASE("two loops are one if each form's outer step is a row of inner ones") {
    device::forms<2> const x{{{5, 6}}, {}, {{0, {{6, 1}}}, {9, {{-12, -2}}}}};
    CHECK(device::walk_as_one(x, 0, 1, 6));
    CHECK_FALSE(device::walk_as_one(x, 0, 1, 5));
    CHECK_FALSE(device::walk_as_one(x, 1, 0, 5));
    device::forms<2> const one{{{5, 6}}, {}, {{0, {{6, 1}}}, {9, {{6, 2}}}}};
    CHECK_FALSE(device::walk_as_one(one, 0, 1, 6));
}

TEST_CASE("members of a group are the digits of its loops") {
    dice d(2);
    for (extents<L> e : {extents<L>{{2, 3, 2, 5}}, {{4, 1, 7, 1}}, {{1, 4, 1, 2}}})
        for (loop_order const& group : {loop_order{0, 2}, {2, 0}, {0}, {1, 0}}) {
            device::steps<L> const f{100, {{d.between(-9, 9), d.between(-9, 9), 7, 1}}};
            for (int m = 0; m < std::min<index_t>(4, total(e, group)); ++m) {
                extents<L> at{};
                place(at, e, group, m);
                CHECK(device::added_by_member(f, e, group, m) == value(f, at) - 100);
            }
        }
}

namespace {

// An operand's numbers at every batch, row, other index and neighbour, against their form.
template <class Op>
int wrong_places(Op const& op, device::forms<L> const& x, std::vector<loop_order> const& part) {
    int wrong = 0;
    index_t const n[] = {total(x.loops, part[0]), total(x.loops, part[1]), total(x.loops, part[2])};
    for (int b = 0; b < n[0]; ++b)
        for (int r = 0; r < n[1]; ++r)
            for (int k = 0; k < n[2]; ++k) {
                int const along = op.along_rows ? r : k;
                if (along % 4 != 0) continue;
                auto const left = static_cast<int>((op.along_rows ? n[1] : n[2]) - along);
                for (int j = 0; j < std::min(4, left); ++j) {
                    extents<L> at{};
                    place(at, x.loops, part[0], b);
                    place(at, x.loops, part[1], op.along_rows ? r + j : r);
                    place(at, x.loops, part[2], op.along_rows ? k : k + j);
                    auto const base = op.start(b) + op.at_row(r);
                    wrong += op.place(b, base, r, k, j).v[0] != value(x.list[0], at);
                }
            }
    return wrong;
}

// Whether packets of four floats may be read: side by side, each begins at a multiple of four, and
// none goes past the last.
template <class Op>
bool are_packets(Op const& op, device::forms<L> const& x, std::vector<loop_order> const& part) {
    if (total(x.loops, part[op.along_rows ? 1 : 2]) % 4 != 0) return false;
    for (int b = 0; b < total(x.loops, part[0]); ++b)
        for (int r = 0; r < total(x.loops, part[1]); r += op.along_rows ? 4 : 1)
            for (int k = 0; k < total(x.loops, part[2]); k += op.along_rows ? 1 : 4) {
                auto const n = op.place(b, op.start(b) + op.at_row(r), r, k, 0).v[0];
                if (n % 4 != 0) return false;
            }
    return op.step()[0] == 1;
}

}  // namespace

TEST_CASE("an operand is where its form is, and packets are only read where they are aligned") {
    alignas(16) static float const memory[8] = {};
    dice d(3);
    int packets = 0, straddling = 0, beside_rows = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        auto const x = any_forms(d, 1);
        auto const part = parted(d, 3);
        index_t const first = d.between(0, 3) == 0 ? 1 : 0;
        device::leaf_term<float> const leaf{memory + first};
        auto const op = device::make_operand<4, 4>(leaf, x, part[0], part[1], part[2]);
        CHECK(wrong_places(op, x, part) == 0);
        CHECK(op.along_rows == (op.row.step()[0] == 1));
        if (op.term.whole) {
            CHECK(first == 0);
            // What straddles digits is never read as a packet.
            if (op.whole) CHECK(are_packets(op, x, part));
        }
        using device::neighbour_order;
        bool const packed = op.along_rows && op.whole && op.term.whole;
        CHECK((op.order == neighbour_order::packets) == packed);
        CHECK((op.order == neighbour_order::steps) == (!op.along_rows && op.whole));
        packets += op.whole && op.term.whole;
        straddling += !op.whole;
        beside_rows += op.along_rows;
    }
    CHECK(packets > 100);
    CHECK(straddling > 100);
    CHECK(beside_rows > 100);
}

TEST_CASE("where a window ends says nothing of how memory lies") {
    alignas(16) static float const memory[8 * 16] = {};
    // As pictures whose channels lie last: rows are 16 apart, and the first number counts them.
    device::forms<2> x{};
    x.loops = extents<2>{{8, 16}};
    x.list.push_back({0, {{1, 0}}});
    x.list.push_back({0, {{16, 1}}});
    using leaf = device::leaf_term<float>;
    device::window_term<leaf, 1> const window{leaf{memory}, {8}, {1}, {}, {}, 0.F};
    auto const op = device::make_operand<1, 1>(window, x, {}, {0}, {1});
    CHECK_FALSE(op.along_rows);
    CHECK(op.order == device::neighbour_order::steps);
}
