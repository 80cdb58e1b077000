// SPDX-License-Identifier: BSD-3-Clause
//
// A plan as a page for a browser, of which nothing is anywhere else: the tree of each statement,
// every node in the colour of the pass that computes it, with the bytes that it holds, and what it
// took if it was profiled.
#pragma once
#include <felt/plan/plan_json.hpp>

namespace felt::inline FELT_ABI::planning::detail {

inline constexpr char const* page_head = R"(<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A plan of Felt</title>
<style>
:root { color-scheme: light dark; --text: #1c1c1c; --back: #fff; --line: #bbb; --quiet: #5c5c5c; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e6e6; --back: #161616; --line: #555; --quiet: #a0a0a0; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
  max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; }
ul { list-style: none; margin: 0; padding-left: 1.1rem; border-left: 1px solid var(--line); }
li { margin: .25rem 0; overflow-wrap: anywhere; }
b { border-left: .6rem solid var(--pass); padding-left: .4rem; }
small { color: var(--quiet); }
meter { width: 6rem; vertical-align: middle; }
.key span { border-left: .6rem solid var(--pass); padding: 0 .8rem 0 .4rem; white-space: nowrap; }
</style>
)";

inline std::string escaped(std::string const& text) {
    std::string all;
    for (char const c : text) {
        if (c == '&') all += "&amp;";
        else if (c == '<') all += "&lt;";
        else if (c == '>') all += "&gt;";
        else if (c == '"') all += "&quot;";
        else all += c;
    }
    return all;
}

class page_writer {
public:
    page_writer(plan const& p, stage_seconds const* took) : p_(p), took_(took) {}

    std::string text() {
        for (pass_facts const& pass : p_.s.passes) {
            for (statement_id k : pass.statements()) statement(k, pass);
            for (std::string const& line : words_of(p_.g, pass)) paragraph(line);
        }
        for (std::string const& line : totals_of(p_)) paragraph(line);
        if (took_ != nullptr) paragraph("measured: " + felt::detail::duration_text(took_->all));
        return std::string(page_head) + body_ + "</html>\n";
    }

private:
    // Okabe and Ito's colours, which people see apart however they see colours.
    static std::string colour(int pass) {
        static constexpr char const* all[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                              "#56b4e9", "#d55e00", "#f0e442"};
        return std::string("style=\"--pass: ") + all[pass % 7] + "\"";
    }

    void paragraph(std::string const& text) { body_ += "<p>" + escaped(text) + "</p>\n"; }

    void statement(statement_id k, pass_facts const& pass) {
        destination const& to = p_.g[k];
        statement_words const words(p_, k, pass);
        passes_ = {"the statement's loops"};
        body_ += "<h2>y " + shape(to.extent, to.rank) + ' ' + p_.g[to.root].type + "</h2>\n<ul>\n";
        tree(words, to.root, 0);
        body_ += "</ul>\n<p class=\"key\">";
        for (std::size_t i = 0; i < passes_.size(); ++i)
            body_ +=
                "<span " + colour(static_cast<int>(i)) + ">" + escaped(passes_[i]) + "</span> ";
        body_ += "</p>\n";
        for (std::string const& line : words.of_loops()) paragraph(line);
    }

    void tree(statement_words const& words, node_id id, int pass) {
        node const& f = p_.g[id];
        bool const first = p_.s[id].by == way::hoisted || p_.s[id].part > 0;
        if (first && !is_reused(p_.s, id)) {
            pass = static_cast<int>(passes_.size());
            passes_.push_back("first: " + std::string(f.name) + ' ' + shape(f.extent, f.rank));
        }
        body_ += "<li><b " + colour(pass) + ">" + escaped(f.name) + "</b> " +
                 shape(f.extent, f.rank) + ' ' + figures(id);
        for (std::string const& note : words.of(id))
            body_ += " <small>" + escaped(note) + "</small>";
        if (!is_reused(p_.s, id) && f.end > id + 1) {
            body_ += "\n<ul>\n";
            for (node_id x : p_.g.operands(id)) tree(words, x, pass);
            body_ += "</ul>";
        }
        body_ += "</li>\n";
    }

    std::string figures(node_id id) const {
        index_t const bytes = bytes_held(p_, id);
        std::string text = bytes > 0 ? bytes_text(bytes) : "";
        double const t = took_ != nullptr ? took_->of(id) : 0;
        if (t <= 0) return text;
        char share[64];
        std::snprintf(share, sizeof share, " <meter value=\"%.3f\"></meter> %.0f %% ",
                      t / took_->all, 100 * t / took_->all);
        return text + share + felt::detail::duration_text(t);
    }

    plan const& p_;
    stage_seconds const* took_;
    std::string body_;
    std::vector<std::string> passes_;  // of a statement
};

}  // namespace felt::inline FELT_ABI::planning::detail
