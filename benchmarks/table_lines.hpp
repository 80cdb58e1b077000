// SPDX-License-Identifier: BSD-3-Clause
//
// A line of felt_bench_table: a statement fused, unfused, on two threads, and by peers that have
// it.
#pragma once
#include "peer.hpp"
#include "roofs.hpp"
#include <felt/felt.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace bench {

using felt::index_t;

template <class F>
double least(F&& run) {
    using clock = std::chrono::steady_clock;
    double best = 1e30, all = 0;
    for (int i = 0; i < 5 || (all < 0.3 && i < 200); ++i) {
        auto const start = clock::now();
        run();
        double const t = std::chrono::duration<double>(clock::now() - start).count();
        if (i > 0) best = std::min(best, t);
        all += t;
    }
    return best;
}

inline std::string wanted;

// Of a statement that can do no better than in `limit` seconds, because of `why`.
template <class E>
void line(std::string const& name, double limit, char const* why, E const& e,
          peers const& others = {}) {
    felt::Tensor<felt::value_of<E>, felt::rank_of<E>> y(e.extents()), z(e.extents());
    auto const fused = [&] { felt::run(felt::fused, assign(y, e)); };
    auto const unfused = [&] { felt::run(felt::unfused, assign(z, e)); };
    felt::threads(1);
    fused(), unfused();
    bool same = felt::all_close(felt::cast<float>(y), felt::cast<float>(z), 1e-3, 1e-3);
    double const one = least(fused), apart = least(unfused);
    felt::threads(2);
    double const two = least(fused);
    felt::threads(1);
    std::printf("%s\t%.4f\t%s\t%.4f\t%.4f\t%.4f", name.c_str(), limit * 1e3, why, one * 1e3,
                apart * 1e3, two * 1e3);
    for (char const* who : peer_names) {
        std::printf("\t");
        for (peer const& p : others) {
            if (p.name != who || !p.run) continue;
            p.run();
            same = same && has(p, y);
            std::printf("%.4f", least(p.run) * 1e3);
        }
    }
    std::printf("\t%s\n", same ? "" : "wrong");
    std::fflush(stdout);
}

// n elements read and as many written; only read; multiply-adds. `others()`: who else has it.
template <class E, class P>
void copied(std::string const& name, index_t n, E const& e, P&& others) {
    if (name.find(wanted) == std::string::npos) return;
    roof const r = copying(n);
    line(name, r.amount / r.rate, "copy", e, others());
}
template <class E, class P>
void summed(std::string const& name, index_t n, E const& e, P&& others) {
    if (name.find(wanted) == std::string::npos) return;
    roof const r = reading(n);
    line(name, r.amount / r.rate, "read", e, others());
}
template <class E, class P>
void multiplied(std::string const& name, double flops, E const& e, P&& others) {
    if (name.find(wanted) == std::string::npos) return;
    line(name, flops / flops_per_second<float>(), "multiply-adds", e, others());
}
inline peers nobody() { return {}; }

}  // namespace bench
