// SPDX-License-Identifier: BSD-3-Clause
//
// Scratch is bounded by a constant: expressions of every kind run while one extent after the
// other is ten times as long, and neither scratch nor resident memory follows.
#include "tests/plan/asked.hpp"
#include "tests/support/plain.hpp"
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <fstream>
#include <malloc.h>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using felt::index_t;

namespace {

// The address sanitizer keeps what was freed, and has memory of its own.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool memory_is_ours = false;
#else
constexpr bool memory_is_ours = true;
#endif

constexpr index_t kib = 1024, scratch_limit = 2048 * kib, margin = 256 * kib;

// A line of a file in /proc/self, in bytes; 0 where there is no such file.
index_t bytes_of(char const* file, std::string const& name) {
    std::ifstream in(std::string("/proc/self/") + file);
    for (std::string line; std::getline(in, line);) {
        if (line.rfind(name + ":", 0) == 0) return std::stoll(line.substr(name.size() + 1)) * kib;
    }
    return 0;
}
index_t resident() { return bytes_of("smaps_rollup", "Rss"); }

// The most that was resident since the last call of forget_peak().
index_t peak() { return bytes_of("status", "VmHWM"); }
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

struct growing {
    index_t m, n, k;
};

// What a plan says that it holds beside destinations and scratch.
index_t announced(felt::planning::plan const& p) {
    index_t bytes = 0;
    for (auto id : p.g.nodes.ids()) {
        if (p.s[id].by == felt::planning::way::hoisted) {
            bytes += felt::planning::detail::elements_of(p.g[id]) * p.g[id].value_bytes;
        }
    }
    for (auto k : p.g.statements.ids()) {
        if (p.s[k].temporary) bytes += felt::planning::detail::destination_bytes(p.g[k]);
    }
    return bytes;
}

// Runs statements and looks at the memory that they took.
struct watch {
    std::string what;
    bool fused;

    // Every element of the last destination, y, is `expected` then.
    template <class Y, class... S>
    void operator()(double expected, Y const& y, S const&... s) const {
        INFO(what);
        auto const p = felt::explain(s...);
        index_t const aside = announced(p);
        CHECK((p.fused() || aside > 0));
        for (auto const& i : p.intermediates()) {
            INFO(i.name, ": ", i.why);
            CHECK_FALSE(i.why.empty());
        }
        felt::detail::counters().scratch_peak = 0;
        auto const before = felt::allocations();
        index_t const used = resident();
        forget_peak();
        felt::run(felt::fused, s...);
        auto const after = felt::allocations();
        // Whichever threads took part may have had scratch for the first time.
        index_t const more = aside + aside / 8 + felt::threads() * after.scratch_peak + 2 * margin;
        if (memory_is_ours) {
            CHECK(peak() - used <= more);
            CHECK(resident() - used <= more);  // malloc may keep what was hoisted
        }
        CHECK(after.scratch_peak <= scratch_limit);
        CHECK(after.tensors - before.tensors == static_cast<index_t>(p.intermediates().size()));
        CHECK(after.bytes - before.bytes <= aside + aside / 8 + kib);  // rows of whole tiles
        CHECK(y.data()[0] == doctest::Approx(expected).epsilon(1e-4));
        CHECK(y.data()[y.size() - 1] == doctest::Approx(expected).epsilon(1e-4));
    }
};

// Calls f(extents, watch) with the extents given, then with one of them times ten; `aside` is the
// one with which the plan computes something first.
template <class F>
void grow(char const* what, growing base, F&& f, int aside = -1) {
    for (int axis = -1; axis < 3; ++axis) {
        growing s = base;
        index_t* const extent[] = {&s.m, &s.n, &s.k};
        if (axis >= 0 && *extent[axis] == 1) continue;
        if (axis >= 0) *extent[axis] *= 10;
        f(s, watch{what + felt::to_string(&s.m, 3), axis < 0 || axis != aside});
    }
}

using matrix = felt::Tensor<float, 2>;
using columns = felt::Tensor<float, 2, felt::Host, felt::ColMajor>;
using vector = felt::Tensor<float, 1>;

// Ones of any extents: rows, or columns, of few elements that overlap.
float const* ones() {
    static std::vector<float> const memory(std::size_t{1} << 22, 1.f);
    return memory.data();
}
auto rows(index_t m, index_t n) { return felt::view(ones(), {m, n}, {3, 1}); }
auto cols(index_t m, index_t n) { return felt::view(ones(), {m, n}, {1, 3}); }
auto batch(index_t b, index_t m, index_t n) { return felt::view(ones(), {b, m, n}, {5, 3, 1}); }

// (m, k) times (k, n): every element is k.
auto product(growing s) { return matmul(rows(s.m, s.k), rows(s.k, s.n)); }
double real(index_t n) { return static_cast<double>(n); }

void products() {
    grow("matmul", {16, 24, 10000}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(real(s.k), y, assign(y, product(s)));
    });
    grow("sigmoid(matmul + b)", {100, 200, 50}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(1, y, assign(y, sigmoid(product(s) + rows(s.m, 1))));
    });
    grow("columns and a transposed operand", {16, 24, 5000}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(real(s.k), y, assign(y, matmul(cols(s.m, s.k), transpose(rows(s.n, s.k))) * 1));
    });
    grow("a product of expressions", {16, 24, 5000}, [](growing s, watch const& run) {
        columns y({s.m, s.n});
        run(2 * real(s.k), y, assign(y, matmul(sqrt(cols(s.m, s.k)), rows(s.k, s.n) + 1)));
    });
    grow("a product on the right", {40, 500, 30}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(real(s.m * s.k), y, assign(y, matmul(rows(s.m, s.m), relu(product(s)))));
    });
    grow("a product on the left", {500, 40, 30}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(real(s.n * s.k), y, assign(y, matmul(relu(product(s)), rows(s.n, s.n))));
    });
    grow("batches along the lanes", {100, 300, 12}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(real(s.k), y,
            assign(y, felt::einsum<"abk,kb->ab">(batch(s.m, s.n, s.k), rows(s.k, s.n))));
    });
    grow("batches", {20, 30, 100}, [](growing s, watch const& run) {
        felt::Tensor<float, 3> y({s.m, s.n, index_t{40}});
        run(real(s.k), y,
            assign(y, felt::einsum<"bik,bkj->bij">(batch(s.m, s.n, s.k), batch(s.m, s.k, 40))));
    });
}

