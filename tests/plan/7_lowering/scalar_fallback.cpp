// SPDX-License-Identifier: BSD-3-Clause
//
// Every public name of the groups map, view, reduce and fill runs at vector speed, but for those
// on the list below; explain marks them and no other.
#include "tests/plan/nowhere.hpp"
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <set>
#include <sstream>

using felt::index_t;
using felt::range;
using test::nowhere;

namespace {

char const* const mark = "[runs element by element]";

// The marked lines of the plan of y = e, for a new y of e's extents.
template <class E>
int marks_of(E const& e) {
    using T = typename E::value_type;
    auto const extents = e.extents();
    auto const s = assign(felt::View<T, E::rank>(reinterpret_cast<T*>(std::uintptr_t{99} << 40),
                                                 extents, felt::RowMajor::strides(extents)),
                          e);
    std::ostringstream text;
    text << explain(s);
    std::string const plan = text.str();
    int count = 0;
    for (auto at = plan.find(mark); at != plan.npos; at = plan.find(mark, at + 1)) ++count;
    return count;
}

// What was marked, by the names given; asked of several element types.
class survey {
public:
    template <class E>
    void operator()(char const* name, E const& e) {
        if (marks_of(e) > 0) names_.insert(name);
    }
    std::string marked() const {
        std::string all;
        for (std::string const& name : names_) all += (all.empty() ? "" : ", ") + name;
        return all;
    }

private:
    std::set<std::string> names_;
};

struct numbers_only {
    float operator()(float x, float y) const { return x > y ? x : y * 2; }
};
struct numbers_and_batches {
    FELT_FN auto operator()(auto x, auto y) const { return x * x + y; }
};

template <class T>
void survey_arithmetic(survey& see) {
    auto const x = nowhere<T>(1, {40, 60}), y = nowhere<T>(2, {40, 60});
    T const one = 1;
    see("+", x + y);
    see("-", x - y);
    see("*", x * one);
    see("/", x / y);
    see("unary -", -x);
    see("<", x < y);
    see("<=", x <= y);
    see(">", x > one);
    see(">=", x >= y);
    see("==", x == y);
    see("!=", x != y);
    see("&&", x && y);
    see("||", x || y);
    see("!", !x);
    see("abs", abs(x));
    see("relu", relu(x));
    see("square", square(x));
    see("maximum", maximum(x, y));
    see("minimum", minimum(x, y));
    see("where", where(x < y, x, y));
    see("clip", clip(x, one, one));
    see("soft_threshold", soft_threshold(x, one));
    see("sign", sign(x));
    see("floor", floor(x));
    see("cast to float", felt::cast<float>(x));
    see("cast to int", felt::cast<int>(x));
    see("cast to bool", felt::cast<bool>(x));
    see("cast to uint8", felt::cast<std::uint8_t>(x));
}

template <class T>
void survey_functions(survey& see) {
    auto const x = nowhere<T>(1, {40, 60}), y = nowhere<T>(2, {40, 60});
    see("exp", exp(x));
    see("log", log(x));
    see("log1p", log1p(x));
    see("sqrt", sqrt(x));
    see("tanh", tanh(x));
    see("sigmoid", sigmoid(x));
    see("pow", pow(x, y));
    see("erf", erf(x));
    see("gelu", gelu(x));
}

template <class T>
void survey_reductions(survey& see) {
    auto const x = nowhere<T>(1, {40, 60});
    auto const y = nowhere<T>(2, {40, 60});
    auto both = [&](char const* name, auto const& rows, auto const& columns, auto const& whole) {
        see(name, rows);
        see(name, columns);
        see(name, whole);
    };
    both("sum", felt::sum<0>(x), felt::sum<1>(x), felt::sum(x));
    both("mean", felt::mean<0>(x), felt::mean<1>(x), felt::mean(x));
    both("max", felt::max<0>(x), felt::max<1>(x), felt::max(x));
    both("min", felt::min<0>(x), felt::min<1>(x), felt::min(x));
    both("argmax", felt::argmax<0>(x), felt::argmax<1>(x), felt::argmax(x));
    both("argmin", felt::argmin<0>(x), felt::argmin<1>(x), felt::argmin(x));
    both("prod", felt::prod<0>(x), felt::prod<1>(x), felt::prod(x));
    both("any", felt::any<0>(x), felt::any<1>(x), felt::any(x));
    both("all", felt::all<0>(x), felt::all<1>(x), felt::all(x));
    both("softmax", felt::softmax<0>(x), felt::softmax<1>(x), felt::softmax<-1>(x + y));
    both("log_softmax", felt::log_softmax<0>(x), felt::log_softmax<1>(x), felt::log_softmax<0>(-x));
    both("logsumexp", felt::logsumexp<0>(x), felt::logsumexp<1>(x), felt::logsumexp<0>(-x));
    both("var", felt::var<0>(x), felt::var<1>(x), felt::var(x));
    see("norm2", felt::norm2(x));
    see("all_close", felt::all(abs(x - y) <= abs(y)));
}

template <class T, class Layout>
void survey_views(survey& see) {
    auto const x = nowhere<T, Layout>(1, {40, 60}), y = nowhere<T, Layout>(2, {40, 60});
    auto const cube = nowhere<T, Layout>(3, {20, 30, 40});
    auto const rows = nowhere<int>(4, {30});
    see("transpose", transpose(x));
    see("permute", felt::permute<2, 0, 1>(cube));
    see("reshape", felt::reshape(x + y, {60, 40}));
    see("slice", slice(x, range(3, 33), felt::all()));
    see("slice at an index", slice(x, 3, felt::all()) + slice(x, 4, felt::all()));
    see("slice every second", slice(x, range(0, 40, 2), range(1, 60, 2)));
    see("flip across", felt::flip<0>(x));
    see("flip", felt::flip<1>(x));
    see("rot180", felt::rot180(x));
    see("pad", felt::pad(x, {{1, 2}, {3, 4}}, T(1)));
    see("pad", felt::pad(x + y, {{1, 2}, {3, 4}}, T(1)));
    see("expand_dims", felt::expand_dims<1>(x));
    see("broadcast_to", felt::broadcast_to(x, {5, 40, 60}));
    see("upsample", felt::upsample(x, {2, 3}));
    see("windows", felt::sum<2, 3>(felt::windows(x, {3, 3}, {.padding = {1, 1}})));
    see("windows at a stride", felt::sum<2, 3>(felt::windows(x, {2, 2}, {.stride = {2, 2}})));
    see("concat", felt::concat<0>(x, y));
    see("concat", felt::concat<1>(x, y));
    see("one_hot", felt::one_hot<T>(rows, 10));
    if constexpr (std::is_same_v<Layout, felt::RowMajor>) {
        see("gather of slices", felt::gather<0>(x, rows));
        see("gather along the lanes", felt::gather<1>(x, rows));
        auto const part = slice(x, range(0, 30), felt::all());
        see("scatter_add of slices", felt::scatter_add<0>({40, 60}, rows, part));
        auto const columns = slice(x, felt::all(), range(0, 30));
        see("scatter_add along the lanes", felt::scatter_add<1>({40, 60}, rows, columns));
        see("scan across the lanes", felt::cummax<0>(x));
        see("scan of rows along the lanes", felt::cumsum<1>(x));
        see("scan of few rows along the lanes",
            felt::cumsum<1>(slice(x, range(0, 5), felt::all())));
    }
}

}  // namespace

