// SPDX-License-Identifier: BSD-3-Clause
//
// Views that keep their memory: it is there while anyone holds it, and is let go once.
#include <felt/shared_view.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <memory>
#include <vector>

namespace {

using felt::SharedView, felt::Tensor;

// Counts how often its memory was let go.
struct memory {
    std::vector<float> elements = {1, 2, 3, 4, 5, 6};
    int let_go = 0;

    SharedView<float, 2> shared() {
        return {felt::view(elements.data(), {2, 3}), {this, [](memory* m) { ++m->let_go; }}};
    }
};

}  // namespace

TEST_CASE("copies share memory, which the last of them lets go") {
    memory m;
    {
        auto x = std::make_unique<SharedView<float, 2>>(m.shared());
        SharedView<float, 2> const copy = *x;
        x.reset();
        CHECK(m.let_go == 0);
        CHECK(copy(1, 2) == 6);
    }
    CHECK(m.let_go == 1);
}

TEST_CASE("a temporary is kept by the expression that it entered, however that is read") {
    memory m;
    {
        auto const e = m.shared() + felt::transpose(felt::transpose(m.shared()));
        auto const f = felt::slice(m.shared(), 1, felt::all()) * 2.f;
        CHECK(m.let_go == 0);
        CHECK(felt::eval(e)(1, 2) == 12);
        CHECK(felt::eval(f)(0) == 8);
        Tensor<float, 1> y({3});
        felt::run(felt::unfused, felt::assign(y, f));
        CHECK(y(2) == 12);
        Tensor<float, 2> const gram = matmul(m.shared(), transpose(m.shared()));
        CHECK(gram(0, 0) == 14);
    }
    CHECK(m.let_go == 5);
}

TEST_CASE("it is an operand and a destination as a view is, by name only") {
    memory m;
    auto x = m.shared();
    x = x * 2.f;
    x += 1.f;
    CHECK(m.elements == std::vector<float>{3, 5, 7, 9, 11, 13});
    auto const other = felt::share(Tensor<float, 2>::of({{1, 1, 1}, {2, 2, 2}}));
    x = other;  // elements: the memory is the same
    CHECK(x.data() == m.elements.data());
    CHECK(m.elements == std::vector<float>{1, 1, 1, 2, 2, 2});
    felt::fuse(felt::assign(x, -other));
    CHECK(m.elements[5] == -2);
    static_assert(felt::destination_outlives_statement<SharedView<float, 2>&>);
    static_assert(!felt::destination_outlives_statement<SharedView<float, 2>>);
    static_assert(!felt::destination_is_writable<SharedView<float const, 2>&>);
}

TEST_CASE("the memory of a tensor is shared without a copy, in every layout") {
    Tensor<float, 2, felt::Host, felt::ColMajor> f({2, 3});
    f = Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});
    auto const* const at = f.data();
    auto const x = felt::share(std::move(f));
    CHECK(x.data() == at);
    CHECK(x.strides() == felt::extents<2>{{1, 2}});
    CHECK(x(1, 0) == 4);
}
