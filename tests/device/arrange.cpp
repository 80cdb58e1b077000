// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan decides: forms of launches, groups, tensors beside the destinations.
#include "tests/device/same.hpp"

using namespace felt;
using device::form;

namespace {
template <class... S>
std::vector<form> forms_of(S const&... s) {
    std::vector<form> all;
    for (auto const& l : device::make_plan(fused, lower(s)...).launch) all.push_back(l.how);
    return all;
}
using forms = std::vector<form>;
}  // namespace

TEST_CASE("walked in order: layouts, views and scalars, and none of the others") {
    Tensor<float, 2, Device> x({30, 40}), y({30, 40});
    Tensor<float, 2, Device, ColMajor> c({30, 40}), d({30, 40});
    CHECK(forms_of(assign(y, exp(x) + 1)) == forms{form::transform});
    CHECK(forms_of(assign(c, exp(d) + d)) == forms{form::loops});  // a column is the inner loop
    CHECK(forms_of(assign(transpose(c), exp(transpose(d)))) == forms{form::transform});
    CHECK(forms_of(assign(y, x + c)) == forms{form::loops});
    CHECK(forms_of(assign(y, flip<0>(x))) == forms{form::loops});
    CHECK(forms_of(assign(y, 1.f)) == forms{form::loops});
    CHECK(forms_of(assign(slice(y, range(2, 5), all()), slice(x, range(7, 10), all()))) ==
          forms{form::transform});
    CHECK(forms_of(assign(slice(y, all(), range(2, 5)), slice(x, all(), range(7, 10)))) ==
          forms{form::loops});
    CHECK(forms_of(assign(y, x + uniform<float>(x.extents(), 1))) == forms{form::loops});
}

TEST_CASE("loops are as few as can be") {
    Tensor<float, 3, Device> x({4, 5, 6}), y({4, 5, 6});
    Tensor<float, 2, Device> v({5, 6});
    auto const p = device::make_plan(fused, lower(assign(y, x + v)));
    auto const& w = p.launch[0].loops;
    CHECK(std::vector(w.extent, w.extent + 3) == std::vector<index_t>{1, 4, 30});
}

TEST_CASE("what is computed aside is walked by its own steps") {
    Tensor<float, 1, Device> v({40}), u({40});
    auto const p = device::make_plan(fused, lower(assign(v, flip<0>(v) * 2.f + u)));
    REQUIRE(p.launch.size() == 2);
    for (auto const& l : p.launch) CHECK(l.loops.reach[l.loops.rank - 1] == 1);
    Tensor<float, 2, Device> x({30, 40}), y({30, 40});
    CHECK(forms_of(assign(slice(x, all(), range(1, 40)), slice(x, all(), range(0, 39)) * 2.f)) ==
          forms{form::loops, form::loops});
}

TEST_CASE("groups end where elements of others are read, and at another shape") {
    Tensor<float, 2, Device> x({30, 40}), y({30, 40}), z({30, 40}), few({3, 40});
    Tensor<float, 1, Device> r({30}), v({40});
    auto const why = [](auto const&... s) {
        auto const p = device::make_plan(fused, lower(s)...);
        return p.pass.size() == 1 ? std::string() : p.pass.front().why;
    };
    CHECK(why(assign(y, x + 1), assign(z, y + x)).empty());
    CHECK(why(assign(y, x + 1), assign(y, y + x), assign(x, y)).empty());
    CHECK(why(assign(y, x), assign(z, flip<0>(x))).empty());
    CHECK(why(assign(y, x), assign(z, flip<0>(y))) ==
          "it reads other elements of what an earlier statement writes");
    CHECK(why(assign(y, flip<0>(x)), assign(x, z)) ==
          "it writes what an earlier statement reads at other elements");
    CHECK(why(assign(y, x), assign(flip<0>(y), x)) == "it writes what an earlier statement writes");
    CHECK(why(assign(y, x), assign(z, x - max<1>(y, keepdims))) ==
          "what is computed before it reads what an earlier statement writes");
    CHECK(why(assign(y, x), assign(z, x - max<1>(x, keepdims))).empty());
    CHECK(why(assign(y, x), assign(few, v)) == "it has other extents");
    CHECK(why(assign(y, x), assign(v, v + 1)) == "it has other extents");
    CHECK(why(assign(y, x), assign(r, sum<1>(x))) == "it does not stream");
    CHECK(why(assign(r, sum<1>(x)), assign(r, r + 1)) == "it follows one that does not stream");
    CHECK(why(assign(x, x + flip<0>(x)), assign(y, z)) ==
          "it follows one that reads what it writes");
    CHECK(why(assign(y, z), assign(x, x + flip<0>(x))) ==
          "it reads what it writes, by other indices");
    CHECK(why(assign(y, x), assign(y, x), assign(y, x), assign(y, x), assign(y, x)) ==
          "so many statements are one kernel at most");
}

TEST_CASE("a reduction of several statements is computed once, unless what it reads has changed") {
    Tensor<float, 2, Device> x({30, 400}), y({30, 400}), z({30, 400});
    auto const launches = [](auto const&... s) { return forms_of(s...).size(); };
    auto const e = x - max<1>(x, keepdims);
    CHECK(launches(assign(y, e), assign(z, e * 2)) == 2);
    CHECK(launches(assign(y, e), assign(x, e * 2)) == 2);
    CHECK(launches(assign(x, e), assign(y, e)) == 4);
    CHECK(launches(assign(y, e), assign(z, flip<0>(y)), assign(z, e)) == 3);
    CHECK(launches(assign(y, e), assign(x, flip<0>(y)), assign(z, e)) == 5);
}

TEST_CASE("a reduction goes straight to a destination that lies as it writes") {
    Tensor<float, 2, Device> x({30, 400});
    Tensor<float, 1, Device> r({30}), twice({60});
    CHECK(forms_of(assign(r, sum<1>(x))).size() == 1);
    CHECK(forms_of(assign(slice(twice, range(0, 60, 2)), sum<1>(x))).size() == 2);
    CHECK(forms_of(assign(x, sum<1>(x, keepdims))).size() == 2);
    CHECK(forms_of(assign(slice(x, 0, all()), sum<0>(x))).size() == 2);
}

TEST_CASE("what a statement reads of what it writes is what was there before") {
    Tensor<float, 2> x = normal<float>({130, 130}, 1);
    auto y = to<Device>(x);
    x = x + transpose(x);
    y = y + transpose(y);
    CHECK(all_close(to<Host>(y), x));
    x = flip<0>(x) * 2;
    y = flip<0>(y) * 2;
    CHECK(all_close(to<Host>(y), x));
    x = x - mean<1>(x, keepdims);
    y = y - mean<1>(y, keepdims);
    CHECK(all_close(to<Host>(y), x, 1e-4, 1e-5));
    slice(x, range(0, 129), all()) = slice(x, range(1, 130), all());
    slice(y, range(0, 129), all()) = slice(y, range(1, 130), all());
    CHECK(all_close(to<Host>(y), x, 1e-4, 1e-5));
    x += x;
    y += y;
    CHECK(all_close(to<Host>(y), x, 1e-4, 1e-5));
}
