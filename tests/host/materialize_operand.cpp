// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <string>

using felt::index_t;
using felt::host::box;

namespace {

// The operand of a view, bound by itself: node 1 of its plan.
template <class S>
struct bound_source {
    using operand = std::remove_cvref_t<decltype(std::declval<S const&>().expression.x.head)>;

    felt::planning::plan p;
    felt::host::arena scratch;
    felt::host::environment env;
    felt::host::source<operand> x;

    explicit bound_source(S const& s)
        : p(felt::planning::make_plan(s)), env(p, scratch), x(s.expression.x.head, env, 1) {}
};

box part(index_t lo0, index_t hi0, index_t lo1, index_t hi1) {
    box b;
    b.rank = 2;
    b.lo[0] = lo0;
    b.hi[0] = hi0;
    b.lo[1] = lo1;
    b.hi[1] = hi1;
    return b;
}

// Whether element (i, j) of the box is scale * (20 i + j).
bool holds(felt::host::strided<float const> const& e, box const& b, float scale) {
    bool right = true;
    for (index_t i = b.lo[0]; i < b.hi[0]; ++i) {
        for (index_t j = b.lo[1]; j < b.hi[1]; ++j) {
            float const v = e.data[i * e.stride[0] + j * e.stride[1]];
            right = right && v == scale * static_cast<float>(20 * i + j);
        }
    }
    return right;
}

}  // namespace

TEST_CASE("a leaf is read where it lies") {
    felt::Tensor<float, 2> x({30, 20}), y({32, 20});
    x = felt::iota<float>({30, 20});
    auto const s = assign(y, pad(x, {{1, 1}, {0, 0}}));
    bound_source b(s);
    auto const e = b.x.elements(part(3, 5, 0, 20));
    CHECK(e.data == x.data());
    CHECK(holds(e, part(3, 5, 0, 20), 1));
}

TEST_CASE("what is only other strides of a leaf is read where that lies") {
    felt::Tensor<float, 2> x({30, 20}), y({60, 20});
    x = felt::iota<float>({30, 20});
    auto const s = assign(y, felt::upsample(pad(x, {{0, 0}, {0, 0}}), {2, 1}));
    bound_source b(s);
    CHECK(b.x.elements(part(3, 5, 0, 20)).data == x.data());
    felt::Tensor<float, 2> turned({20, 30}), z({60, 20});
    turned = transpose(x);
    auto const t = assign(z, felt::upsample(transpose(pad(turned, {{0, 0}, {0, 0}})), {2, 1}));
    bound_source c(t);
    auto const e = c.x.elements(part(3, 5, 0, 20));
    CHECK(e.data == turned.data());
    CHECK(holds(e, part(3, 5, 0, 20), 1));
}

TEST_CASE("an expression is evaluated over the box that is asked for, box after box") {
    felt::Tensor<float, 2> x({30, 20}), y({32, 20});
    x = felt::iota<float>({30, 20});
    auto const s = assign(y, pad(x * 2, {{1, 1}, {0, 0}}));
    bound_source b(s);
    for (box const& wanted :
         {part(0, 1, 0, 1), part(2, 9, 3, 20), part(4, 6, 0, 7), part(0, 30, 0, 20)}) {
        CHECK(holds(b.x.elements(wanted), wanted, 2));
        CHECK(holds(b.x.elements(wanted), wanted, 2));
    }
}

TEST_CASE("equal sources of views that are computed first are computed once") {
    felt::Tensor<float, 2, felt::Host, felt::ColMajor> x({340, 425});
    felt::Tensor<float, 2> y({170, 169});
    x = felt::uniform<float>(x.extents(), 3);
    auto const rows = reshape(x + 1, {170, 850});
    auto const s = assign(y, felt::diff<1>(matmul(rows, transpose(rows))));
    auto const p = felt::explain(s);
    felt::host::watch const w;
    run(felt::fused, s);
    double computed = 0;
    for (auto id : p.g.nodes.ids()) {
        if (p.g[id].name == std::string("+")) computed += w.elements(id);
    }
    CHECK(computed == 340 * 425);
    felt::Tensor<float, 2> const r = rows;
    felt::Tensor<float, 2> const product = matmul(r, transpose(r));
    CHECK(felt::all_close(y, felt::diff<1>(product), 1e-3, 1e-3));
}