void reductions_of_products() {
    // Sums read the box that an equal product holds in the destination, across their lanes.
    grow("softmax<0>(matmul) into columns", {2000, 100, 8}, [](growing s, watch const& run) {
        columns y({s.m, s.n});
        run(1 / real(s.m), y, assign(y, felt::softmax<0>(product(s))));
    });
    grow("matmul - max<0>(matmul) into columns", {2011, 37, 8}, [](growing s, watch const& run) {
        columns y({s.m, s.n});
        run(0, y, assign(y, product(s) - felt::max<0>(product(s), felt::keepdims)));
    });
    grow("softmax<0>(matmul)", {50, 2000, 40}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(1 / real(s.m), y, assign(y, felt::softmax<0>(product(s))));
    });
    grow("softmax<1>(matmul)", {50, 2000, 40}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(1 / real(s.n), y, assign(y, felt::softmax<1>(product(s))));
    });
    grow("sum<1>(matmul)", {100, 1000, 30}, [](growing s, watch const& run) {
        vector y({s.m});
        run(real(s.n * s.k), y, assign(y, felt::sum<1>(product(s))));
    });
    grow("sum<1>(matmul) * matmul", {50, 2000, 40}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(real(s.n * s.k * s.k), y,
            assign(y, felt::sum<1>(product(s), felt::keepdims) * product(s)));
    });
    grow("logsumexp<1>(matmul)", {100, 1000, 30}, [](growing s, watch const& run) {
        vector y({s.m});
        run(std::log(real(s.n)) + real(s.k), y, assign(y, felt::logsumexp<1>(product(s))));
    });
    grow("sum of logsumexp<1>(matmul)", {100, 1000, 30}, [](growing s, watch const& run) {
        felt::Tensor<float, 0> y;
        run(real(s.m) * (std::log(real(s.n)) + real(s.k)), y,
            assign(y, felt::sum(felt::logsumexp<1>(product(s)))));
    });
    grow("argmax<0>(matmul)", {100, 1000, 30}, [](growing s, watch const& run) {
        felt::Tensor<index_t, 1> y({s.n});
        run(0, y, assign(y, felt::argmax<0>(product(s))));
    });
}

