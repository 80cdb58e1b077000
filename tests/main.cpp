// SPDX-License-Identifier: BSD-3-Clause
//
// The main function of every test program. A filter that matches no test case is a mistake in
// the build files, so it fails; doctest alone would call it a success.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <iostream>

namespace {

unsigned cases_run = 0;

struct counter : doctest::IReporter {
    explicit counter(doctest::ContextOptions const&) {}

    void test_run_end(doctest::TestRunStats const& run) override {
        cases_run = run.numTestCasesPassingFilters;
    }

    void report_query(doctest::QueryData const&) override {}
    void test_run_start() override {}
    void test_case_start(doctest::TestCaseData const&) override {}
    void test_case_reenter(doctest::TestCaseData const&) override {}
    void test_case_end(doctest::CurrentTestCaseStats const&) override {}
    void test_case_exception(doctest::TestCaseException const&) override {}
    void subcase_start(doctest::SubcaseSignature const&) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const&) override {}
    void log_message(doctest::MessageData const&) override {}
    void test_case_skipped(doctest::TestCaseData const&) override {}
};

REGISTER_LISTENER("counter", 1, counter);

}  // namespace

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    int const failed = context.run();
    if (context.shouldExit() || failed != 0) return failed;
    if (cases_run == 0) std::cerr << "no test case matches the filter\n";
    return cases_run == 0;
}
