// SPDX-License-Identifier: BSD-3-Clause
//
// Values that are kept in the destination: a product under a softmax whose rows do not fit in
// scratch, and what is expensive where the destination was read. What comes out is compared with
// plain loops over double.
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using felt::planning::kind;
using felt::planning::node_id;
using felt::planning::plan;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

template <class Layout>
using matrix = felt::Tensor<float, 2, felt::Host, Layout>;
using rows = matrix<felt::RowMajor>;
using columns = matrix<felt::ColMajor>;

// How many nodes of that kind lie in the destination, or hold a box of their own elsewhere.
int kept(plan const& p, kind what) {
    int n = 0;
    for (node_id id : p.g.nodes.ids()) n += p.g[id].what == what && p.s[id].reused != nullptr;
    return n;
}
int in_scratch(plan const& p, kind what) {
    int n = 0;
    for (node_id id : p.g.nodes.ids()) {
        n += p.g[id].what == what && test::scratch_of(p, id) > 0 && p.s[id].reused == nullptr;
    }
    return n;
}

// softmax along axis A of x.
plain softmax_of(plain const& x, std::size_t a) {
    index_t const m = x.extents[0], n = x.extents[1];
    plain y = x;
    for (index_t line = 0; line < x.extents[1 - a]; ++line) {
        auto const place = [&](index_t i) {
            return static_cast<std::size_t>(a == 0 ? i * n + line : line * n + i);
        };
        index_t const length = a == 0 ? m : n;
        double most = -test::infinity, sum = 0;
        for (index_t i = 0; i < length; ++i) most = std::max(most, x.values[place(i)]);
        for (index_t i = 0; i < length; ++i) sum += std::exp(x.values[place(i)] - most);
        for (index_t i = 0; i < length; ++i) {
            y.values[place(i)] = std::exp(x.values[place(i)] - most) / sum;
        }
    }
    return y;
}

plain product_of(plain const& a, plain const& b) {
    return computed({a.extents[0], b.extents[1]}, [&](index_t const* at) {
        double sum = 0;
        for (index_t k = 0; k < a.extents[1]; ++k) sum += a(at[0], k) * b(k, at[1]);
        return sum / 16;
    });
}

// y = softmax<A>(a b), in a destination of either layout.
template <int A, class Y>
void check_product(index_t m, index_t k, index_t n) {
    auto const a = numbered<rows>({m, k}), b = numbered<rows>({k, n}, 3);
    Y y({m, n});
    y = -1.f;
    auto const s = assign(y, felt::softmax<A>(matmul(a, b / 16)));
    run(felt::fused, s);
    CHECK(values(y) == near(softmax_of(product_of(values(a), values(b)), A), 1e-5));
}

// y = softmax<A>(y).
template <int A, class Y>
void check_in_place(index_t m, index_t n) {
    auto y = numbered<Y>({m, n});
    plain const before = values(y);
    run(felt::fused, assign(y, felt::softmax<A>(y)));
    CHECK(values(y) == near(softmax_of(before, A), 1e-5));
}

}  // namespace

TEST_CASE("a product under a softmax of long rows is computed once, where the results go") {
    auto const a = numbered<rows>({300, 8}), b = numbered<rows>({8, 20000}, 5);
    rows y({300, 20000});
    columns z({20000, 300});
    auto const s = assign(y, felt::softmax<1>(matmul(a, b)));
    auto const t = assign(z, felt::softmax<0>(matmul(transpose(b), transpose(a))));
    auto const along = felt::explain(s), down = felt::explain(t);
    for (plan const* p : {&along, &down}) {
        CHECK(kept(*p, kind::contract) == 1);
        CHECK(kept(*p, kind::once) == 1);
        CHECK(in_scratch(*p, kind::contract) == 0);
        CHECK(p->fused());
    }
    // Without once(): the mean of a product, and the product.
    auto const u = assign(y, matmul(a, b) - felt::mean<1>(matmul(a, b), felt::keepdims));
    auto const centred = felt::explain(u);
    CHECK(kept(centred, kind::contract) == 1);
    CHECK(in_scratch(centred, kind::contract) == 0);
    // Short rows stay in scratch.
    auto const few = numbered<rows>({8, 200});
    rows w({300, 200});
    CHECK(kept(felt::explain(assign(w, felt::softmax<1>(matmul(a, few)))), kind::contract) == 0);
}