void reductions() {
    grow("x - mean<0>(x)", {500, 1000, 1}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(0, y, assign(y, rows(s.m, s.n) - felt::mean<0>(rows(s.m, s.n))));
    });
    grow("x - mean<1>(x)", {500, 1000, 1}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        auto const x = rows(s.m, s.n);
        run(0, y, assign(y, x - felt::mean<1>(x, felt::keepdims)));
    });
    grow("x - mean<1>(x) in place", {500, 1000, 1}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(0, y, assign(y, y - felt::mean<1>(y, felt::keepdims)));
    });
    grow("sum<0, 2>", {300, 300, 30}, [](growing s, watch const& run) {
        vector y({s.n});
        run(real(s.m * s.k), y, assign(y, felt::sum<0, 2>(batch(s.m, s.n, s.k))));
    });
    grow("argmax<0>", {300, 3000, 1}, [](growing s, watch const& run) {
        felt::Tensor<index_t, 1> y({s.n});
        run(0, y, assign(y, felt::argmax<0>(rows(s.m, s.n))));
    });
}

void views() {
    grow("transposed", {500, 1000, 1}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(1, y, assign(y, sqrt(transpose(rows(s.n, s.m)))));
    });
    grow("pad", {500, 1000, 2}, [](growing s, watch const& run) {
        matrix y({s.m + 2 * s.k, s.n + 3});
        run(2, y, assign(y, pad(rows(s.m, s.n) + 1, {{s.k, s.k}, {1, 2}}, 2)));
    });
    grow("pad(matmul)", {500, 600, 20}, [](growing s, watch const& run) {
        matrix y({s.m + 2, s.n + 3});
        run(7, y, assign(y, pad(product(s), {{1, 1}, {1, 2}}, 7)));
    });
    grow("windows of an expression", {300, 500, 3}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        auto const x = rows(s.m + s.k - 1, s.n + 2) + 1;
        run(6 * real(s.k), y, assign(y, felt::sum<2, 3>(windows(x, {s.k, index_t{3}}))));
    });
    grow("windows over the border of a product", {100, 300, 20}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        run(4 * real(s.k), y,
            assign(y, felt::sum<2, 3>(windows(product(s), {3, 3}, {.padding = {1, 1}}))));
    });
    grow("neighbours of a product", {200, 3000, 20}, [](growing s, watch const& run) {
        matrix y({s.m - 1, s.n - 1});
        auto const a = slice(product(s), felt::range(0, s.m - 1), felt::range(0, s.n - 1));
        auto const b = slice(product(s), felt::range(1, s.m), felt::range(1, s.n));
        run(2 * real(s.k), y, assign(y, a + b));
    });
    grow("concat and flip", {500, 600, 20}, [](growing s, watch const& run) {
        matrix y({s.m + s.k, s.n});
        run(2, y, assign(y, felt::flip<0>(felt::concat<0>(rows(s.m, s.n), cols(s.k, s.n))) + 1));
    });
    grow("a maximum over windows of a product", {200, 600, 20}, [](growing s, watch const& run) {
        matrix y({s.m / 2, s.n / 2});
        auto const parts = windows(product(s), {2, 2}, {.stride = {2, 2}});
        run(real(s.k), y, assign(y, felt::max<2, 3>(parts)));
    });
    grow("reshape of a product", {500, 600, 20}, [](growing s, watch const& run) {
        vector y({s.m * s.n});
        run(real(s.k), y, assign(y, reshape(product(s), {s.m * s.n})));
    });
    grow("reshape of a transposed expression", {300, 400, 1}, [](growing s, watch const& run) {
        vector y({s.m * s.n});
        run(2, y, assign(y, reshape(transpose(rows(s.n, s.m) + 1), {s.m * s.n})));
    });
    grow("reshape with other rows", {500, 600, 20}, [](growing s, watch const& run) {
        matrix y({s.n, s.m});
        run(-real(s.k), y, assign(y, -reshape(product(s), {s.n, s.m})));
    });
    grow("upsample of a reshape", {300, 400, 1}, [](growing s, watch const& run) {
        matrix y({2 * s.m, 2 * s.n});
        auto const turned = reshape(rows(s.n, s.m) + 1, {s.m, s.n});
        run(2, y, assign(y, felt::upsample(turned, {2, 2})));
    });
    grow("gather", {500, 600, 20}, [](growing s, watch const& run) {
        matrix y({s.m, s.n});
        felt::Tensor<int, 1> const which({s.m});
        run(2, y, assign(y, felt::gather<0>(rows(s.k, s.n), which) + 1));
    });
    // All of 5000 rows would be computed anew for every block.
    grow(
        "gather of a product", {500, 600, 20},
        [](growing s, watch const& run) {
            matrix y({s.m, s.n});
            felt::Tensor<int, 1> const which({s.m});
            run(real(s.k), y, assign(y, felt::gather<0>(product(s), which)));
        },
        0);
}

