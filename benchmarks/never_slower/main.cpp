// SPDX-License-Identifier: BSD-3-Clause
//
// Is fused ever slower than unfused? Statements that people write and types of the differential
// test's grammar, at three sizes each, on one thread. Fails if one takes more than 1.3 times as
// long as its unfused run, or computes something else.
//
//   felt_bench_fused_never_slower [--benchmark_filter=PART OF A NAME] [--all]
#include "compare.hpp"
#include "program.hpp"
#include "tests/differential/plain.hpp"
#include <cmath>
#include <cstdio>
#include <cstring>

namespace {

constexpr double bound = 1.3;
char const* const names[] = {"near", "middle", "far"};

void print(bench::ratio const& r) {
    std::printf("%-7s %10.1f %10.1f us %6.2f %s%s %s\n", names[static_cast<int>(r.at)],
                r.fused * 1e6, r.unfused * 1e6, r.slower, r.slower > bound ? " SLOW" : "",
                r.right ? "" : " WRONG", r.name.c_str());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    bench::start_alone(argv);
    plain::shapes_only = true;
    std::string filter;
    bool all = false;
    for (int i = 1; i < argc; ++i) {
        std::string const option = "--benchmark_filter=", arg = argv[i];
        if (arg.rfind(option, 0) == 0) filter = arg.substr(option.size());
        all = all || arg == "--all";
    }
    if (filter == ".") filter.clear();
    int types = 0, bad = 0;
    double logs = 0;
    for (bench::statement const& s : bench::statements()) {
        if (s.name.find(filter) == std::string::npos) continue;
        ++types;
        for (bench::size at : {bench::size::near, bench::size::middle, bench::size::far}) {
            s.run(s.name, at);
            bench::ratio const& r = bench::ratios().back();
            bool const fails = r.slower > bound || !r.right;
            if (all || fails) print(r);
            bad += fails;
            logs += std::log(r.slower);
        }
    }
    double const n = std::max<double>(1, static_cast<double>(bench::ratios().size()));
    std::printf(
        "%d types, three sizes each: %d slower than %.1f times unfused, or wrong; "
        "fused / unfused in the geometric mean %.2f\n",
        types, bad, bound, std::exp(logs / n));
    return bad > 0;
}
