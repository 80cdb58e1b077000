// SPDX-License-Identifier: BSD-3-Clause
//
// The rules of docs/04_execution.md, one test case each: what the plan says, and that the result
// is what a plain loop over double gives. What holds in part is tested as far as it holds.
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <cstring>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

using felt::index_t;
using felt::planning::kind;
using felt::planning::plan;
using felt::planning::way;
using test::computed;
using test::near;
using test::numbered;
using test::plain;
using test::values;

namespace {

using matrix = felt::Tensor<float, 2>;
using columns = felt::Tensor<float, 2, felt::Host, felt::ColMajor>;
using vector = felt::Tensor<float, 1>;

std::string text_of(plan const& p) {
    std::ostringstream out;
    out << p;
    return out.str();
}
template <class... S>
std::string explained(S const&... s) {
    return text_of(felt::explain(s...));
}

// How often the words occur.
int count(std::string const& text, std::string const& words) {
    int n = 0;
    for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++n;
    return n;
}
bool says(std::string const& text, std::string const& words) { return count(text, words) > 0; }

felt::planning::placement const& first(plan const& p, kind what) {
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        if (p.g[id].what == what) return p.s[id];
    }
    throw felt::error("no node of that kind");
}
felt::planning::product_schedule const& first_product(plan const& p) { return p.s.products[0]; }
int nodes(plan const& p, way by) {
    int n = 0;
    for (auto const& f : p.s.nodes) n += f.by == by;
    return n;
}

// The identity, which counts the elements that it sees.
struct counted {
    static inline index_t elements = 0;
    float operator()(float x) const {
        ++elements;
        return x;
    }
};
template <class S>
index_t elements_seen(S const& s) {
    counted::elements = 0;
    felt::run(felt::fused, s);
    return counted::elements;
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double rectified(double x) { return x > 0 ? x : 0; }

plain map(plain x, double (*f)(double)) {
    for (double& v : x.values) v = f(v);
    return x;
}
plain product(plain const& a, plain const& b) {
    return computed({a.extents[0], b.extents[1]}, [&](index_t const* at) {
        double sum = 0;
        for (index_t k = 0; k < a.extents[1]; ++k) sum += a(at[0], k) * b(k, at[1]);
        return sum;
    });
}
plain turned(plain const& a) {
    return computed({a.extents[1], a.extents[0]},
                    [&](index_t const* at) { return a(at[1], at[0]); });
}

}  // namespace

TEST_CASE("rule 1, prologue and epilogue: what stands before and after a product goes with it") {
    auto const a = numbered<matrix>({64, 128}), b = numbered<matrix>({128, 192}, 5);
    auto const c = numbered<vector>({192}, 9);
    matrix y({64, 192});
    auto const s = assign(y, sigmoid(matmul(a * 2, relu(b)) / 64 + c));
    plan const p = felt::explain(s);
    CHECK(p.fused());
    CHECK(nodes(p, way::scratch) == 1);
    CHECK(first(p, kind::contract).by == way::scratch);
    run(felt::fused, s);
    plain const left = map(values(a), [](double x) { return 2 * x; });
    plain const sums = product(left, map(values(b), rectified));
    CHECK(values(y) ==
          near(computed({64, 192},
                        [&](auto at) { return logistic(sums(at[0], at[1]) / 64 + c(at[1])); }),
               1e-5));
    // Each element is computed once, where it is packed, and once where the result is stored.
    CHECK(elements_seen(assign(y, matmul(felt::map(counted{}, a), b))) == a.size());
    CHECK(elements_seen(assign(y, matmul(a, felt::map(counted{}, b)))) == b.size());
    CHECK(elements_seen(assign(y, felt::map(counted{}, matmul(a, b)))) == y.size());
}