void groups() {
    grow("a group along columns", {40, 5000, 30}, [](growing s, watch const& run) {
        matrix h({s.m, s.n}), g({s.m, s.m});
        vector t({s.m});
        run(real(s.n), g, assign(h, relu(product(s)) / real(s.k)), assign(t, felt::sum<1>(h)),
            assign(g, matmul(h, transpose(h))));
        CHECK(t(s.m - 1) == doctest::Approx(real(s.n)));
    });
    grow("a group along rows", {5000, 40, 30}, [](growing s, watch const& run) {
        matrix h({s.m, s.n}), g({s.n, s.n});
        vector t({s.n});
        run(real(s.m), g, assign(h, relu(product(s)) / real(s.k)), assign(t, felt::sum<0>(h)),
            assign(g, matmul(transpose(h), h)));
        CHECK(t(s.n - 1) == doctest::Approx(real(s.m)));
    });
}

// Images of ones: (n, c, h, h).
auto pictures(index_t n, index_t c, index_t h) {
    return felt::view(ones(), {n, c, h, h}, {7, 5, 3, 1});
}
// m images of n x n with k channels, to 8 channels: every element is 9 k.
auto convolution(growing s) { return conv2d(pictures(s.m, s.k, s.n), pictures(8, s.k, 3)); }

using images = felt::Tensor<float, 4>;
using channels_last = felt::Tensor<float, 4, felt::Host, felt::ChannelsLast>;

template <class Y>
void convolutions() {
    grow("conv2d", {3, 40, 8}, [](growing s, watch const& run) {
        Y y({s.m, index_t{8}, s.n - 2, s.n - 2});
        run(9 * real(s.k), y, assign(y, convolution(s)));
    });
    grow("the gradient of filters", {4, 50, 3}, [](growing s, watch const& run) {
        Y y({index_t{8}, s.k, index_t{3}, index_t{3}});
        auto const x = pictures(s.m, s.k, s.n), dy = pictures(s.m, 8, s.n - 2);
        run(real(s.m * (s.n - 2) * (s.n - 2)), y,
            assign(y, conv2d_weight_grad(x, dy, y.extents())));
    });
    grow("the gradient of images", {3, 40, 8}, [](growing s, watch const& run) {
        Y y({s.m, index_t{5}, s.n, s.n});
        auto const dy = pictures(s.m, s.k, s.n - 2), w = pictures(s.k, 5, 3);
        run(real(s.k), y, assign(y, conv2d_input_grad(dy, w, y.extents())));  // in the corners
    });
    grow("a mean over windows of a convolution", {3, 40, 8}, [](growing s, watch const& run) {
        Y y({s.m, index_t{8}, s.n / 2 - 1, s.n / 2 - 1});
        run(9 * real(s.k) + 1, y, assign(y, avg_pool2d(relu(convolution(s)) + 1)));
    });
    grow("a maximum over windows of a convolution", {3, 41, 2}, [](growing s, watch const& run) {
        Y y({s.m, index_t{8}, (s.n - 5) / 2 + 1, (s.n - 5) / 2 + 1});
        felt::pool_options const overlapping{.window = {3, 3}, .stride = {2, 2}};
        run(9 * real(s.k) + 1, y, assign(y, max_pool2d(convolution(s) + 1, overlapping)));
    });
    grow("upsampled deltas and their gradients", {3, 50, 3}, [](growing s, watch const& run) {
        Y y({index_t{8}, s.k, index_t{3}, index_t{3}});
        auto const delta = felt::upsample(pictures(s.m, 8, s.n / 2 - 1), {2, 2});
        auto const a = pictures(s.m, 8, s.n - 2);
        run(2 * real(s.m * (s.n - 2) * (s.n - 2)), y,
            assign(y,
                   conv2d_weight_grad(pictures(s.m, s.k, s.n), delta * a * (1 + a), y.extents())));
    });
}