TEST_CASE("softmax of a product is what plain loops give, whatever the extents") {
    check_product<0, rows>(3, 0, 5);
    check_product<1, rows>(0, 3, 5);
    check_product<1, rows>(37, 2, 20011);
    check_product<0, columns>(20011, 2, 37);
    for (index_t n : {1, 17, 509, 3001}) {
        for (index_t m : {1, 37}) {
            check_product<1, rows>(m, 5, n);
            check_product<0, rows>(m, 5, n);
            check_product<1, columns>(m, 5, n);
            check_product<0, columns>(m, 5, n);
            check_product<0, rows>(n, 5, m);
            check_product<0, columns>(n, 5, m);
            check_product<1, columns>(n, 5, m);
        }
    }
}

TEST_CASE("what reads the product and its sums sees the product, not what replaced it") {
    index_t const m = 37, n = 20011;
    auto const a = numbered<rows>({m, 3}), b = numbered<rows>({3, n}, 5);
    plain const x = product_of(values(a), values(b)), soft = softmax_of(x, 1);
    plain const sums = computed({m}, [&](index_t const* at) {
        double sum = 0;
        for (index_t j = 0; j < n; ++j) sum += x(at[0], j);
        return sum;
    });
    auto const expected = [&](auto const& f) { return near(computed({m, n}, f), 1e-4); };
    rows y({m, n});
    auto const c = [&] { return matmul(a, b / 16); };
    y = c() - felt::mean<1>(c(), felt::keepdims);
    CHECK(values(y) ==
          expected([&](auto at) { return x(at[0], at[1]) - sums(at[0]) / double(n); }));
    y = felt::log_softmax<1>(c());
    CHECK(values(y) == expected([&](auto at) { return std::log(soft(at[0], at[1])); }));
    // The sum reads what has been replaced before it is asked for: it is computed again.
    y = felt::softmax<1>(c()) + felt::sum<1>(c(), felt::keepdims);
    CHECK(values(y) == expected([&](auto at) { return soft(at[0], at[1]) + sums(at[0]); }));
}

TEST_CASE("NaN and infinity in a row of the product stay in that row") {
    auto a = numbered<rows>({40, 2});
    auto const b = numbered<rows>({2, 20000}, 5);
    a(3, 0) = static_cast<float>(test::not_a_number);
    rows y({40, 20000});
    y = felt::softmax<1>(matmul(a, b));
    CHECK(std::isnan(y(3, 7)));
    CHECK(!std::isnan(y(2, 7)));
    CHECK(!std::isnan(y(4, 19999)));
}

TEST_CASE("softmax in place needs no other memory, whatever its rows") {
    rows y({5000, 700});
    y = 1.f;
    auto const down = felt::explain(assign(y, felt::softmax<0>(y)));
    CHECK(kept(down, kind::once) == 1);
    CHECK(down.fused());
    check_in_place<0, rows>(5, 0);
    check_in_place<1, columns>(0, 5);
    check_in_place<0, rows>(20011, 30);
    check_in_place<0, columns>(30, 20011);
    for (index_t n : {1, 17, 509, 3001}) {
        for (index_t m : {1, 2, 67}) {
            check_in_place<0, rows>(m, n);
            check_in_place<1, rows>(m, n);
            check_in_place<0, columns>(m, n);
            check_in_place<1, columns>(m, n);
            check_in_place<0, rows>(n, m);
            check_in_place<1, columns>(n, m);
        }
    }
}

TEST_CASE("what is read in place by others too is not kept there") {
    auto y = numbered<rows>({37, 5000});
    plain const before = values(y), soft = softmax_of(before, 1);
    run(felt::fused, assign(y, felt::softmax<1>(y) + felt::max<1>(abs(y), felt::keepdims)));
    CHECK(values(y) == near(computed({37, 5000},
                                     [&](index_t const* at) {
                                         double most = 0;
                                         for (index_t j = 0; j < 5000; ++j)
                                             most = std::max(most, std::abs(before(at[0], j)));
                                         return soft(at[0], at[1]) + most;
                                     }),
                            1e-5));
    auto z = numbered<rows>({300, 300});
    plain const square = values(z), of = softmax_of(square, 0);
    run(felt::fused, assign(z, felt::softmax<0>(z) + transpose(z)));
    CHECK(values(z) ==
          near(computed({300, 300},
                        [&](index_t const* at) { return of(at[0], at[1]) + square(at[1], at[0]); }),
               1e-5));
    run(felt::fused, assign(z, felt::softmax<0>(matmul(z, z) / 1e6f)));
    CHECK(values(felt::sum<0>(z)) == near(computed({300}, [](auto) { return 1.0; }), 1e-5));
}

