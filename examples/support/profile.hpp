// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a step goes, by name:
//
//   support::profile p;
//   p.time("pool", [&] { run(felt::unfused, assign(h, avg_pool2d(a))); });
//
// A name that comes again adds up. To time the stages of a function that runs its statements by
// run(how, ..), hand it laps: the k-th run() is the k-th lap.
#pragma once
#include <felt/felt.hpp>
#include <support/place.hpp>
#include <support/table.hpp>
#include <span>

namespace support {

struct laps {
    static constexpr bool in_stages = true;  // derived programs: forward, then backward

    std::vector<double>* seconds;
    void (*wait)() = nullptr;  // for what runs asynchronously
};
template <class... S>
void run(laps to, S const&... s) {
    stopwatch const watch;
    run(felt::fused, s...);
    if (to.wait != nullptr) to.wait();
    to.seconds->push_back(watch.seconds());
}

struct share {
    std::string name;
    double seconds = 0;
};

class profile {
public:
    template <class F>
    void time(std::string const& name, F&& f) {
        stopwatch const watch;
        f();
        add(name, watch.seconds());
    }

    void add(std::string const& name, double seconds) {
        for (share& s : shares_) {
            if (s.name == name) {
                s.seconds += seconds;
                return;
            }
        }
        shares_.push_back({name, seconds});
    }

    std::vector<share> const& shares() const { return shares_; }

    double total() const {
        double sum = 0;
        for (share const& s : shares_) sum += s.seconds;
        return sum;
    }

    // Of the total, in per cent; 0 of a name that is not there.
    double percent(std::string const& name) const {
        for (share const& s : shares_) {
            if (s.name == name && total() > 0) return 100 * s.seconds / total();
        }
        return 0;
    }

private:
    std::vector<share> shares_;
};

// Under its name, and beside it the copies between spaces that f makes.
template <class Space, class F>
void time_in(profile& p, std::string const& name, F&& f) {
    space_watch<Space> const watch;
    f();
    p.add(name, watch.seconds());
    if (watch.transferred() > 0) p.add("transfers", watch.transferred());
}

// The laps of f(laps) by these names, and beside them the copies between spaces that f made.
template <class Space, class F>
void time_laps(profile& p, std::span<char const* const> names, F&& f) {
    std::vector<double> seconds;
    space_watch<Space> const watch;
    f(laps{&seconds, &space_traits<Space>::wait});
    for (std::size_t i = 0; i < seconds.size(); ++i) p.add(names[i], seconds[i]);
    if (watch.transferred() > 0) p.add("transfers", watch.transferred());
}

// Calls f(profile) once to warm up, then for about a second. How often it was timed.
template <class F>
double repeated(profile& p, F&& f) {
    profile warm;
    f(warm);
    stopwatch const watch;
    double times = 0;
    while (watch.seconds() < 1 || times < 3) f(p), ++times;
    return times;
}

}  // namespace support