// All of scratch is resident from now on, and the code that all statements share.
// (Memory from malloc is counted too: it is mapped anew, instead of found in what was free.)
void fill_scratch() {
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 64 * kib);
#endif
    matrix y({16, 24});
    run(felt::fused, assign(y, sigmoid(product({16, 24, 100}))));
    auto& arena = felt::host::this_thread_arena();
    felt::host::scratch_scope const scope(arena);
    char* const p = arena.take<char>(scratch_limit);
    std::fill(p, p + scratch_limit, char(1));
}

}  // namespace

TEST_CASE("this system says what is resident, and the most that was" *
          doctest::skip(!memory_is_ours)) {
    std::vector<char> some(static_cast<std::size_t>(8 * margin));
    index_t const before = resident();
    REQUIRE(before > 0);
    {
        std::vector<char> const more(static_cast<std::size_t>(32 * margin), char(1));
        CHECK(resident() - before > 31 * margin);
    }
    CHECK(resident() - before < 4 * margin);  // Linux counts by thread and core, some pages late
    CHECK(peak() - before > 31 * margin);
    forget_peak();
    CHECK(peak() - before < 4 * margin);
}

TEST_CASE("products keep to their scratch when one extent after the other grows tenfold") {
    fill_scratch();
    products();
    reductions_of_products();
}

TEST_CASE("reductions and views keep to their scratch") {
    fill_scratch();
    reductions();
    views();
}

namespace {

// What explain says that the nodes of a plan have in scratch, each of them alone.
std::vector<double> said_in_scratch(felt::planning::plan const& p) {
    std::ostringstream out;
    out << p;
    std::string const text = out.str(), mark = "[in scratch, ";
    std::vector<double> all;
    for (std::string::size_type at = 0; (at = text.find(mark, at)) != std::string::npos;) {
        std::istringstream in(text.substr(at += mark.size(), 40));
        double bytes = 0;
        std::string unit;
        in >> bytes >> unit;
        std::string const prefixes = "BKMGT";
        auto const prefix = prefixes.find(unit.at(0));
        CHECK(prefix != std::string::npos);
        for (std::string::size_type i = 0; i < prefix; ++i) bytes *= kib;
        all.push_back(bytes);
    }
    return all;
}

// Runs statements and checks the scratch that this thread took, and what explain says of it.
template <class... S>
void run_in_scratch(S const&... s) {
    auto const p = felt::explain(s...);
    CHECK(p.fused());
    auto const said = said_in_scratch(p);
    CHECK_FALSE(said.empty());
    for (double bytes : said) CHECK(bytes <= scratch_limit);
    for (auto id : p.g.nodes.ids()) CHECK(test::scratch_of(p, id) <= scratch_limit);
    felt::detail::counters().scratch_peak = 0;
    felt::run(felt::fused, s...);
    CHECK(felt::allocations().scratch_peak > 0);
    CHECK(felt::allocations().scratch_peak <= scratch_limit);
}

// Factors of a product (m, n) with 8 terms each, and a destination whose columns are contiguous.
struct tall_product {
    matrix a, w, base;

    tall_product(index_t m, index_t n)
        : a(test::numbered<matrix>({m, 8})), w(test::numbered<matrix>({8, n}, 5)), base({n, m}) {
        a = a / 8;
    }
    auto result() { return transpose(base); }
    auto values() const { return matmul(a, w); }
    index_t rows() const { return a.extent(0); }

    std::vector<double> column(index_t j) const {
        std::vector<double> z;
        for (index_t i = 0; i < rows(); ++i) {
            double sum = 0;
            for (index_t k = 0; k < 8; ++k) sum += double(a(i, k)) * double(w(k, j));
            z.push_back(sum);
        }
        return z;
    }
    static double greatest(std::vector<double> const& z) {
        return *std::max_element(z.begin(), z.end());
    }
    static double logsumexp(std::vector<double> const& z) {
        double const most = greatest(z);
        double sum = 0;
        for (double x : z) sum += std::exp(x - most);
        return most + std::log(sum);
    }

