// SPDX-License-Identifier: BSD-3-Clause
//
// A plan in words.
#pragma once
#include <felt/core/amounts.hpp>
#include <felt/plan/explain.hpp>
#include <felt/plan/5_hoisting/loop_counts.hpp>
#include <felt/plan/7_lowering/fast_paths.hpp>
#include <felt/plan/7_lowering/traffic.hpp>
#include <felt/plan/7_lowering/scalar_fallback.hpp>
#include <ostream>
#include <sstream>

namespace felt {

namespace planning {

namespace detail {

inline std::string shape(index_t const* extent, int rank) {
    return to_string(extent, static_cast<std::size_t>(rank));
}

using felt::detail::amount;
using felt::detail::bytes_text;

class printer {
public:
    printer(std::ostream& out, plan const& p) : out_(out), p_(p), g_(p.g), s_(p.s) {}

    void print() {
        for (pass_facts const& pass : s_.passes) {
            for (statement_id k : pass.statements()) statement(k, pass);
            if (g_.statements.size() > 1) group(pass);
        }
        totals();
    }

private:
    void group(pass_facts const& pass) {
        if (!pass.alone()) {
            out_ << "  these " << pass.last - pass.first << " in one pass, strips of " << pass.strip
                 << " along their common axis of " << pass.extent;
            if (pass.parts() > 1) out_ << parts(pass.parts());
            out_ << '\n';
        }
        if (pass.last < g_.statements.end_id()) {
            out_ << "  the next begins another pass: " << pass.why << '\n';
        }
    }

    static std::string parts(long n) {
        return ", in " + std::to_string(n) + " parts combined pairwise";
    }

    void statement(statement_id k, pass_facts const& pass) {
        destination const& to = g_[k];
        loop_nests const around(g_, s_, to.root, to.space, pass.alone() ? 0 : pass.strip);
        around_ = &around;
        out_ << "y " << shape(to.extent, to.rank) << " " << g_[to.root].type << " =\n";
        tree(to.root, "  ", "  ");
        if (pass.alone()) stage(k);
    }

    void tree(node_id id, std::string const& first, std::string const& rest) {
        node const& f = g_[id];
        out_ << first << f.name << ' ' << shape(f.extent, f.rank);
        if (is_reused(s_, id)) {
            out_ << "  [common sub-expression, computed above]\n";
            return;
        }
        note(id);
        out_ << '\n';
        for (node_id x : g_.operands(id)) {
            bool const last = g_[x].end == f.end;
            tree(x, rest + (last ? "`- " : "|- "), rest + (last ? "   " : "|  "));
        }
    }

    static std::string words_text(product_schedule const& p) {
        static constexpr char const* names[] = {"", "bfloat16", "int8", "uint8"};
        auto const name = [&](int side) { return names[static_cast<int>(p.factor[side])]; };
        bool const pairs = p.factor[0] == narrow_type::bfloat16;
        return std::string(pairs ? "two" : "four") + " terms at a time, of " + name(0) + " and " +
               name(1);
    }
    void note(node_id id) {
        node const& f = g_[id];
        placement const& how = s_[id];
        if (runs_by_element(g_, s_, id)) out_ << "  [runs element by element]";
        if (f.what == kind::leaf && f.space) {
            loop_id const lane = s_[f.space].lane;
            index_t const step = lane < 0 ? 0 : by_loop_of(g_, s_, id)[lane];
            if (step != 0 && step != 1) out_ << "  [transposed on the way in]";
        }
        if (f.what == kind::contract && s_[f.product].multiplies_words())
            out_ << "  [" << words_text(s_[f.product]) << "]";
        if (finds_rows(g_, s_, id)) out_ << "  [rows read where they lie]";
        if (how.kept_along >= 0) out_ << "  [loop-invariant: computed once for a block]";
        if (how.part > 0) {
            out_ << "  [computed first" << parts(parts_of(g_, s_, id)) << "]";
            return;
        }
        if (f.lie_along != nullptr) {
            index_t const bytes = elements_of(f) * f.value_bytes;
            out_ << "  [packed, " << bytes_text(bytes) << ", contiguous along axis " << how.along
                 << "]";
        }
        if (index_t const filters = filter_bytes(g_, s_, id); filters > 0) {
            out_ << "  [" << s_[f.product].fast.by->name << ", " << bytes_text(filters)
                 << " of transformed filters]";
        }
        if (f.what == kind::contract && s_[f.product].direct) {
            out_ << "  [written where it belongs, " << bytes_text(packed_bytes(g_, s_, id))
                 << " of operands packed]";
        } else if (how.by == way::scratch && how.reused != nullptr) {
            bool const own = how.reused == g_[statement_of(g_, id)].data;
            out_ << (own ? "  [kept in the destination]" : "  [kept in a later destination]");
        } else if (how.by == way::scratch) {
            out_ << "  [in scratch, " << bytes_text(footprint_of(g_, s_, id).bytes);
            double const times = around_->of(id).times;
            if (times > 1.001) {
                out_ << ", computed " << amount(times, "times", 1e9);
            } else if (how.slot != id && how.slot) {
                out_ << ", other boxes than the equal node above";
            }
            out_ << "]";
        }
        if (how.by == way::hoisted)
            out_ << "  [hoisted: computed first, as a whole: " << how.why << "]";
    }

    void stage(statement_id k) {
        loop_space const& in = g_[g_[k].space];
        loop_schedule const& how = s_[g_[k].space];
        out_ << "  one pass over " << shape(in.extent, in.rank);
        if (in.rank > 0) {
            out_ << " by blocks of " << shape(how.block, in.rank) << ", loops";
            for (int i = 0; i < in.rank; ++i) out_ << ' ' << how.order[i];
            out_ << ", lanes along axis " << how.lane;
        }
        out_ << '\n';
        statement_schedule const& of = s_[k];
        for (special_case const* c : of.special) {
            out_ << "  " << c->name << ": " << c->condition << '\n';
        }
        if (of.temporary) out_ << "  the result is kept aside and copied: it " << of.why << '\n';
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
    graph const& g_;
    schedule const& s_;
    loop_nests const* around_ = nullptr;  // the loops of the statement that is printed
};

}  // namespace detail

}  // namespace planning

}  // namespace felt
