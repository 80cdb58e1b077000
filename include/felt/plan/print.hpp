// SPDX-License-Identifier: BSD-3-Clause
//
// A plan as text.
#pragma once
#include <felt/plan/words.hpp>
#include <ostream>

namespace felt::inline FELT_ABI::planning::detail {

class printer {
public:
    printer(std::ostream& out, plan const& p) : out_(out), p_(p) {}

    void print() {
        for (pass_facts const& pass : p_.s.passes) {
            for (statement_id k : pass.statements()) statement(k, pass);
            if (p_.g.statements.size() > 1) lines("  ", words_of(p_.g, pass));
        }
        lines("", totals_of(p_));
    }

private:
    void lines(char const* indent, std::vector<std::string> const& all) {
        for (std::string const& line : all) out_ << indent << line << '\n';
    }

    void statement(statement_id k, pass_facts const& pass) {
        destination const& to = p_.g[k];
        statement_words const words(p_, k, pass);
        out_ << "y " << shape(to.extent, to.rank) << " " << p_.g[to.root].type << " =\n";
        tree(words, to.root, "  ", "  ");
        if (pass.alone()) lines("  ", words.of_loops());
    }

    void tree(statement_words const& words, node_id id, std::string const& first,
              std::string const& rest) {
        node const& f = p_.g[id];
        out_ << first << f.name << ' ' << shape(f.extent, f.rank);
        for (std::string const& note : words.of(id)) out_ << "  [" << note << ']';
        out_ << '\n';
        if (is_reused(p_.s, id)) return;
        for (node_id x : p_.g.operands(id)) {
            bool const last = p_.g[x].end == f.end;
            tree(words, x, rest + (last ? "`- " : "|- "), rest + (last ? "   " : "|  "));
        }
    }

    std::ostream& out_;
    plan const& p_;
};

}  // namespace felt::inline FELT_ABI::planning::detail
