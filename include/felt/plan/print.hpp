// SPDX-License-Identifier: BSD-3-Clause
//
// A plan in words.
#pragma once
#include <felt/plan/explain.hpp>
#include <felt/plan/numbers.hpp>
#include <felt/plan/scalar.hpp>
#include <ostream>
#include <sstream>

namespace felt {

namespace planning {

namespace detail {

inline std::string shape(index_t const* extent, int rank) {
    return to_string(extent, static_cast<std::size_t>(rank));
}

// 1536 as "1.5 KiB".
inline std::string amount(double n, char const* unit, double step) {
    char const* const prefix[] = {"", "Ki", "Mi", "Gi", "Ti"};
    char const* const thousand[] = {"", "k", "M", "G", "T"};
    int i = 0;
    for (; n >= step && i < 4; ++i) n /= step;
    std::ostringstream text;
    text.precision(n < 10 && i > 0 ? 2 : 3);
    if (n >= 1000) text << static_cast<long>(n);
    else text << n;
    text << ' ' << (step > 1000 ? prefix[i] : thousand[i]) << unit;
    return text.str();
}
inline std::string bytes_text(index_t n) { return amount(static_cast<double>(n), "B", 1024); }

inline std::string labels_of(node_facts const& f, int side, int rank) {
    std::string text;
    for (int a = 0; a < rank; ++a) text += static_cast<char>('i' + f.label[side][a]);
    return text;
}

class printer {
public:
    printer(std::ostream& out, plan const& p) : out_(out), p_(p) {}

    void print() {
        for (pass_facts const& pass : p_.pass) {
            for (int k = pass.first; k < pass.last; ++k) {
                statement(p_.statement[static_cast<std::size_t>(k)], pass.strip > 0);
            }
            if (p_.statement.size() > 1) group(pass);
        }
        totals();
    }

private:
    void group(pass_facts const& pass) {
        if (pass.strip > 0) {
            out_ << "  these " << pass.last - pass.first << " in one pass, strips of " << pass.strip
                 << " along their common axis of " << pass.extent;
            if (pass.parts() > 1) out_ << parts(pass.parts());
            out_ << '\n';
        }
        if (pass.last < static_cast<int>(p_.statement.size())) {
            out_ << "  the next begins another pass: " << pass.why << '\n';
        }
    }

    static std::string parts(long n) {
        return ", by " + std::to_string(n) + " parts that meet pairwise";
    }

    void statement(statement_facts const& to, bool strips) {
        node_facts const& root = p_.at(to.root);
        out_ << "y " << shape(to.extent, to.rank) << " " << root.type << " =\n";
        tree(to.root, "  ", "  ");
        if (!strips) stage(to);
    }

    void tree(int id, std::string const& first, std::string const& rest) {
        node_facts const& f = p_.at(id);
        out_ << first << f.name << ' ' << shape(f.extent, f.rank);
        if (is_held_by_twin(p_, id)) {
            out_ << "  [computed once with its twin above]\n";
            return;
        }
        note(id);
        out_ << '\n';
        for (int x = id + 1; x < f.end; x = p_.at(x).end) {
            bool const last = p_.at(x).end == f.end;
            tree(x, rest + (last ? "`- " : "|- "), rest + (last ? "   " : "|  "));
        }
    }

    void note(int id) {
        node_facts const& f = p_.at(id);
        if (runs_by_element(p_, id)) out_ << "  [runs element by element]";
        if (f.what == kind::leaf && f.space >= 0) {
            int const lane = p_.loop(f.space).lane;
            index_t const step = lane < 0 ? 0 : f.by_loop[lane];
            if (step != 0 && step != 1) out_ << "  [transposed on the way in]";
        }
        if (f.kept_along >= 0) out_ << "  [computed once for a block]";
        if (f.part > 0) {
            out_ << "  [computed first" << parts(parts_of(p_, id)) << "]";
            return;
        }
        if (f.lie_along != nullptr) {
            index_t bytes = f.value_bytes;
            for (int a = 0; a < f.rank; ++a) bytes *= f.extent[a];
            out_ << "  [packed, " << bytes_text(bytes) << ", contiguous along axis " << f.along
                 << "]";
        }
        if (f.direct) {
            out_ << "  [written where it belongs, " << bytes_text(f.scratch_bytes)
                 << " of operands packed]";
        } else if (f.by == way::scratch && f.home != nullptr) {
            auto const k = static_cast<std::size_t>(detail::statement_of(p_, id));
            bool const own = f.home == p_.statement[k].data;
            out_ << (own ? "  [kept in the destination]" : "  [kept in a later destination]");
        } else if (f.by == way::scratch) {
            out_ << "  [in scratch, " << bytes_text(f.scratch_bytes);
            if (f.recompute > 1.001) {
                out_ << ", computed " << amount(f.recompute, "times", 1e9);
            } else if (f.slot != id && f.slot >= 0) {
                out_ << ", other boxes than its twin above";
            }
            out_ << "]";
        }
        if (f.by == way::hoisted) out_ << "  [computed first, as a whole: " << f.why << "]";
    }

    void stage(statement_facts const& to) {
        loop_space const& in = p_.loop(to.space);
        out_ << "  one pass over " << shape(in.extent, in.rank);
        if (in.rank > 0) {
            out_ << " by blocks of " << shape(in.block, in.rank) << ", loops";
            for (int i = 0; i < in.rank; ++i) out_ << ' ' << in.order[i];
            out_ << ", lanes along axis " << in.lane;
        }
        out_ << '\n';
        for (special_case const* s : to.special) {
            out_ << "  " << s->name << ": " << s->condition << '\n';
        }
        if (to.temporary) out_ << "  the result is kept aside and copied: it " << to.why << '\n';
    }

    void totals() {
        auto const list = p_.intermediates();
        if (list.empty()) out_ << "intermediates: none\n";
        for (intermediate const& i : list) {
            out_ << "intermediate: " << i.name << ", " << bytes_text(i.bytes) << ": " << i.why
                 << '\n';
        }
        double const flops = static_cast<double>(p_.flops());
        double const bytes = static_cast<double>(p_.bytes());
        out_ << "operations: " << amount(flops, "flop", 1000)
             << ", bytes: " << bytes_text(p_.bytes()) << " fused, "
             << bytes_text(p_.bytes_unfused()) << " unfused, "
             << amount(bytes > 0 ? flops / bytes : 0, "flop per byte", 1e9) << '\n';
    }

    std::ostream& out_;
    plan const& p_;
};

}  // namespace detail

}  // namespace planning

}  // namespace felt
