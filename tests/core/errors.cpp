// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/core/errors.hpp>

TEST_CASE_TEMPLATE("every error is a felt::error, a std::exception, and keeps its words", E,
                   felt::shape_error, felt::io_error, felt::device_error) {
    CHECK_THROWS_WITH_AS(throw E("matmul: (2, 3) by (4, 5)"), "matmul: (2, 3) by (4, 5)",
                         felt::error);
    CHECK_THROWS_AS(throw E(std::string("words")), std::runtime_error);
}

TEST_CASE("kinds of error are told apart") {
    CHECK_FALSE(std::is_base_of_v<felt::shape_error, felt::io_error>);
    CHECK_FALSE(std::is_base_of_v<felt::io_error, felt::device_error>);
}