TEST_CASE("in a group a product lies where it is stored as it is, or read for the last time") {
    auto const x = numbered<rows>({64, 32}), w = numbered<rows>({32, 128}, 3);
    rows h({64, 128}), d({64, 128}), e({64, 128});
    felt::Tensor<float, 1> m({128});
    columns across({64, 128});
    auto const z = matmul(x, w);
    auto const reused_of = [](auto const&... s) -> void const* {
        auto const p = felt::explain(s...);
        CHECK(p.passes().size() == 1);
        CHECK(p.fused());
        for (node_id id : p.g.nodes.ids()) {
            if (p.g[id].what == kind::contract) return p.s[id].reused;
        }
        return nullptr;
    };
    CHECK(reused_of(assign(h, relu(z) * 10.f), assign(d, z + 1.f)) == d.data());
    CHECK(reused_of(assign(h, z), assign(d, z + 1.f)) == h.data());
    CHECK(reused_of(assign(h, relu(z)), assign(d, z), assign(e, z + 1.f)) == d.data());
    // In scratch: it is summed after it was stored, or lies across where it is read last, or what
    // was there is read before.
    CHECK(reused_of(assign(h, z - 10.f), assign(m, felt::sum<0>(z))) == nullptr);
    CHECK(reused_of(assign(h, z - 10.f), assign(across, z + 1.f)) == nullptr);
    CHECK(reused_of(assign(h, z - d), assign(d, z + 1.f)) == nullptr);
    CHECK(reused_of(assign(h, z - 10.f), assign(e, h * d), assign(d, z + 1.f)) == nullptr);
    std::ostringstream text;
    text << felt::explain(assign(h, relu(z) * 10.f), assign(d, z + 1.f));
    CHECK(text.str().find("[kept in a later destination]") != std::string::npos);
}

TEST_CASE("the same bits for any number of threads") {
    auto const a = numbered<rows>({130, 16}), b = numbered<rows>({16, 20000}, 5);
    rows y({130, 20000});
    auto x = numbered<rows>({130, 20000});
    auto const once = [&] {
        y = felt::softmax<1>(matmul(a, b / 16));
        auto z = x;
        z = felt::softmax<0>(z);
        return std::pair{values(y), values(z)};
    };
    auto const one = once();
    felt::threads(3);
    auto const three = once();
    felt::threads(1);
    CHECK(one.first == three.first);
    CHECK(one.second == three.second);
}

TEST_CASE("a destination that lies a few elements beside what is read is no place to keep it") {
    index_t const m = 37, n = 500;
    for (index_t shift : {-3, -1, 1, 2}) {
        felt::Tensor<float, 1> memory({m * n + 8});
        memory = felt::normal<float>({m * n + 8}, 5);
        auto const x = felt::view(memory.data() + 4, {m, n});
        auto const y = felt::view(memory.data() + 4 + shift, {m, n});
        plain const along = softmax_of(values(x), 1);
        run(felt::fused, assign(y, felt::softmax<1>(x)));
        CHECK(values(y) == near(along, 1e-5));
        plain const down = softmax_of(values(x), 0);
        run(felt::fused, assign(y, felt::softmax<0>(x)));
        CHECK(values(y) == near(down, 1e-5));
    }
}

TEST_CASE("rows of several axes, and a bias between the product and its softmax") {
    for (index_t steps : {1, 2}) {
        for (index_t batch : {5, 41}) {
            index_t const k = 2, n = 20011;
            auto const h = numbered<felt::Tensor<float, 3>>({steps, batch, k});
            auto const w = numbered<rows>({k, n}, 3);
            auto const q = numbered<felt::Tensor<float, 1>>({n}, 7);
            felt::Tensor<float, 3> y({steps, batch, n}), z({batch, steps, n});
            auto const e = [&] { return felt::softmax<2>(matmul(h, w / 16) + q); };
            auto const s = assign(y, e());
            CHECK(kept(felt::explain(s), kind::contract) == (batch > 5 ? 1 : 0));
            auto const turned = assign(felt::permute<1, 0, 2>(z), e());
            run(felt::fused, s);
            run(felt::fused, turned);
            auto const flat = felt::reshape(h, {steps * batch, k});
            plain x = product_of(values(flat), values(w));
            for (std::size_t i = 0; i < x.values.size(); ++i) {
                x.values[i] += q(static_cast<index_t>(i) % n);
            }
            plain want = near(softmax_of(x, 1), 1e-5);
            want.extents = {steps, batch, n};
            CHECK(values(y) == want);
            CHECK(values(felt::permute<1, 0, 2>(z)) == want);
        }
    }
}