TEST_CASE("rule 2, residency: an operand that lies in memory as the loops want it is not packed") {
    auto const a = numbered<matrix>({1100, 8}), b = numbered<matrix>({8, 1024}, 3);
    auto const fa = columns(a);
    matrix y({1100, 1024});
    auto const places = [&](auto const& e) {
        auto const s = assign(y, e);
        run(felt::fused, s);
        CHECK(values(y) == product(values(a), values(b)));
        auto const p = felt::explain(s);
        auto const& f = first_product(p);
        return std::string(f.left_in_place ? "left " : "") + (f.right_in_place ? "right" : "");
    };
    CHECK(places(matmul(a, b)) == "left ");  // rows of b are 4 KiB apart
    CHECK(places(matmul(fa, b)) == "");
    CHECK(places(matmul(a * 1, b)) == "");
    matrix wide({8, 1040});
    slice(wide, felt::all(), felt::range(0, 1024)) = b;
    auto const apart = slice(wide, felt::all(), felt::range(0, 1024));
    CHECK(places(matmul(a, apart)) == "left right");
    CHECK(places(matmul(a * 1, apart)) == "right");
    CHECK(says(explained(assign(y, matmul(a, apart))), "[written where it belongs, "));
}

TEST_CASE("rule 3, orientation: lanes follow memory, what does not is transposed on the way") {
    auto const a = numbered<matrix>({70, 40}), b = numbered<matrix>({40, 90}, 3);
    auto const z = numbered<matrix>({90, 70}, 7);
    plain const sums = product(values(a), values(b));
    matrix y({70, 90});
    columns f({70, 90});
    auto const to_rows = assign(y, exp(matmul(a, b) / 64));
    auto const to_columns = assign(f, matmul(a, b) + 1);
    CHECK(says(explained(to_rows), "lanes along axis 1"));
    run(felt::fused, to_rows);
    CHECK(values(y) == near(map(sums, [](double v) { return std::exp(v / 64); }), 1e-5));
    run(felt::fused, to_columns);
    CHECK(values(f) == map(sums, [](double v) { return v + 1; }));
    CHECK(says(explained(assign(f, transpose(z) * 2)), "lanes along axis 0"));
    auto const across = assign(y, transpose(z) + y);
    CHECK(count(explained(across), "[transposed on the way in]") == 1);
    y = 1.f;
    run(felt::fused, across);
    CHECK(values(y) == map(turned(values(z)), [](double v) { return v + 1; }));
    // The axis that a reduction runs along lies inside a block.
    auto const along = felt::explain(assign(y, felt::softmax<1>(y)));
    auto const down = felt::explain(assign(f, felt::softmax<0>(f)));
    CHECK(along.s.spaces[0].block[1] == 90);
    CHECK(down.s.spaces[0].block[0] == 70);
}

TEST_CASE(
    "rule 4, nesting: columns outside of an expensive right operand, rows outside of a left one") {
    index_t const n = 20000;
    auto const w = numbered<matrix>({16, 64}), a = numbered<matrix>({64, 16}, 3);
    auto const x = numbered<matrix>({16, n}, 5), t = numbered<matrix>({n, 16}, 8);
    matrix y({16, n}), z({n, 16});
    auto const right = assign(y, matmul(w, relu(felt::map(counted{}, matmul(a, x)))) / 64);
    auto const left = assign(z, matmul(relu(felt::map(counted{}, matmul(t, w))), a) / 64);
    CHECK(felt::explain(right).fused());
    CHECK(felt::explain(left).fused());
    CHECK(says(explained(right), "loops 1 0"));
    CHECK(says(explained(left), "loops 0 1"));
    CHECK(elements_seen(right) == 64 * n);
    CHECK(elements_seen(left) == n * 64);
    auto const scaled = [](double v) { return v / 64; };
    plain const above = map(product(values(a), values(x)), rectified);
    plain const below = map(product(values(t), values(w)), rectified);
    CHECK(values(y) == near(map(product(values(w), above), scaled), 1e-5));
    CHECK(values(z) == near(map(product(below, values(a)), scaled), 1e-5));
}

namespace {

// Two expensive operands: c = matmul(a, b) over 64, of n x n, times relu(c). Some of its elements.
template <class S>
void check_expensive_pair(S const& s, matrix const& a, matrix const& b, matrix const& y) {
    run(felt::fused, s);
    index_t const n = y.extent(0), terms = a.extent(1);
    auto const c = [&](index_t i, index_t j) {
        double sum = 0;
        for (index_t k = 0; k < terms; ++k) sum += double(a(i, k)) * b(k, j) / 64;
        return sum;
    };
    for (index_t i = 0; i < n; i += n / 5) {
        for (index_t j = 3; j < n; j += n / 7) {
            double sum = 0, size = 0;
            for (index_t k = 0; k < n; ++k) {
                sum += c(i, k) * rectified(c(k, j));
                size += std::abs(c(i, k) * c(k, j));
            }
            CHECK(std::abs(y(i, j) - sum) <= 1e-6 * size);
        }
    }
}

}  // namespace

