// SPDX-License-Identifier: BSD-3-Clause
//
// felt_study [--quick] [PART OF A NAME]: measures the statements of the study and prints JSON.
// `./run study` draws it.
#if defined(_OPENMP)
#include <omp.h>
#endif
#include "../program.hpp"
#include "timing.hpp"
#include <nlohmann/json.hpp>
#include <iostream>
#include <thread>

namespace {

using nlohmann::json;
using study::index_t;

json measured(study::statement const& s, study::budget const& b, bool quick) {
    if (s.at.empty() || s.at.front() < 1) throw felt::error("its values must be 1 or more");
    json out = {{"name", s.name}, {"formula", s.formula}, {"axis", s.axis}};
    index_t const last = quick && s.at.size() > 3 ? s.at[s.at.size() - 2] : s.at.back();
    for (index_t const n : s.at) {
        if (n > last) break;
        study::trial t([&](study::subject const& of) {
            json point = study::timed(of, b);
            point["at"] = n;
            if (n == last && b.threads > 1) point["threads"] = study::timed_on_threads(of, b);
            out["points"].push_back(std::move(point));
        });
        s.measure(t, n);
    }
    std::cerr << s.name << std::endl;
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    bench::set_peers_alone(argv);
    bool quick = false;
    std::string part;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--quick") quick = true;
        else part = argv[i];
    }
#if defined(_OPENMP)
    omp_set_num_threads(1);  // of peers: Felt has its own number
#endif
    felt::threads(1);
    int const cores = static_cast<int>(std::thread::hardware_concurrency());
    study::budget const b =
        quick ? study::budget{0.15, 7, 25, cores} : study::budget{0.5, 9, 49, cores};
    auto statements = study::statement::all();
    std::sort(statements.begin(), statements.end(),
              [](auto const* a, auto const* c) { return a->name < c->name; });
    json out = {{"instructions", xsimd::default_arch::name()},
                {"peers_missing", bench::peers_missing()},
                {"roofs", study::roofs(quick ? 1 << 25 : 1 << 27)}};
    for (study::statement const* s : statements) {
        if (s->name.find(part) == std::string::npos) continue;
        try {
            out["statements"].push_back(measured(*s, b, quick));
        } catch (std::exception const& e) {
            std::cerr << "felt_study: " << s->name << ": " << e.what() << '\n';
            return 1;
        }
    }
    std::cout << out.dump(1) << '\n';
}
