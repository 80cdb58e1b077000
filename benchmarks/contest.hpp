// SPDX-License-Identifier: BSD-3-Clause
//
// Contestants of a benchmark. Each is made when it is first asked for, its result is checked
// before it is timed, and it says how much of a roof (peak arithmetic, memory bandwidth) it needs.
//
//   enter("product/float/512x512x512/felt", [] { return contestant{run, right, roof}; });
#pragma once
#include <benchmark/benchmark.h>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace bench {

using task = std::function<void()>;

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
        if (!*made) {
            *made = make();
            if ((*made)->run) (*made)->run();
        }
        contestant const& c = **made;
        if (!c.run || !c.right()) {
            state.SkipWithError(c.run ? "wrong result" : "not found");
            return;
        }
        for (auto _ : state) {
            c.run();
            benchmark::ClobberMemory();
        }
        state.SetLabel(c.label);
        auto const rate = benchmark::Counter::kIsIterationInvariantRate;
        if (c.of.amount > 0) {
            state.counters[c.of.name] = benchmark::Counter(c.of.amount, rate);
            state.counters["of_roof"] = benchmark::Counter(c.of.amount / c.of.rate, rate);
        }
    };
    benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMicrosecond);
}

// The time of the fastest of a few runs, in seconds.
inline double quick_time(task const& run) {
    using clock = std::chrono::steady_clock;
    double best = 1e30, total = 0;
    run();
    for (int i = 0; i < 3 || (total < 0.01 && i < 100); ++i) {
        auto const start = clock::now();
        run();
        double const t = std::chrono::duration<double>(clock::now() - start).count();
        best = t < best ? t : best;
        total += t;
    }
    return best;
}

}  // namespace bench
