// SPDX-License-Identifier: BSD-3-Clause
//
// Contestants of a benchmark. Each is made when it is first asked for, its result is checked
// before it is timed, and it says how much of a roof (peak arithmetic, memory bandwidth) it needs.
//
//   enter("product/float/512x512x512/felt", [] { return contestant{run, right, roof}; });
#pragma once
#include <benchmark/benchmark.h>
#include <time.h>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace bench {

using task = std::function<void()>;

// What this program has used of its core: other programs on the machine do not count.
inline double cpu_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// `amount` operations or bytes of something that runs at `rate` per second at best.
struct roof {
    char const* name = "";
    double amount = 0;
    double rate = 1;
};

struct contestant {
    task run;
    std::function<bool()> right = [] { return true; };
    roof of = {};
    std::string label = "";
};

// A contestant without a task is one that cannot take part: a peer that was not found.
inline void enter(std::string const& name, std::function<contestant()> make) {
    auto const made = std::make_shared<std::optional<contestant>>();
    auto const body = [=](benchmark::State& state) {
        if (!*made) *made = make();
        contestant const& c = **made;
        if (c.run) c.run();  // others may have written to the same memory since the last time
        if (!c.run || !c.right()) {
            state.SkipWithError(c.run ? "wrong result" : "not found");
            return;
        }
        double const start = cpu_seconds();
        for (auto _ : state) {
            c.run();
            benchmark::ClobberMemory();
        }
        double const each = (cpu_seconds() - start) / static_cast<double>(state.iterations());
        state.SetLabel(c.label);
        if (c.of.amount > 0) {
            state.counters[std::string("G") + c.of.name + "/s"] = c.of.amount / each * 1e-9;
            state.counters["of_roof"] = c.of.amount / each / c.of.rate;
        }
    };
    benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMicrosecond);
}

// The time of the fastest of a few runs.
inline double quick_time(task const& run) {
    double best = 1e30, total = 0;
    run();
    for (int i = 0; i < 3 || (total < 0.01 && i < 100); ++i) {
        double const start = cpu_seconds();
        run();
        double const t = cpu_seconds() - start;
        best = t < best ? t : best;
        total += t;
    }
    return best;
}

}  // namespace bench
