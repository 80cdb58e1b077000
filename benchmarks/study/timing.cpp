// SPDX-License-Identifier: BSD-3-Clause
#include "timing.hpp"
#include "../roofs.hpp"
#include <nlohmann/json.hpp>
#include <chrono>
#include <fstream>

namespace study {

namespace {

using nlohmann::json;
using clock = std::chrono::steady_clock;

double seconds_of(std::function<void()> const& f, int times) {
    auto const start = clock::now();
    for (int i = 0; i < times; ++i) f();
    return std::chrono::duration<double>(clock::now() - start).count() / times;
}

struct way {
    std::string name;
    std::function<void()> run;
    int times = 1;
    json seconds = json::array();

    void warm_up() {
        run();
        double const once = std::max(1e-9, seconds_of(run, 1));
        times = static_cast<int>(std::clamp(2e-4 / once, 1., 1e5));
    }
    // It meets in the caches what it leaves there itself, not what another way does, which takes
    // the last one several runs (x + its transpose, 2048 x 2048: 6.0 ms after one, 2.7 after
    // three).
    void turn() {
        for (int i = 0; i < 3; ++i) run();
        seconds.push_back(seconds_of(run, times));
    }
};

json in_turns(std::vector<way> ways, budget const& b) {
    for (way& w : ways) w.warm_up();
    auto const start = clock::now();
    auto const spent = [&] { return std::chrono::duration<double>(clock::now() - start).count(); };
    for (int k = 0; k < b.least || (k < b.most && spent() < b.seconds); ++k) {
        for (way& w : ways) w.turn();
        std::reverse(ways.begin(), ways.end());  // so that each comes as often after each neighbour
    }
    json out;
    for (way& w : ways) out[w.name] = std::move(w.seconds);
    return out;
}

// KiB of memory that f reads or writes, as the kernel marks pages (of 2 MiB, where tensors are
// large); -1 where it does not say.
long touched_by(std::function<void()> const& f) {
    std::ofstream("/proc/self/clear_refs") << 1;
    f();
    std::ifstream pages("/proc/self/smaps_rollup");
    for (std::string word; pages >> word;) {
        long kib = 0;
        if (word == "Referenced:" && pages >> kib) return kib;
    }
    return -1;
}

}  // namespace

json timed(subject const& s, budget const& b) {
    if (!s.same()) throw felt::error("fused and unfused differ");
    json out = {{"shape", s.shape}, {"flops", s.flops}};
    out["bytes"] = {{"fused", s.bytes}, {"unfused", s.bytes_unfused}};
    out["touched"] = {{"fused", touched_by(s.fused)}, {"unfused", touched_by(s.unfused)}};
    std::vector<way> ways = {{"fused", s.fused}, {"unfused", s.unfused}};
    for (bench::peer const& p : s.peers) {
        if (!p.run) continue;
        p.run();
        if (s.same_of_peer(p)) ways.push_back({p.name, p.run});
        else out["wrong"].push_back(p.name);
    }
    out["seconds"] = in_turns(std::move(ways), b);
    out["planning"] = in_turns({{"plan", s.plan}}, {0, b.least, b.least, 1})["plan"];
    return out;
}

json timed_on_threads(subject const& s, budget const& b) {
    json out;
    for (int n = 2; n <= b.threads; n = n < b.threads ? std::min(2 * n, b.threads) : n + 1) {
        felt::threads(n);
        out[std::to_string(n)] = in_turns({{"fused", s.fused}, {"unfused", s.unfused}}, b);
    }
    felt::threads(1);
    return out;
}

json roofs(index_t largest) {
    json out = {{"flops", bench::flops_per_second<float>()}};
    for (index_t n = 1 << 11; n <= largest; n *= 4) {
        auto const rate = bench::bandwidth_of(n);
        out["bandwidth"].push_back({{"bytes", 8 * n}, {"copy", rate.copy}, {"read", rate.read}});
    }
    return out;
}

}  // namespace study
