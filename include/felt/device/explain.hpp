// SPDX-License-Identifier: BSD-3-Clause
//
// explain(s...) on the device: the launches of a group of statements, in words. It prints the
// object that run() executes.
#pragma once
#include <felt/device/run.hpp>
#include <felt/plan/print.hpp>

namespace felt::inline FELT_ABI {

namespace device {

namespace detail {

using planning::detail::bytes_text;
using planning::detail::elements_of;
using planning::detail::shape;

inline index_t node_bytes(planning::node const& f) { return elements_of(f) * f.value_bytes; }

// Whether an earlier node of the launch is the same leaf.
inline bool is_read_before(plan const& p, std::vector<node_id> const& live, std::size_t i) {
    planning::node const& f = p.g[live[i]];
    return std::any_of(live.begin(), live.begin() + static_cast<std::ptrdiff_t>(i), [&](node_id x) {
        return planning::detail::same_memory(f, p.g[x]) &&
               std::equal(f.extent, f.extent + f.rank, p.g[x].extent);
    });
}

class printer {
public:
    printer(std::ostream& out, plan const& p) : out_(out), p_(p) {}

    void print() {
        for (pass_facts const& pass : p_.pass) {
            for (statement_id k : pass.statements()) statement(k);
            if (pass.last - pass.first > 1) {
                out_ << "  these " << pass.last - pass.first << " in one launch\n";
            }
            if (pass.last < p_.g.statements.end_id()) {
                out_ << "  the next begins another launch: " << pass.why << '\n';
            }
        }
        out_ << "launches:\n";
        for (launch_id i : p_.launch.ids()) launch(i);
        totals();
    }

private:
    void statement(statement_id k) {
        destination const& to = p_.g[k];
        out_ << "y " << shape(to.extent, to.rank) << ' ' << p_.g[to.root].type << " =\n";
        tree(to.root, "  ", "  ");
    }

    void tree(node_id id, std::string const& first, std::string const& rest) {
        planning::node const& f = p_.g[id];
        placement const& how = p_[id];
        out_ << first << f.name << ' ' << shape(f.extent, f.rank);
        if (how.launch) out_ << "  [launch " << how.launch.number() + 1;
        if (how.slot != id) {
            out_ << ", a common sub-expression, see above]\n";
            return;
        }
        out_ << (how.launch ? "]\n" : "\n");
        for (node_id x : p_.g.operands(id)) {
            bool const last = p_.g[x].end == f.end;
            tree(x, rest + (last ? "`- " : "|- "), rest + (last ? "   " : "|  "));
        }
    }

    void launch(launch_id i) {
        launch_facts const& l = p_.launch[i];
        out_ << "  " << i.number() + 1 << ". " << (l.node ? p_.g[l.node].name : "y");
        for (int k = 1; k < l.last - l.first; ++k) out_ << ", y";
        out_ << ": " << words(l) << "; " << bytes_text(p_.bytes_read(l)) << " read, "
             << bytes_text(p_.bytes_written(l)) << " written\n";
    }

    std::string words(launch_facts const& l) const {
        walk const& w = l.loops;
        std::string const n = std::to_string(w.size());
        switch (l.how) {
            case form::transform:
                return "transform of " + n + " elements in contiguous memory";
            case form::loops:
                return "kernel over " + loops(w);
            case form::whole:
                return "reduction of " + n + " terms";
            case form::rows:
                return "reduction of " + std::to_string(results(w)) + " rows of " +
                       std::to_string(w.size() / results(w));
            case form::parts:
                return std::to_string(results(w)) + " results by parts of " +
                       std::to_string(l.part) + " terms";
            case form::lines:
                return "a thread for each line across axis " + std::to_string(axis(p_.g[l.node]));
            default:
                return "tile program";
        }
    }
    static int axis(planning::node const& f) { return f.whole >= 0 ? f.whole : f.axis; }
    static index_t results(walk const& w) {
        index_t n = 1;
        for (int loop = 0; loop < w.kept; ++loop) n *= w.extent[loop];
        return n;
    }
    // Those of more than one index.
    static std::string loops(walk const& w) {
        int first = 0;
        while (first < w.rank && w.extent[first] == 1) ++first;
        return shape(w.extent + first, w.rank - first);
    }

    void totals() {
        bool some = false;
        index_t read = 0, written = 0;
        for (launch_facts const& l : p_.launch) {
            read += p_.bytes_read(l);
            written += p_.bytes_written(l);
            if (l.first) continue;
            some = true;
            out_ << "intermediate: " << p_.g[l.node].name << ", "
                 << bytes_text(node_bytes(p_.g[l.node])) << ": " << l.why << '\n';
        }
        if (!some) out_ << "intermediates: none\n";
        out_ << "bytes: " << bytes_text(read) << " read, " << bytes_text(written) << " written\n";
    }

    std::ostream& out_;
    plan const& p_;
};

inline void print(std::ostream& out, plan const& p) {
    if (p.by_host.empty()) printer(out, p).print();
    else out << "by the host's loops, over the same memory:\n" << p.by_host;
}

}  // namespace detail

inline index_t plan::temporary_bytes() const {
    index_t n = 0;
    for (launch_facts const& l : launch) {
        if (!l.first) n += detail::node_bytes(g[l.node]);
    }
    return n;
}

// Each leaf once, and what was computed before.
inline index_t plan::bytes_read(launch_facts const& l) const {
    index_t n = 0;
    for (std::size_t i = 0; i < l.live.size(); ++i) {
        node_id const id = l.live[i];
        planning::node const& f = g[id];
        if (f.what == kind::leaf && !detail::is_read_before(*this, l.live, i)) {
            n += planning::detail::leaf_bytes(g, {}, id);  // none is packed, and asks a schedule
        }
        if (id != l.node && nodes[id].launch) n += detail::node_bytes(f);
    }
    return n;
}

inline index_t plan::bytes_written(launch_facts const& l) const {
    index_t n = l.first ? 0 : detail::node_bytes(g[l.node]);
    for (statement_id k : l.statements()) n += planning::detail::destination_bytes(g[k]);
    return n;
}

inline std::ostream& operator<<(std::ostream& out, plan const& p) {
    apart<&detail::print>::call(out, p);
    return out;
}

}  // namespace device

// The plan of statements on the device: print it, or ask it for its launches.
template <class... T, std::size_t... R, class... Sp, class... E>
    requires(sizeof...(E) > 0) && statements_are_on_the_device<Sp...>
[[nodiscard]] device::plan explain(statement<T, R, Sp, E> const&... s) {
    if constexpr (device::run_by_host<lowered<E>...>) {
        device::plan p;
        std::ostringstream text;
        text << explain(in_space<Host>(s)...);
        p.by_host = text.str();
        return p;
    } else {
        return device::make_plan(fused, lower(s)...);
    }
}

}  // namespace felt::inline FELT_ABI