    // Element i of each column is element(z[i], whole), where whole = f(z), to an error that is
    // relative to the expected value or to `least`.
    template <class F, class Element>
    void check(F&& f, double least, Element&& element) const {
        double worst = 0;
        for (index_t j = 0; j < w.extent(1); ++j) {
            auto const z = column(j);
            double const whole = f(z);
            for (index_t i = 0; i < rows(); ++i) {
                double const expected = element(z[static_cast<std::size_t>(i)], whole);
                double const error = std::abs(double(base(j, i)) - expected);
                worst = std::max(worst, error / std::max(std::abs(expected), least));
                if (!std::isfinite(error)) worst = error;
            }
        }
        CHECK(worst < 2e-5);
    }
    void check_softmax() const {
        check(logsumexp, 0, [](double x, double all) { return std::exp(x - all); });
    }
};

}  // namespace

TEST_CASE("a sum across the lanes of a product that an equal one holds keeps to its scratch") {
    SUBCASE("softmax") {
        for (auto [m, n] : {std::pair<index_t, index_t>{20000, 300}, {20011, 37}, {3001, 64}}) {
            CAPTURE(m);
            tall_product x(m, n);
            auto y = x.result();
            run_in_scratch(assign(y, felt::softmax<0>(x.values())));
            x.check_softmax();
        }
    }
    SUBCASE("beside its logsumexp") {
        tall_product x(20011, 37);
        auto y = x.result();
        auto const all = felt::logsumexp<0>(x.values(), felt::keepdims);
        run_in_scratch(assign(y, x.values() - all));
        x.check(tall_product::logsumexp, 1, [](double z, double whole) { return z - whole; });
    }
    SUBCASE("beside its maximum") {
        tall_product x(12345, 129);
        auto y = x.result();
        run_in_scratch(assign(y, x.values() - felt::max<0>(x.values(), felt::keepdims)));
        x.check(tall_product::greatest, 1, [](double z, double whole) { return z - whole; });
    }
    SUBCASE("in a group of statements") {
        tall_product x(20011, 37);
        vector all({37});
        auto y = x.result();
        run_in_scratch(assign(y, felt::softmax<0>(x.values())),
                       assign(all, felt::logsumexp<0>(x.values())));
        x.check_softmax();
        for (index_t j = 0; j < 37; ++j) {
            CHECK(all(j) == doctest::Approx(tall_product::logsumexp(x.column(j))).epsilon(1e-6));
        }
    }
}

TEST_CASE("convolutions and pools keep to their scratch, in both orders") {
    fill_scratch();
    convolutions<images>();
    convolutions<channels_last>();
}

TEST_CASE("groups of statements keep to their scratch") {
    fill_scratch();
    groups();
}

TEST_CASE("a thread holds no more than that, whatever it has run" *
          doctest::skip(!memory_is_ours)) {
    matrix memory({270, 2100});
    index_t before = 0, after = 0;
    auto const all = [&](growing s) {
        auto const y = felt::view(memory.data(), {s.m, s.n});
        auto const v = felt::view(memory.data(), {s.m});
        run(felt::fused, assign(y, product(s)));
        run(felt::fused, assign(y, sigmoid(product(s) + 1)));
        run(felt::fused, assign(y, felt::softmax<0>(product(s))));
        run(felt::fused, assign(y, felt::softmax<1>(product(s))));
        run(felt::fused, assign(y, matmul(relu(product(s)), rows(s.n, s.n))));
        run(felt::fused, assign(y, sqrt(transpose(rows(s.n, s.m)))));
        run(felt::fused, assign(v, felt::logsumexp<1>(product(s))));
    };
    std::thread([&] {
        before = resident();
        for (index_t m : {10, 30, 90, 270}) {
            for (index_t n : {20, 70, 210, 2100}) {
                for (index_t k : {8, 100, 900}) all({m, n, k});
            }
        }
        after = resident();
    }).join();
    auto const plans = static_cast<index_t>(felt::planning::detail::recent_plans::bytes_kept);
    index_t const hoisted = memory.size() * 4;                              // kept for the next
    CHECK(after - before <= scratch_limit + hoisted + plans + 2 * margin);  // and a stack
}
