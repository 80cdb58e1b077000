// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>

using felt::index_t;

namespace {

// Where the operands of matmul(a, b) lie, for the box of all labels.
template <class A, class B>
std::pair<felt::host::in_memory<float>, felt::host::in_memory<float>> places(A const& a,
                                                                             B const& b) {
    auto const e = felt::matmul(a, b);
    felt::Tensor<float, 2> y(e.extents());
    auto const statement = felt::assign(y, e);  // the plan refers to it
    auto const p = felt::explain(statement);
    auto const roles = felt::planning::roles_of(p, 0);
    felt::host::scratch_scope const scope(felt::host::this_thread_arena());
    felt::host::environment env(p, felt::host::this_thread_arena());
    auto const& x = statement.expression.x;
    felt::host::bound<std::remove_cvref_t<decltype(x.head)>> left(x.head, env, 1);
    felt::host::bound<std::remove_cvref_t<decltype(x.tail.head)>> right(x.tail.head, env,
                                                                        p.at(1).end);
    auto const& in = p.loop(p.at(0).inner);
    auto box = felt::planning::whole_box(in.extent, in.rank);
    using felt::host::find_in_memory;
    using felt::host::rows_of;
    return {find_in_memory(rows_of(left), box, roles.row, roles.rows, roles),
            find_in_memory(rows_of(right), box, roles.column, roles.columns, roles)};
}

}  // namespace

TEST_CASE("a matrix in memory is found with its steps, whatever its order") {
    felt::Tensor<float, 2> a({3, 5}), b({5, 7});
    felt::Tensor<float, 2, felt::Host, felt::ColMajor> f({5, 7});
    auto const [left, right] = places(a, b);
    CHECK(left.data == a.data());
    CHECK(left.neighbour == 5);
    CHECK(left.term == 1);
    CHECK(right.data == b.data());
    CHECK(right.neighbour == 1);
    CHECK(right.term == 7);
    auto const columns = places(a, f).second;
    CHECK(columns.data == f.data());
    CHECK(columns.neighbour == 5);
    CHECK(columns.term == 1);
}

TEST_CASE("a slice is found where it begins") {
    felt::Tensor<float, 2> a({9, 9}), b({5, 7});
    auto const part = felt::slice(a, felt::range(2, 5), felt::range(3, 8));
    auto const left = places(part, b).first;
    CHECK(left.data == a.data() + 2 * 9 + 3);
    CHECK(left.neighbour == 9);
}

TEST_CASE("an expression does not lie in memory") {
    felt::Tensor<float, 2> a({3, 5}), b({5, 7});
    CHECK(places(a + 1, b).first.data == nullptr);
    CHECK(places(a, b * 2).second.data == nullptr);
}