TEST_CASE("map: all rows for every type of element, but for quotients of 64-bit integers") {
    survey real, whole;
    survey_arithmetic<float>(real);
    survey_arithmetic<double>(real);
    survey_functions<float>(real);
    survey_functions<double>(real);
    CHECK(real.marked() == "");
    survey_arithmetic<int>(whole);
    survey_arithmetic<std::uint8_t>(whole);
    survey_arithmetic<std::int16_t>(whole);
    survey_functions<int>(whole);  // of doubles
    CHECK(whole.marked() == "");
    survey_arithmetic<std::int64_t>(whole);
    CHECK(whole.marked() == "/");
}

TEST_CASE("map: conditions are combined and chosen as bits") {
    auto const a = nowhere<bool>(1, {40, 60}), b = nowhere<bool>(2, {40, 60});
    auto const x = nowhere(3, {40, 60});
    survey see;
    see("&&", a && b);
    see("||", a || (x > 0.F));
    see("!", !a);
    see("==", a == b);
    see("!=", a != (x < 1.F));
    see("where", where(a, x, -x));
    see("where of conditions", where(a, b, x > 0.F));
    see("+", a + b);
    see("cast", felt::cast<float>(a));
    see("sum", felt::sum<0>(a));
    see("argmax", felt::argmax<1>(a));
    CHECK(see.marked() == "");
}

TEST_CASE("map: a functor of one's own that only knows numbers") {
    auto const x = nowhere(1, {40, 60}), y = nowhere(2, {40, 60});
    survey see;
    see("numbers", felt::map(numbers_only{}, x, y));
    see("batches", felt::map(numbers_and_batches{}, x, y));
    CHECK(see.marked() == "numbers");
}

TEST_CASE("reduce: all, over rows, over columns and over everything") {
    survey see;
    survey_reductions<float>(see);
    survey_reductions<double>(see);
    survey_reductions<int>(see);
    CHECK(see.marked() == "");
}

TEST_CASE("view: all but what picks or adds along the lanes") {
    survey see;
    survey_views<float, felt::RowMajor>(see);
    survey_views<std::uint8_t, felt::RowMajor>(see);
    CHECK(see.marked() ==
          "gather along the lanes, scan of few rows along the lanes, "
          "scatter_add along the lanes");
}

TEST_CASE("view: columns into rows, unless a transpose in registers serves") {
    survey see;
    survey_views<float, felt::ColMajor>(see);
    CHECK(see.marked() == "pad, slice at an index, slice every second, windows");
}

TEST_CASE("view: memory at wide steps") {
    auto const x = nowhere(1, {4000});
    survey see;
    see("4", slice(x, range(0, 4000, 4)));
    see("5", slice(x, range(0, 4000, 5)));
    see("-1", felt::flip<0>(x));
    see("-2", felt::flip<0>(slice(x, range(0, 4000, 2))));
    CHECK(see.marked() == "-2, 5");
}

TEST_CASE("fill: all") {
    survey see;
    see("zeros", felt::zeros<float>({40, 60}));
    see("full", felt::full({40, 60}, 3));
    see("iota", felt::iota(60));
    see("iota", felt::iota<float>({40, 60}));
    see("uniform", felt::uniform<float>({40, 60}, 1));
    see("uniform", felt::uniform<double>({40, 60}, 1));
    see("normal", felt::normal<float>({40, 60}, 1));
    see("normal", transpose(felt::normal<double>({40, 60}, 1)));
    CHECK(see.marked() == "");
}
