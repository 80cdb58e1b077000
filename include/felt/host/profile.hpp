// SPDX-License-Identifier: BSD-3-Clause
//
// profile(s...): statements run and measured, stage by stage.
//
//     std::cout << profile(assign(y, softmax<1>(matmul(x, w))));
//
// prints their plan and what each node that has a box of its own took, without the nodes that it
// reads; the rest are the loops of the statements themselves, with the functions that they
// evaluate. json() and html() are the plan's, with these times.
#pragma once
#include <felt/host/parallel.hpp>
#include <felt/host/run.hpp>
#include <felt/host/watch.hpp>
#include <felt/plan/explain.hpp>
#include <felt/plan/stage_seconds.hpp>
#include <iosfwd>
#include <string>

namespace felt::inline FELT_ABI {

// The plan of statements and the seconds of its fastest run, on one thread. Its reader must not
// outlive the statements' tensors, as a plan's. Nodes are timed by two readings of the clock for
// each of their boxes, which a run without profile does not take.
class profiled {
public:
    template <class... S>
    explicit profiled(S const&... s) : plan_(explain(s...)) {
        one_thread const for_a_while;
        run(fused, s...);  // touches the memory for the first time
        double spent = 0;
        for (int i = 0; i < least_runs || spent < enough; ++i) {
            host::watch const here;
            double const begin = host::watch::now();
            run(fused, s...);
            spent += keep(here, host::watch::now() - begin);
        }
    }

    planning::plan const& plan() const { return plan_; }
    planning::stage_seconds const& seconds() const { return seconds_; }
    std::string json() const;
    std::string html() const;
    friend std::ostream& operator<<(std::ostream& out, profiled const& p);

private:
    static constexpr int least_runs = 3;
    static constexpr double enough = 0.1;  // seconds

    struct one_thread {
        int before = threads();
        one_thread() { threads(1); }
        one_thread(one_thread const&) = delete;
        ~one_thread() { threads(before); }
    };

    // What a run took, if none was faster before; its time.
    double keep(host::watch const& of, double time);

    planning::plan plan_;
    planning::stage_seconds seconds_;
};

template <class... S>
    requires all_are_statements<S...>
[[nodiscard]] profiled profile(S const&... s) {
    return profiled(s...);
}

}  // namespace felt::inline FELT_ABI