TEST_CASE("rule 4: what both operands of a product are computed from is computed once") {
    index_t const n = 640;
    auto const a = numbered<matrix>({n, 16}), b = numbered<matrix>({16, n}, 3);
    matrix y({n, n});
    auto const c = felt::map(counted{}, matmul(a, b) / 64);
    auto const s = assign(y, matmul(c, relu(c)) * 1);
    CHECK(nodes(felt::explain(s), way::hoisted) > 0);
    CHECK(elements_seen(s) <= 3 * n * n);  // a function of it is evaluated by each reader
    check_expensive_pair(s, a, b, y);
}

TEST_CASE("rule 4: what would be computed more than 1.5 times on average is computed first") {
    index_t const n = 1280;
    auto const a = numbered<matrix>({n, 64}), b = numbered<matrix>({64, n}, 3);
    matrix y({n, n});
    auto const c = matmul(a, b) / 64;
    auto const s = assign(y, matmul(c, relu(c)) * 1);
    plan const p = felt::explain(s);
    std::string const text = text_of(p);
    CHECK(says(
        text,
        "[hoisted: computed first, as a whole: inside of its loops it would be computed more than "
        "1.5 times]"));
    CHECK(says(text, "intermediate: matmul, 6.2 MiB: "));
    REQUIRE(p.intermediates().size() == 1);
    CHECK(p.intermediates()[0].bytes == n * n * 4);
    check_expensive_pair(s, a, b, y);
}

TEST_CASE("rule 5, overlapping reads: windows over an expression are fed from a box") {
    auto const x = numbered<matrix>({130, 190});
    matrix y({128, 188});
    auto const s = assign(y, felt::sum<2, 3>(windows(felt::map(counted{}, x), {3, 3})));
    auto const of_memory = assign(y, felt::sum<2, 3>(windows(x, {3, 3})));
    CHECK(says(explained(s), "reach (130, 190)  [in scratch, "));
    CHECK(says(explained(of_memory), "windows (128, 188, 3, 3)\n"));
    index_t const seen = elements_seen(s);
    CHECK(seen >= x.size());
    CHECK(seen <= x.size() * 3 / 2);  // and not nine times
    plain const sums = computed({128, 188}, [&](auto at) {
        double sum = 0;
        for (index_t i = 0; i < 9; ++i) sum += x(at[0] + i / 3, at[1] + i % 3);
        return sum;
    });
    CHECK(values(y) == sums);
    run(felt::fused, of_memory);
    CHECK(values(y) == sums);
}

TEST_CASE("rule 6, views of a product: affine ones are strides, others ask for a box") {
    auto const a = numbered<matrix>({128, 64}), b = numbered<matrix>({64, 192}, 3);
    plain const c = product(values(a), values(b));
    auto const held = [](auto const& s) {
        plan const p = felt::explain(s);
        CHECK(p.fused());
        CHECK(nodes(p, way::hoisted) == 0);
        run(felt::fused, s);
        return nodes(p, way::scratch);
    };
    matrix t({192, 128}), part({64, 96}), wide({130, 195}), twice({256, 384});
    vector flat({128 * 192});
    CHECK(held(assign(t, felt::flip<0>(transpose(matmul(a, b))) * 2)) == 1);
    CHECK(values(t) == computed({192, 128}, [&](auto at) { return 2 * c(at[1], 191 - at[0]); }));
    auto const some = [](auto const& e) {
        return slice(e, felt::range(64, 128), felt::range(0, 192, 2));
    };
    CHECK(held(assign(part, some(matmul(a, b)))) == 1);
    CHECK(values(part) == computed({64, 96}, [&](auto at) { return c(at[0] + 64, 2 * at[1]); }));
    // Only what the slice shows is computed.
    CHECK(elements_seen(assign(part, some(matmul(felt::map(counted{}, a), b)))) == 64 * 64);
    CHECK(held(assign(wide, pad(matmul(a, b), {{1, 1}, {0, 3}}))) == 2);
    CHECK(values(wide) == computed({130, 195}, [&](auto at) {
              bool const inside = at[0] > 0 && at[0] < 129 && at[1] < 192;
              return inside ? c(at[0] - 1, at[1]) : 0;
          }));
    CHECK(held(assign(twice, felt::upsample(matmul(a, b), {2, 2}))) == 2);
    CHECK(values(twice) == computed({256, 384}, [&](auto at) { return c(at[0] / 2, at[1] / 2); }));
    CHECK(held(assign(flat, reshape(matmul(a, b), {128 * 192}))) == 2);
    CHECK(values(flat) == plain{{128 * 192}, c.values});
}

