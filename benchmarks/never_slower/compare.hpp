// SPDX-License-Identifier: BSD-3-Clause
//
// compare(name, size, e): the statement y = e fused and unfused, turn by turn. What is entered in
// `statements` is run at each size in turn.
#pragma once
#include <felt/felt.hpp>
#include "contest.hpp"
#include <algorithm>
#include <string>
#include <vector>

namespace bench {

// The sizes at which a statement runs: what it reads fits in the first cache, in the next ones, or
// in none.
enum class size { near, middle, far };

struct ratio {
    std::string name;
    size at;
    double fused, unfused;  // seconds of the fastest run
    bool right;             // whether both gave the same
    double slower = 1;      // the median of fused / unfused, each of one turn
};

inline double median(std::vector<double> of) {
    auto const middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
    std::nth_element(of.begin(), middle, of.end());
    return *middle;
}

inline std::vector<ratio>& ratios() {
    static std::vector<ratio> all;
    return all;
}

// Statements by name; each call enters its ratios for a size.
struct statement {
    std::string name;
    void (*run)(std::string const& name, size at);
};
inline std::vector<statement>& statements() {
    static std::vector<statement> all;
    return all;
}

template <class F>
double timed(F&& run) {
    double const start = cpu_seconds();
    run();
    return cpu_seconds() - start;
}

template <class E>
void compare(std::string const& name, size at, E const& e) {
    using tensor = felt::Tensor<felt::value_of<E>, felt::rank_of<E>>;
    tensor y(e.extents()), z(e.extents());
    auto const fused = [&] { felt::run(felt::fused, assign(y, e)); };
    auto const unfused = [&] { felt::run(felt::unfused, assign(z, e)); };
    fused(), unfused();
    ratio r{name, at, 1e30, 1e30, all_close(y, z, 1e-2, 1e-3)};
    double total = 0;
    std::vector<double> turns;
    for (int i = 0; i < 5 || (total < 0.1 && i < 300); ++i) {
        double const a = timed(fused), b = timed(unfused);
        r.fused = std::min(r.fused, a), r.unfused = std::min(r.unfused, b);
        total += a + b;
        if (b > 0) turns.push_back(a / b);  // a clock that stood still says nothing
    }
    if (!turns.empty()) r.slower = median(std::move(turns));
    ratios().push_back(r);
}

}  // namespace bench
