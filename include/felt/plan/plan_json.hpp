// SPDX-License-Identifier: BSD-3-Clause
//
// A plan as JSON, with what its stages took if it was profiled.
//
//   {"statements": [{"type": "float", "shape": [300, 500], "bytes": 600000, "pass": 0,
//                    "loops": ["one pass over .."], "root": {node}}, ..],
//    "passes": ["these 2 in one pass .."], "intermediates": [{"name", "bytes", "why"}],
//    "flops": n, "bytes": n, "bytes_unfused": n, "seconds": t}
//
// and a node is {"name", "type", "shape", "placed": "streamed", "scratch" or "hoisted", "bytes": of
// a leaf, of a box or of a whole value, "notes": [..], "seconds": t, "operands": [{node}, ..]}.
// Only a profile has seconds.
#pragma once
#include <felt/plan/stage_seconds.hpp>
#include <felt/plan/words.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

inline std::string json_string(std::string const& text) {
    std::string all = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') all += '\\';
        all += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return all + '"';
}

// The bytes of a node that has memory: of a leaf, of its box, or of all of it; of others none.
inline index_t bytes_held(plan const& p, node_id id) {
    node const& f = p.g[id];
    if (f.what == kind::leaf) return leaf_bytes(p.g, p.s, id);
    if (p.s[id].by == way::streamed || is_reused(p.s, id)) return 0;
    if (p.s[id].by == way::hoisted) return elements_of(f) * f.value_bytes;
    return product(p.s[id].held, f.rank) * f.value_bytes;
}

class json_writer {
public:
    json_writer(plan const& p, stage_seconds const* took) : p_(p), took_(took) {}

    std::string text() const {
        std::vector<std::string> statements, passes, intermediates;
        int number = 0;
        for (pass_facts const& pass : p_.s.passes) {
            for (statement_id k : pass.statements())
                statements.push_back(statement(k, pass, number));
            for (std::string const& line : words_of(p_.g, pass))
                passes.push_back(json_string(line));
            ++number;
        }
        for (intermediate const& i : p_.intermediates()) {
            intermediates.push_back("{\"name\": " + json_string(i.name) +
                                    ", \"bytes\": " + std::to_string(i.bytes) +
                                    ", \"why\": " + json_string(i.why) + "}");
        }
        std::string all = "{\"statements\": " + list(statements) + ", \"passes\": " + list(passes) +
                          ", \"intermediates\": " + list(intermediates) +
                          ", \"flops\": " + std::to_string(p_.flops()) +
                          ", \"bytes\": " + std::to_string(p_.bytes()) +
                          ", \"bytes_unfused\": " + std::to_string(p_.bytes_unfused());
        if (took_ != nullptr) all += ", \"seconds\": " + number_text(took_->all);
        return all + "}";
    }

private:
    static std::string list(std::vector<std::string> const& of) {
        std::string all = "[";
        for (std::string const& one : of) all += (all.size() > 1 ? ", " : "") + one;
        return all + "]";
    }
    static std::string string_list(std::vector<std::string> of) {
        for (std::string& one : of) one = json_string(one);
        return list(of);
    }
    static std::string extents(index_t const* extent, int rank) {
        std::vector<std::string> of;
        for (int a = 0; a < rank; ++a) of.push_back(std::to_string(extent[a]));
        return list(of);
    }
    static std::string number_text(double seconds) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", seconds);
        return text;
    }

    std::string statement(statement_id k, pass_facts const& pass, int number) const {
        destination const& to = p_.g[k];
        statement_words const words(p_, k, pass);
        return "{\"type\": " + json_string(p_.g[to.root].type) +
               ", \"shape\": " + extents(to.extent, to.rank) +
               ", \"bytes\": " + std::to_string(destination_bytes(to)) +
               ", \"pass\": " + std::to_string(number) +
               ", \"loops\": " + string_list(words.of_loops()) +
               ", \"root\": " + node_text(words, to.root) + "}";
    }

    std::string node_text(statement_words const& words, node_id id) const {
        static constexpr char const* placed[] = {"streamed", "scratch", "hoisted"};
        node const& f = p_.g[id];
        std::vector<std::string> operands;
        if (!is_reused(p_.s, id)) {
            for (node_id x : p_.g.operands(id)) operands.push_back(node_text(words, x));
        }
        std::string all = "{\"name\": " + json_string(f.name) +
                          ", \"type\": " + json_string(f.type) +
                          ", \"shape\": " + extents(f.extent, f.rank) +
                          ", \"placed\": " + json_string(placed[static_cast<int>(p_.s[id].by)]) +
                          ", \"bytes\": " + std::to_string(bytes_held(p_, id)) +
                          ", \"notes\": " + string_list(words.of(id));
        if (took_ != nullptr) all += ", \"seconds\": " + number_text(took_->of(id));
        return all + ", \"operands\": " + list(operands) + "}";
    }

    plan const& p_;
    stage_seconds const* took_;
};

}  // namespace detail

}  // namespace felt::inline FELT_ABI::planning