TEST_CASE("rule 7, sharing: equal nodes are computed once") {
    auto const a = numbered<matrix>({64, 128}), b = numbered<matrix>({128, 192}, 3);
    matrix y({64, 192});
    auto const c = [&] { return matmul(felt::map(counted{}, a), b) / 256; };
    auto const s = assign(y, c() * sigmoid(c()));
    CHECK(count(explained(s), "common sub-expression, computed above") == 1);
    CHECK(elements_seen(s) == a.size());
    plain const sums = product(values(a), values(b));
    CHECK(values(y) == near(map(sums, [](double v) { return v / 256 * logistic(v / 256); }), 1e-5));
    auto const other = assign(y, matmul(a, b) * matmul(a + 0, b));
    CHECK(count(explained(other), "common sub-expression") == 0);
}

TEST_CASE("rule 8, reductions: rows of softmax are kept in the destination, however long") {
    index_t const n = index_t{1} << 20;  // a row of 4 MiB
    auto const x = numbered<matrix>({3, n});
    matrix y({3, n});
    auto const s = assign(y, felt::softmax<1>(x));
    CHECK(count(explained(s), "[kept in the destination]") == 1);
    CHECK(felt::explain(s).fused());
    run(felt::fused, s);
    for (index_t i = 0; i < 3; ++i) {
        double sum = 0;
        for (index_t j = 0; j < n; ++j) sum += std::exp(double(x(i, j)));
        index_t wrong = 0;
        for (index_t j = 0; j < n; ++j) {
            wrong += std::abs(y(i, j) * sum / std::exp(double(x(i, j))) - 1) > 2e-6;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("rule 8: cross-entropy writes no table of words while rows of it fit in scratch") {
    for (index_t words : {500, 10000}) {
        CAPTURE(words);
        auto const x = numbered<matrix>({130, 16}), w = numbered<matrix>({16, words}, 3);
        felt::Tensor<float, 0> loss;
        auto const s = assign(loss, felt::sum(felt::logsumexp<1>(matmul(x, w) / 8)));
        bool const fit = words == 500;
        CHECK(felt::explain(s).fused() == fit);  // else each product is computed once, and kept
        felt::detail::counters().scratch_peak = 0;
        auto const before = felt::allocations();
        run(felt::fused, s);
        CHECK((felt::allocations().bytes == before.bytes) == fit);
        CHECK(felt::allocations().scratch_peak <= felt::planning::scratch_limit);
        plain const scores = product(values(x), values(w));
        double sum = 0;
        for (index_t i = 0; i < 130; ++i) {
            double row = 0;
            for (index_t j = 0; j < words; ++j) row += std::exp(scores(i, j) / 8);
            sum += std::log(row);
        }
        CHECK(loss() == doctest::Approx(sum).epsilon(1e-6));
    }
}

TEST_CASE("rule 9, scratch: a shared axis of 100,000 is cut into pieces that accumulate") {
    index_t const k = 100000;
    auto const a = numbered<matrix>({16, k}), b = numbered<matrix>({k, 24}, 3);
    matrix y({16, 24});
    auto const s = assign(y, matmul(a * 2, sqrt(b * b)) / k);
    plan const p = felt::explain(s);
    CHECK(first_product(p).kc <= 4096);
    for (felt::planning::node_id id : p.g.nodes.ids()) {
        CHECK(test::scratch_of(p, id) <= felt::planning::scratch_limit);
    }
    CHECK(p.fused());
    run(felt::fused, s);
    CHECK(values(y) == near(computed({16, 24},
                                     [&](auto at) {
                                         double sum = 0;
                                         for (index_t l = 0; l < k; ++l)
                                             sum += 2.0 * a(at[0], l) * std::abs(b(l, at[1]));
                                         return sum / k;
                                     }),
                            1e-5));
}

TEST_CASE("rule 11, several destinations in one pass, until a sum has to be complete") {
    auto const f = numbered<matrix>({90, 700}), i = numbered<matrix>({90, 700}, 3);
    auto const g = numbered<matrix>({90, 700}, 5), c0 = numbered<matrix>({90, 700}, 8);
    matrix c = c0, h({90, 700}), d({90, 700}), shares({90, 700});
    vector means({90}), all({1});
    auto const cell = assign(c, f * c + i * g);
    auto const out = assign(h, tanh(c));
    CHECK(says(explained(cell, out), "these 2 in one pass, strips of "));
    CHECK_FALSE(says(explained(cell, out), "another pass"));
    auto const mean = assign(means, felt::mean<1>(h));
    auto const centred = assign(d, h - expand_dims<1>(means));
    auto const total = assign(slice(all, 0), felt::sum(h));
    auto const share = assign(shares, h / all);
    std::string const text = explained(cell, out, mean, centred, total, share);
    CHECK(says(text, "these 5 in one pass"));
    CHECK(says(text,
               "the next begins another pass: it reads a sum that is complete only after the "
               "last strip"));
    felt::fuse(cell, out, mean, centred, total, share);
    plain const state = computed({90, 700}, [&](auto at) {
        index_t const p = at[0], q = at[1];
        return double(f(p, q)) * c0(p, q) + double(i(p, q)) * g(p, q);
    });
    plain const hidden = map(state, std::tanh);
    plain const average = computed({90}, [&](auto at) {
        double sum = 0;
        for (index_t j = 0; j < 700; ++j) sum += hidden(at[0], j);
        return sum / 700;
    });
    CHECK(values(c) == state);
    CHECK(values(h) == near(hidden, 1e-6));
    CHECK(values(means) == near(average, 1e-6));
    CHECK(values(d) ==
          near(computed({90, 700}, [&](auto at) { return hidden(at[0], at[1]) - average(at[0]); }),
               1e-6));
    double every = 0;
    for (int p = 0; p < 90; ++p) every += 700 * average(p);
    CHECK(values(shares) ==
          near(computed({90, 700}, [&](auto at) { return hidden(at[0], at[1]) / every; }), 1e-6));
}

TEST_CASE("rule 12, aliasing: in place where that is safe, else aside, and said") {
    auto const x = numbered<matrix>({300, 300});
    plain const before = values(x);
    auto const check = [&](auto const& e, bool aside, auto&& expected) {
        matrix y = x;
        auto s = assign(y, e(y));
        std::string const text = explained(s);
        CHECK(says(text,
                   "the result is kept aside and copied: it reads what it writes, by other "
                   "indices") == aside);
        CHECK(says(text, "intermediate: the result, 352 KiB") == aside);
        auto const tensors = felt::allocations().tensors;
        run(felt::fused, s);
        CHECK(felt::allocations().tensors - tensors == (aside ? 1 : 0));
        CHECK(values(y) == near(computed({300, 300}, expected), 1e-6));
        y = x;
        int const threads = felt::threads();
        felt::threads(3);
        run(felt::fused, s);
        felt::threads(threads);
        CHECK(values(y) == near(computed({300, 300}, expected), 1e-6));
        s.no_alias = true;
        CHECK_FALSE(says(explained(s), "kept aside"));
    };
    auto const mean = [&](index_t i) {
        double sum = 0;
        for (index_t j = 0; j < 300; ++j) sum += before(i, j);
        return sum / 300;
    };
    check([](auto const& y) { return y * 2 + y; }, false,
          [&](auto at) { return 3 * before(at[0], at[1]); });
    check([](auto const& y) { return y - felt::mean<1>(y, felt::keepdims); }, false,
          [&](auto at) { return before(at[0], at[1]) - mean(at[0]); });
    plain const square = product(before, before);
    matrix const other = x;
    check([&](auto const& y) { return matmul(other, y) / 1000 + y; }, false,
          [&](auto at) { return square(at[0], at[1]) / 1000 + before(at[0], at[1]); });
    check([&](auto const& y) { return matmul(y, other) / 1000 + y; }, false,
          [&](auto at) { return square(at[0], at[1]) / 1000 + before(at[0], at[1]); });
    check([](auto const& y) { return matmul(y, y) / 1000 + y; }, true,
          [&](auto at) { return square(at[0], at[1]) / 1000 + before(at[0], at[1]); });
    check([](auto const& y) { return y + transpose(y); }, true,
          [&](auto at) { return before(at[0], at[1]) + before(at[1], at[0]); });
    check([](auto const& y) { return felt::flip<0>(y) * 1; }, true,
          [&](auto at) { return before(299 - at[0], at[1]); });
}

TEST_CASE("rule 13, threads: neither the plan nor a bit of the result depends on their number") {
    auto const a = numbered<matrix>({700, 128}), b = numbered<matrix>({128, 500}, 3);
    matrix y({700, 500}), z({700, 500});
    auto const once = [&](int n, matrix& to) {
        felt::threads(n);
        auto const s = assign(to, sigmoid(matmul(a, b) / 256) - felt::mean<0>(matmul(a, b)));
        run(felt::fused, s);
        return explained(s);
    };
    int const before = felt::threads();
    std::string const one = once(1, y), four = once(4, z);
    felt::threads(before);
    CHECK(one == four);
    CHECK(std::memcmp(y.data(), z.data(), static_cast<std::size_t>(y.size()) * 4) == 0);
    plain const c = product(values(a), values(b));
    std::vector<double> mean(500);
    for (index_t i = 0; i < 700; ++i) {
        for (index_t j = 0; j < 500; ++j) mean[static_cast<std::size_t>(j)] += c(i, j) / 700;
    }
    CHECK(values(y) == near(computed({700, 500},
                                     [&](auto at) {
                                         return logistic(c(at[0], at[1]) / 256) -
                                                mean[static_cast<std::size_t>(at[1])];
                                     }),
                            1e-5));
}

TEST_CASE("rule 14, lowering: copies share a tensor that was moved in, kernels get plain values") {
    auto x = numbered<matrix>({200, 300});
    plain const before = values(x);
    auto const e = sigmoid(std::move(x)) * 2;
    auto const tensors = felt::allocations().tensors;
    auto const copy = e;
    CHECK(felt::allocations().tensors == tensors);
    auto const tree = felt::lower(copy);
    static_assert(std::is_trivially_copyable_v<decltype(tree)>);
    static_assert(!std::is_trivially_copyable_v<decltype(copy)>);
    matrix y({200, 300}), z({200, 300});
    // The copies are one node to the plan: their sum is computed once.
    auto const s = assign(y, felt::sum<1>(e, felt::keepdims) - felt::sum<1>(copy, felt::keepdims));
    CHECK(count(explained(s), "common sub-expression, computed above") == 1);
    run(felt::fused, s);
    CHECK(values(y) == computed({200, 300}, [](auto) { return 0.0; }));
    run(felt::fused, assign(z, tree));
    CHECK(values(z) == near(map(before, [](double v) { return 2 * logistic(v); }), 1e-6));
}

TEST_CASE("rule 15, special cases: explain names each, with its condition") {
    index_t const n = 2900;  // 32.1 MiB
    auto const x = numbered<matrix>({n, n});
    matrix y({n, n});
    auto const mirrored = assign(y, x * 2 - transpose(x));
    auto const soft = assign(y, felt::softmax<1>(x));
    std::string text = explained(mirrored) + explained(soft);
    struct {
        index_t images, side, taps;
    } const layers[] = {{64, 6, 3}, {4, 28, 3}, {4, 28, 5}};
    for (auto const& l : layers) {
        using images = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;
        images const in({l.images, 64, l.side, l.side}), w({64, 64, l.taps, l.taps});
        images out(in.extents());
        felt::conv_options const same{.padding = {l.taps / 2, l.taps / 2}};
        text += explained(assign(out, felt::conv2d(in, w, same)));
    }
    for (felt::planning::special_case const* c : felt::planning::special_cases) {
        CHECK(says(text, "  " + std::string(c->name) + ": " + c->condition + "\n"));
    }
    run(felt::fused, mirrored);
    index_t wrong = 0;
    for (index_t i = 0; i < n; ++i) {
        for (index_t j = 0; j < n; ++j) wrong += y(i, j) != 2 * x(i, j) - x(j, i);
    }
    CHECK(wrong == 0);
    auto const small = slice(y, felt::range(0, 20), felt::all());
    CHECK_FALSE(says(explained(assign(small, small * 2)), "streaming stores"));
}
