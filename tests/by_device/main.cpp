// SPDX-License-Identifier: BSD-3-Clause
//
// The main function of tests whose statements Device carries out. A run without any, or by another
// of Thrust's systems than was asked for, fails.
#define DOCTEST_CONFIG_IMPLEMENT
#include "tests/support/by_device.hpp"
#include "tests/support/by_host.hpp"
#include <doctest/doctest.h>
#include <iostream>

int main(int argc, char** argv) {
    test::by_host = false;
    doctest::Context context(argc, argv);
    int const failed = context.run();
    if (context.shouldExit() || failed != 0) return failed;
    bool const openmp = test::by_openmp();
    long const asked = openmp ? test::launches_by_openmp : test::launches_by_cpp;
    long const other = openmp ? test::launches_by_cpp : test::launches_by_openmp;
    std::cout << test::statements_by_device << " statements by Device, " << asked << " launches of "
              << (openmp ? "OpenMP" : "plain C++") << '\n';
    if (test::statements_by_device == 0) {
        std::cerr << "no statement was run: tests/by_device/CMakeLists.txt lists such sources\n";
    }
    return test::statements_by_device == 0 || other > 0;
}
