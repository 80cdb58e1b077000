// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sstream>

TEST_CASE("a profile prints the plan and its stages, of which shares are all of the time") {
    felt::Tensor<float, 2> x({300, 400});
    felt::Tensor<float, 1> r({300});
    x = felt::uniform<float>(x.extents(), 1);
    auto const p = profile(assign(r, felt::var<1>(x)));
    std::ostringstream text;
    text << p;
    CHECK(text.str().find("intermediates: none\n") != std::string::npos);
    std::size_t const at = text.str().find("time: ");
    REQUIRE(at != std::string::npos);
    std::istringstream lines(text.str().substr(at));
    std::string line;
    std::getline(lines, line);
    int shares = 0, count = 0, before = 101;
    for (int share = 0; lines >> share; ++count) {
        std::getline(lines, line);
        CHECK(share <= before);
        before = share;
        shares += share;
    }
    CHECK(count == 3);  // two sums and the statement's loops
    CHECK(shares >= 97);
    CHECK(shares <= 103);
    CHECK(p.json().find("\"seconds\": ") != std::string::npos);
    CHECK(p.html().find("<meter") != std::string::npos);
}
