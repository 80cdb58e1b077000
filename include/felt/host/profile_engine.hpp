// SPDX-License-Identifier: BSD-3-Clause
//
// What a profile keeps and says, whatever the statements are.
#pragma once
#include <felt/host/profile.hpp>
#include <felt/plan/plan_engine.hpp>
#include <algorithm>
#include <iomanip>

namespace felt::inline FELT_ABI {

FELT_ONCE double profiled::keep(host::watch const& of, double time) {
    if (seconds_.all > 0 && time >= seconds_.all) return time;
    seconds_.all = time;
    seconds_.of_node = {};
    for (planning::node_id id : plan_.g.nodes.ids()) seconds_.of_node.add(of.seconds(id));
    return time;
}

FELT_ONCE std::string profiled::json() const {
    return planning::detail::json_writer(plan_, &seconds_).text();
}
FELT_ONCE std::string profiled::html() const {
    return planning::detail::page_writer(plan_, &seconds_).text();
}

FELT_ONCE std::ostream& operator<<(std::ostream& out, profiled const& p) {
    struct line {
        double seconds;
        std::string name;
    };
    std::vector<line> lines;
    double rest = p.seconds_.all;
    for (planning::node_id id : p.plan_.g.nodes.ids()) {
        double const t = p.seconds_.of(id);
        planning::node const& f = p.plan_.g[id];
        if (t > 0)
            lines.push_back(
                {t, std::string(f.name) + ' ' + planning::detail::shape(f.extent, f.rank)});
        rest -= t;
    }
    lines.push_back({std::max(rest, 0.0), "the statements' own loops"});
    std::sort(lines.begin(), lines.end(),
              [](line const& a, line const& b) { return a.seconds > b.seconds; });
    out << p.plan_ << "time: " << detail::duration_text(p.seconds_.all) << '\n';
    for (line const& l : lines) {
        out << std::setw(6) << static_cast<int>(100 * l.seconds / p.seconds_.all + 0.5) << " %  "
            << l.name << '\n';
    }
    return out;
}

}  // namespace felt::inline FELT_ABI