namespace {

// y = e, in the middle of a larger tensor: each element is of(i, j), what lies around stays.
template <class Layout, class E, class F>
void check_copied(kind what, E const& e, F&& of) {
    index_t const m = e.extents()[0], n = e.extents()[1];
    matrix<Layout> room({m + 3, n + 5});
    std::fill(room.data(), room.data() + room.size(), -7.f);
    auto const y = slice(room, felt::range(1, m + 1), felt::range(2, n + 2));
    auto const s = assign(y, e);
    bool const rows_lie_so = std::is_same_v<Layout, felt::RowMajor>;
    if (rows_lie_so) CHECK(kept(felt::explain(s), what) == 1);
    run(felt::fused, s);
    index_t wrong = 0;
    for (index_t i = 0; i < m + 3; ++i) {
        for (index_t j = 0; j < n + 5; ++j) {
            bool const inside = i >= 1 && i <= m && j >= 2 && j < n + 2;
            wrong += room(i, j) == (inside ? of(i - 1, j - 2) : -7.f) ? 0 : 1;
        }
    }
    CHECK(wrong == 0);
}

template <class Layout>
void check_copies(index_t m, index_t n) {
    CAPTURE(m);
    rows x({m, n}), z({m, n});
    for (index_t i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<float>(i % 1009);
        z.data()[i] = static_cast<float>(i % 997) + 0.5f;
    }
    auto const at = [&](index_t i, index_t j) {
        bool const inside = i >= 0 && i < m && j >= 0 && j < n;
        return inside ? x(i, j) : 9.f;
    };
    check_copied<Layout>(kind::general, pad(x, {{2, 1}, {3, 0}}, 9.f),
                         [&](index_t i, index_t j) { return at(i - 2, j - 3); });
    check_copied<Layout>(kind::general, pad(x + 1, {{0, 4}, {0, 5}}, 10.f),
                         [&](index_t i, index_t j) { return at(i, j) + 1; });
    check_copied<Layout>(kind::general, felt::roll<0, 1>(x, 1, 3),
                         [&](index_t i, index_t j) { return x((i + m - 1) % m, (j + n - 3) % n); });
    check_copied<Layout>(kind::general, felt::upsample(x, {1, 3}),
                         [&](index_t i, index_t j) { return x(i, j / 3); });
    check_copied<Layout>(kind::concat, felt::concat<0>(x, z),
                         [&](index_t i, index_t j) { return i < m ? x(i, j) : z(i - m, j); });
    check_copied<Layout>(kind::concat, felt::concat<1>(x, z * 2),
                         [&](index_t i, index_t j) { return j < n ? x(i, j) : z(i, j - n) * 2; });
    felt::Tensor<index_t, 1> k({m});
    for (index_t i = 0; i < m; ++i) k(i) = i * 7 % m;
    check_copied<Layout>(kind::gather, felt::gather<0>(x, k),
                         [&](index_t i, index_t j) { return x(i * 7 % m, j); });
}

}  // namespace

TEST_CASE("views that are copied are copied to the destination, large ones past the caches") {
    check_copies<felt::RowMajor>(37, 50), check_copies<felt::RowMajor>(2901, 2903);
    check_copies<felt::ColMajor>(37, 50), check_copies<felt::ColMajor>(2901, 2903);
}

TEST_CASE("a view of the destination itself is not") {
    for (index_t n : {20, 3000}) {
        rows x({n, n}), y({n, n});
        for (index_t i = 0; i < x.size(); ++i)
            x.data()[i] = y.data()[i] = static_cast<float>(i % 91);
        auto const s = assign(y, felt::roll<0, 1>(y, 1, 2));
        CHECK(kept(felt::explain(s), kind::general) == 0);
        run(felt::fused, s);
        index_t wrong = 0;
        for (index_t i = 0; i < n; ++i)
            for (index_t j = 0; j < n; ++j)
                wrong += y(i, j) == x((i + n - 1) % n, (j + n - 2) % n) ? 0 : 1;
        CHECK(wrong == 0);
    }
}

TEST_CASE("among other statements they are right too, however large") {
    rows x({2901, 2903}), z({100, 2903}), y({3001, 2903});
    felt::Tensor<float, 1> r({2901});
    for (index_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 1009);
    z = felt::ones<float>({100, 2903});
    run(felt::fused, assign(y, felt::concat<0>(x, z)), assign(r, felt::max<1>(x)));
    CHECK(std::equal(x.data(), x.data() + x.size(), y.data()));
    CHECK(std::equal(z.data(), z.data() + z.size(), y.data() + x.size()));
    CHECK(r(7) == 1008);
}
