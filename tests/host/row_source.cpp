// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

// The line lo .. hi-1 of row i of a statement's expression, and whether it is a copy.
template <class S>
std::pair<std::vector<float>, bool> line_of(S const& s, index_t i, index_t lo, index_t hi) {
    auto const p = felt::planning::make_plan(s);
    felt::host::arena scratch;
    felt::host::environment env(p, scratch);
    felt::host::bound<std::remove_cvref_t<decltype(s.expression)>> root(s.expression, env, 0);
    auto const rows = felt::host::rows_of(root);
    auto const& in = p.g[p.g.statements[0].space];
    rows.prepare(felt::planning::whole_box(in.extent, in.rank));
    index_t const at[2] = {i, 0};
    std::vector<float> room(static_cast<std::size_t>(hi - lo) + 64, -1.f);
    float const* const line = rows.line(at, lo, hi, room.data());
    for (std::size_t k = static_cast<std::size_t>(hi - lo); k < room.size(); ++k)
        CHECK(room[k] == -1);
    return {{line, line + (hi - lo)}, line == room.data()};
}

}  // namespace

TEST_CASE("rows of memory are handed out where they lie, rows of functions are computed") {
    felt::Tensor<float, 2> x({5, 70}), y({5, 70});
    // A row of two axes that cannot be merged: its first axis has a gap.
    auto const part = slice(x, felt::all(), felt::range(0, 67));
    auto to = slice(y, felt::all(), felt::range(0, 67));
    x = felt::iota<float>({5, 70});
    auto const [plain, copied] = line_of(assign(to, part), 3, 2, 65);
    CHECK_FALSE(copied);
    CHECK(plain.front() == 212);
    CHECK(plain.back() == 274);
    auto const [doubled, computed] = line_of(assign(to, part * 2), 3, 2, 65);
    CHECK(computed);
    for (std::size_t j = 0; j < doubled.size(); ++j) CHECK(doubled[j] == 2 * plain[j]);
}

TEST_CASE("a value that stands still fills the row") {
    felt::Tensor<float, 2> x({5, 1}), y({5, 70});
    x = felt::iota<float>({5, 1});
    auto to = slice(y, felt::all(), felt::range(0, 33));
    auto const [line, copied] = line_of(assign(to, x), 4, 0, 33);
    CHECK(copied);
    for (float v : line) CHECK(v == 4);
}

TEST_CASE("rows that follow each other in every operand are one row") {
    // Read in rows of 5, for the destination has gaps.
    felt::Tensor<float, 2> x({12, 5}), wide({12, 8});
    felt::Tensor<float, 1> lanes({5});
    x = felt::iota<float>({12, 5});
    auto const joins = [&](auto const& e) {
        auto to = slice(wide, felt::all(), felt::range(3, 8));
        auto const s = assign(to, e);
        auto const p = felt::planning::make_plan(s);
        felt::host::arena scratch;
        felt::host::environment env(p, scratch);
        felt::host::bound<std::remove_cvref_t<decltype(s.expression)>> root(s.expression, env, 0);
        auto const rows = felt::host::rows_of(root);
        rows.prepare(felt::planning::whole_box(p.g.spaces[0].extent, 2));
        CHECK_FALSE(rows.continues_row(0, 4));
        return rows.continues_row(0, 5);
    };
    auto const gaps = slice(wide, felt::all(), felt::range(0, 5));
    CHECK(joins(x * 2));
    CHECK(joins(flip<1>(x) * 2));  // staged: its box lies densely in scratch
    CHECK(joins(x + felt::iota<float>({12, 5})));
    CHECK_FALSE(joins(x + gaps));
    CHECK(joins(x + lanes));  // repeated for each row
    CHECK_FALSE(joins(x + felt::iota<float>({12, 1})));
}

TEST_CASE(
    "of a long chain of functions several steps are taken side by side, of rows of any length") {
    auto const chain = [](auto const& x) { return tanh(exp(sigmoid(x)) - 1.5F); };
    felt::Tensor<float, 2> x({1, 400}), y({1, 400});
    x = felt::normal<float>(x.extents(), 3);
    using expression = decltype(felt::as_node(chain(x)));
    CHECK(felt::host::detail::steps_together<felt::host::bound<expression>> > 1);
    std::vector<float> one(400);  // element by element
    for (index_t j = 0; j < 400; ++j) {
        felt::Tensor<float, 1> const v = chain(felt::Tensor<float, 1>::of({x(0, j)}));
        one[static_cast<std::size_t>(j)] = v(0);
    }
    for (index_t lo : {0, 1, 7}) {
        for (index_t n = 1; n < 300; n += n < 140 ? 1 : 13) {
            auto const line = line_of(assign(y, chain(x)), 0, lo, lo + n).first;
            bool same = true;
            for (index_t j = 0; j < n; ++j)
                same = same && line[std::size_t(j)] == one[std::size_t(lo + j)];
            INFO(lo << " " << n);
            CHECK(same);
        }
    }
    for (index_t n : {1, 63, 64, 65, 200, 399}) {  // in place
        felt::Tensor<float, 1> z({n});
        z = slice(x, 0, felt::range(0, n));
        z = chain(z);
        bool same = true;
        for (index_t j = 0; j < n; ++j) same = same && z(j) == one[std::size_t(j)];
        CHECK(same);
    }
    felt::Tensor<float, 1> large({(index_t{1} << 24) + 5}), small({1000});  // past the caches
    large = 0.25F;
    large = chain(large);
    small = 0.25F;
    small = chain(small);
    CHECK(large(0) == small(0));
    CHECK(bool(all(large == small(0))));
}
