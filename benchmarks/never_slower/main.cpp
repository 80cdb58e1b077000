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

void teach() {
    std::puts(
        "felt_bench_fused_never_slower [--benchmark_filter=PART OF A NAME] [--all]\n\n"
        "Runs statements fused and unfused in turns, of tensors that the first cache holds "
        "(near),\n"
        "the second one (middle) and neither (far). Columns: size, fused and unfused in us, their\n"
        "ratio, the statement. --all prints those too that are not slower than 1.3 times unfused.");
}

// How many take longer than so many times their unfused run.
int slower_than(double times) {
    int n = 0;
    for (bench::ratio const& r : bench::ratios()) n += r.slower > times;
    return n;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
        teach();
        return 0;
    }
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
    std::printf("slower than 1 / 0.95: %d, than 1.1: %d, than 1.2: %d\n", slower_than(1 / 0.95),
                slower_than(1.1), slower_than(1.2));
    return bad > 0;
}
