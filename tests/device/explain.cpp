// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a device in words, and that a run does what they say.
#include "tests/device/same.hpp"
#include <sstream>

using namespace felt;

namespace {

template <class... S>
std::string text_of(S const&... s) {
    std::ostringstream out;
    out << explain(s...);
    return out.str();
}
bool has(std::string const& text, char const* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a chain over contiguous memory is one transform, with broadcasts one kernel") {
    Tensor<float, 2, Device> x({64, 1000}), y({64, 1000});
    Tensor<float, 1, Device> v({1000});
    std::string const chain = text_of(assign(y, sqrt(x) * 2 + x));
    CAPTURE(chain);
    CHECK(has(chain, "y (64, 1000) float =\n  + (64, 1000)\n"));
    CHECK(has(chain, "1. y: transform of 64000 elements in contiguous memory; 250 KiB read"));
    CHECK(has(chain, "intermediates: none"));
    CHECK(has(text_of(assign(y, x + v)), "kernel over (64, 1000)"));
    CHECK(has(text_of(assign(slice(y, range(1, 5), all()), 1.f)), "kernel over (4000)"));
}

TEST_CASE("what does not stream is named, with its reason and its bytes") {
    Tensor<float, 2, Device> x({64, 1000}), y({64, 1000});
    std::string const text = text_of(assign(y, softmax<1>(x)));
    CAPTURE(text);
    CHECK(has(text, "1. max: "));
    CHECK(has(text, "2. sum: "));
    CHECK(has(text, "3. y: kernel over (64, 1000)"));
    CHECK(
        has(text, "intermediate: max, 256 B: every element of it is read after all of its terms"));
    CHECK(has(text, ", a common sub-expression, see above]"));
    CHECK(explain(assign(y, softmax<1>(x))).temporary_bytes() == 512);
}

TEST_CASE("groups: what shares a launch, and what keeps the next out") {
    Tensor<float, 2, Device> x({64, 1000}), y({64, 1000}), z({64, 1000});
    CHECK(has(text_of(assign(y, x + 1), assign(z, y * 2)), "these 2 in one launch"));
    CHECK(has(text_of(assign(y, x + 1), assign(z, flip<0>(y))),
              "the next begins another launch: it reads other elements of what an earlier"));
    CHECK(has(text_of(assign(x, x + flip<1>(x))),
              "intermediate: +, 250 KiB: it reads what it writes, by other indices"));
}

TEST_CASE("products are said to be the host's where it reaches the memory") {
    Tensor<float, 2, Device> x({30, 30}), y({30, 30});
    std::string const text = text_of(assign(y, matmul(x, x) + 1));
    CAPTURE(text);
    CHECK(has(text, "by the host's loops, over the same memory:\ny (30, 30) float"));
    CHECK(has(text, "matmul (30, 30)"));
}
