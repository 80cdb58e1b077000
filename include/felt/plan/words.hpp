// SPDX-License-Identifier: BSD-3-Clause
//
// What there is to say of a plan: of a node, a statement, a pass, and of the whole. print.hpp
// writes it as text, plan_json.hpp for programs, plan_page.hpp as a page.
#pragma once
#include <felt/core/amounts.hpp>
#include <felt/plan/explain.hpp>
#include <felt/plan/5_hoisting/loop_counts.hpp>
#include <felt/plan/7_lowering/fast_paths.hpp>
#include <felt/plan/7_lowering/traffic.hpp>
#include <felt/plan/7_lowering/scalar_fallback.hpp>
#include <string>
#include <vector>

namespace felt::inline FELT_ABI::planning::detail {

using felt::detail::amount;
using felt::detail::bytes_text;

inline std::string shape(index_t const* extent, int rank) {
    return to_string(extent, static_cast<std::size_t>(rank));
}
inline std::string in_parts(long n) {
    return ", in " + std::to_string(n) + " parts combined pairwise";
}

// Of one statement of a plan.
class statement_words {
public:
    statement_words(plan const& p, statement_id k, pass_facts const& pass)
        : g_(p.g),
          s_(p.s),
          k_(k),
          around_(g_, s_, g_[k].root, g_[k].space, pass.alone() ? 0 : pass.strip) {}

    // How node id is computed, where that is not as its reader asks for it.
    std::vector<std::string> of(node_id id) const {
        if (is_reused(s_, id)) return {"common sub-expression, computed above"};
        node const& f = g_[id];
        placement const& how = s_[id];
        std::vector<std::string> notes;
        if (runs_by_element(g_, s_, id)) notes.emplace_back("runs element by element");
        if (is_transposed(id)) notes.emplace_back("transposed on the way in");
        if (f.what == kind::contract && s_[f.product].multiplies_words())
            notes.push_back(factors(s_[f.product]));
        if (finds_rows(g_, s_, id)) notes.emplace_back("rows read where they lie");
        if (how.kept_along >= 0) notes.emplace_back("loop-invariant: computed once for a block");
        if (how.part > 0) {
            notes.push_back("computed first" + in_parts(parts_of(g_, s_, id)));
            return notes;
        }
        if (f.lie_along != nullptr) {
            notes.push_back("packed, " + bytes_text(elements_of(f) * f.value_bytes) +
                            ", contiguous along axis " + std::to_string(how.along));
        }
        if (index_t const filters = filter_bytes(g_, s_, id); filters > 0) {
            notes.push_back(s_[f.product].fast.by->name + (", " + bytes_text(filters)) +
                            " of transformed filters");
        }
        if (std::string where = place(id); !where.empty()) notes.push_back(std::move(where));
        if (how.by == way::hoisted)
            notes.push_back("hoisted: computed first, as a whole: " + std::string(how.why));
        return notes;
    }

    // How the statement's own loops run.
    std::vector<std::string> of_loops() const {
        loop_space const& in = g_[g_[k_].space];
        loop_schedule const& how = s_[g_[k_].space];
        std::string pass = "one pass over " + shape(in.extent, in.rank);
        if (in.rank > 0) {
            pass += " by blocks of " + shape(how.block, in.rank) + ", loops";
            for (int i = 0; i < in.rank; ++i) pass += ' ' + std::to_string(how.order[i]);
            pass += ", lanes along axis " + std::to_string(how.lane);
        }
        std::vector<std::string> lines{pass};
        statement_schedule const& of = s_[k_];
        for (special_case const* c : of.special)
            lines.push_back(std::string(c->name) + ": " + c->condition);
        if (of.temporary)
            lines.push_back("the result is kept aside and copied: it " + std::string(of.why));
        return lines;
    }

private:
    bool is_transposed(node_id id) const {
        if (g_[id].what != kind::leaf || !g_[id].space) return false;
        loop_id const lane = s_[g_[id].space].lane;
        index_t const step = lane < 0 ? 0 : by_loop_of(g_, s_, id)[lane];
        return step != 0 && step != 1;
    }
    static std::string factors(product_schedule const& p) {
        static constexpr char const* names[] = {"", "bfloat16", "int8", "uint8"};
        auto const name = [&](int side) { return names[static_cast<int>(p.factor[side])]; };
        bool const pairs = p.factor[0] == narrow_type::bfloat16;
        return std::string(pairs ? "two" : "four") + " terms at a time, of " + name(0) + " and " +
               name(1);
    }
    // Where the values of a node that has boxes are.
    std::string place(node_id id) const {
        node const& f = g_[id];
        placement const& how = s_[id];
        if (f.what == kind::contract && s_[f.product].direct) {
            return "written where it belongs, " + bytes_text(packed_bytes(g_, s_, id)) +
                   " of operands packed";
        }
        if (how.by != way::scratch) return {};
        if (how.reused != nullptr) {
            bool const own = how.reused == g_[statement_of(g_, id)].data;
            return own ? "kept in the destination" : "kept in a later destination";
        }
        std::string text = "in scratch, " + bytes_text(footprint_of(g_, s_, id).bytes);
        double const times = around_.of(id).times;
        if (times > 1.001) text += ", computed " + amount(times, "times", 1e9);
        else if (how.slot != id && how.slot) text += ", other boxes than the equal node above";
        return text;
    }

    graph const& g_;
    schedule const& s_;
    statement_id k_;
    loop_nests around_;
};

// Of a pass of several statements, and why the next ones are not in it.
inline std::vector<std::string> words_of(graph const& g, pass_facts const& pass) {
    std::vector<std::string> lines;
    if (!pass.alone()) {
        std::string text = "these " + std::to_string(pass.last - pass.first) +
                           " in one pass, strips of " + std::to_string(pass.strip) +
                           " along their common axis of " + std::to_string(pass.extent);
        if (pass.parts() > 1) text += in_parts(pass.parts());
        lines.push_back(std::move(text));
    }
    if (pass.last < g.statements.end_id())
        lines.push_back("the next begins another pass: " + pass.why);
    return lines;
}

// Of all of it: what it writes beside the destinations, computes and moves.
inline std::vector<std::string> totals_of(plan const& p) {
    std::vector<std::string> lines;
    auto const list = p.intermediates();
    if (list.empty()) lines.emplace_back("intermediates: none");
    for (intermediate const& i : list)
        lines.push_back("intermediate: " + i.name + ", " + bytes_text(i.bytes) + ": " + i.why);
    double const flops = static_cast<double>(p.flops());
    double const bytes = static_cast<double>(p.bytes());
    lines.push_back("operations: " + amount(flops, "flop", 1000) + ", bytes: " +
                    bytes_text(p.bytes()) + " fused, " + bytes_text(p.bytes_unfused()) +
                    " unfused, " + amount(bytes > 0 ? flops / bytes : 0, "flop per byte", 1e9));
    return lines;
}

}  // namespace felt::inline FELT_ABI::planning::detail
