// SPDX-License-Identifier: BSD-3-Clause
//
// The tile that the threads of a block bring, against the elements of the operand: rows and terms
// that are there, zeros for all others. Both directions of neighbours, aligned or not, copied or
// computed.
#include "tests/device/tile/banks.hpp"
#include "tests/support/block.hpp"
#include <doctest/doctest.h>
#include <felt/device.hpp>
#include <felt/device/tile/mma.hpp>
#include <felt/device/tile/operand_order.hpp>
#include <felt/device/tile/program_load.hpp>
#include <felt/device/tile/simt.hpp>

using namespace felt;

namespace {

constexpr int tile_rows = 32, depth = 16, threads = 64, padding = 4;
constexpr int pitch = tile_rows + padding;

// A tile of rows from `row` and terms from `from` on, as a block of so many threads brings it.
template <class Op, class T = typename Op::value_type>
std::vector<T> brought(Op const& op, int batch, int row, int rows, int from, int end) {
    using loader = device::loader<Op, tile_rows, depth, threads, padding>;
    static_assert(loader::pitch == pitch && loader::size == depth * pitch);
    struct alignas(32) memory {
        T v[loader::size];
    } tile;
    std::fill(std::begin(tile.v), std::end(tile.v), T(77));
    test::fibers all(threads, 1);
    test::block b(all, 0, threads);
    all.run([&](int thread) {
        loader x(op, thread, batch, row, rows);
        x.fetch(b, op, tile.v, from, end);
        b.commit();
        x.store(op, tile.v);
        b.template wait<0>();
    });
    return {std::begin(tile.v), std::end(tile.v)};
}

// How many elements of tiles of n, (batches, rows, terms), are not as they should
// be. transposed: (.., terms, rows).
template <class N, class Value>
int wrong_tiles(N const& n, extents<3> const& e, bool transposed, Value const& value) {
    using T = typename N::value_type;
    device::forms<3> all{n.extents()};
    auto const t = device::term(n, device::own_loops<3>(), all);
    REQUIRE(all.are_small());
    auto const op =
        device::make_operand<3, 3>(t, all, {0}, {transposed ? 2U : 1U}, {transposed ? 1U : 2U});
    auto const batches = static_cast<int>(e[0]), rows = static_cast<int>(e[1]);
    auto const terms = static_cast<int>(e[2]);
    int wrong = 0;
    for (int batch = 0; batch < batches; ++batch)
        for (int row = 0; row < rows; row += tile_rows)
            for (int from = 0; from < terms; from += depth)
                for (int end : {terms, std::max(from + 1, terms - 3)}) {
                    auto const tile = brought(op, batch, row, rows, from, end);
                    for (int k = 0; k < depth; ++k)
                        for (int r = 0; r < pitch; ++r) {
                            bool const there = row + r < rows && from + k < end;
                            T expected = there ? value(batch, row + r, from + k) : T(0);
                            if (r >= tile_rows) expected = T(77);
                            wrong += tile[static_cast<std::size_t>(k * pitch + r)] != expected;
                        }
                }
    return wrong;
}

template <class T>
T number(int b, int r, int k) {
    return static_cast<T>((b * 37 + r * 11 + k * 5) % 64 + 1);
}

// x[b, r, k], or [b, k, r], in rows that are `gap` longer than they need be, from `skip` on.
template <class T>
class operand_memory {
public:
    operand_memory(extents<3> const& e, bool transposed, index_t gap, index_t skip)
        : shape_(transposed ? extents<3>{{e[0], e[2], e[1]}} : e),
          stride_{{shape_[1] * (shape_[2] + gap), shape_[2] + gap, 1}},
          memory_(static_cast<std::size_t>(e[0] * stride_[0] + skip + 32), T(99)) {
        auto const address = reinterpret_cast<std::uintptr_t>(memory_.data());
        first_ = (32 - address % 32) % 32 / sizeof(T) + static_cast<std::size_t>(skip);
        for (index_t b = 0; b < e[0]; ++b)
            for (index_t r = 0; r < e[1]; ++r)
                for (index_t k = 0; k < e[2]; ++k) {
                    index_t const row = transposed ? k : r, column = transposed ? r : k;
                    data()[b * stride_[0] + row * stride_[1] + column] =
                        number<T>(static_cast<int>(b), static_cast<int>(r), static_cast<int>(k));
                }
    }
    leaf<T, 3, Device> node() { return {data(), shape_, stride_}; }
    View<T, 3, Device> view() { return {data(), shape_, stride_}; }

private:
    T* data() { return memory_.data() + first_; }

    extents<3> shape_, stride_;
    std::vector<T> memory_;
    std::size_t first_ = 0;
};

template <class F>
void each_case(F const& f) {
    for (index_t rows : {1, 4, 31, 32, 33, 67})
        for (index_t terms : {1, 7, 8, 9, 20})
            for (bool transposed : {false, true})
                for (index_t gap : {0, 1, 4})
                    for (index_t skip : {0, 1}) {
                        CAPTURE(rows);
                        CAPTURE(terms);
                        CAPTURE(transposed);
                        CAPTURE(gap);
                        CAPTURE(skip);
                        f(extents<3>{{2, rows, terms}}, transposed, gap, skip);
                    }
}

}  // namespace

TEST_CASE_TEMPLATE("what lies in memory", T, float, double, std::int16_t) {
    static_assert(device::is_copied<device::leaf_term<T>> == (sizeof(T) >= 4));
    each_case([](extents<3> const& e, bool transposed, index_t gap, index_t skip) {
        operand_memory<T> x(e, transposed, gap, skip);
        CHECK(wrong_tiles(x.node(), e, transposed, number<T>) == 0);
    });
}

TEST_CASE("what is computed") {
    each_case([](extents<3> const& e, bool transposed, index_t gap, index_t skip) {
        operand_memory<float> x(e, transposed, gap, skip);
        auto const n = lower(as_node(x.view() * 2 + 1));
        auto const value = [](int b, int r, int k) { return number<float>(b, r, k) * 2 + 1; };
        CHECK(wrong_tiles(n, e, transposed, value) == 0);
    });
}

TEST_CASE("what is zero or another number outside of its source, by rows, by terms, by both") {
    each_case([](extents<3> const& e, bool transposed, index_t gap, index_t skip) {
        operand_memory<float> x(e, transposed, gap, skip);
        for (float fill : {0.F, 5.F})
            for (int down : {0, 4, 1})
                for (int across : {0, 2}) {
                    index_t const d = transposed ? across : down, a = transposed ? down : across;
                    auto const n = lower(as_node(pad(x.view(), {{0, 0}, {d, d}, {a, a}}, fill)));
                    auto const value = [&](int b, int r, int k) {
                        int const i = r - down, j = k - across;
                        bool const inside = i >= 0 && i < e[1] && j >= 0 && j < e[2];
                        return inside ? number<float>(b, i, j) : fill;
                    };
                    extents<3> const padded{{2, e[1] + 2 * down, e[2] + 2 * across}};
                    CHECK(wrong_tiles(n, padded, transposed, value) == 0);
                }
    });
}

namespace {

// A block that takes down where the threads of a warp copy to, instruction by instruction.
struct copies_of_a_warp {
    std::vector<std::vector<float const*>> to;
    std::size_t next = 0;

    void copy_value(float* p, float const*, bool) { note(p); }
    void copy_packet(float* p, float const*, bool) { note(p); }

private:
    void note(float const* p) {
        if (next == to.size()) to.emplace_back();
        to[next++].push_back(p);
    }
};

// Of a tile that the first warp of a Way brings, of an operand along its rows or along the terms.
template <class Way>
int conflicts(bool along_rows) {
    extents<3> const e{{1, 256, 64}};
    operand_memory<float> x(e, along_rows, 0, 0);
    auto const all = x.node();
    device::forms<3> found{all.extents()};
    auto const t = device::term(all, device::own_loops<3>(), found);
    auto const op =
        device::make_operand<3, 3>(t, found, {0}, {along_rows ? 2U : 1U}, {along_rows ? 1U : 2U});
    CHECK(op.order ==
          (along_rows ? device::neighbour_order::packets : device::neighbour_order::steps));
    using loader = device::loader<decltype(op), Way::rows, Way::depth, Way::threads, Way::padding>;
    struct alignas(128) memory {
        float v[loader::size];
    } tile;
    copies_of_a_warp warp;
    for (int thread = 0; thread < 32; ++thread) {
        warp.next = 0;
        loader(op, thread, 0, 0, 256).fetch(warp, op, tile.v, 0, 64);
    }
    int most = 0;
    for (auto const& to : warp.to) {
        CHECK(to.size() == 32);
        most = std::max(most, test::most_in_a_bank(to, along_rows ? 4 : 1));
    }
    return most;
}

}  // namespace

TEST_CASE("what a warp copies at once falls into different banks, along the terms twice into one") {
    using large = device::mma<device::tf32, false, 128, 128, 16, 64, 32, 4>;
    using small = device::mma<device::tf32, false, 64, 64, 16, 32, 32, 4>;
    CHECK(conflicts<large>(true) == 1);
    CHECK(conflicts<small>(true) == 1);
    CHECK(conflicts<large>(false) == 2);
    CHECK(conflicts<small>(false) == 2);
    CHECK(conflicts<device::simt<float, 128, 128, 8, 8, 8>>(true) == 1);
    CHECK(conflicts<device::simt<float, 64, 64, 16, 4, 4>>(true) == 1);
    CHECK(conflicts<device::simt<float, 128, 128, 8, 8, 8>>(false) == 1);
    CHECK(conflicts<device::simt<float, 64, 64, 16, 4, 4>>(false) == 1);
    CHECK(conflicts<device::simt<float, 64, 128, 16, 4, 16>>(false) == 1);
}
