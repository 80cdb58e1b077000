// SPDX-License-Identifier: BSD-3-Clause
//
// The plans of the statements that this thread ran last. A loop that meets a statement of the same
// type over the same memory again finds its plan without a description of it: node by node, what it
// has of its own is compared with a copy. (recent_plans.hpp has many more, by what takes longer.)
#pragma once
#include <felt/plan/plan.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace felt::inline FELT_ABI::planning::detail {

// One plan, and the statements that it is of.
class latest_plan {
public:
    bool in_use = false;
    std::uint64_t last_used = 0;

    plan& get() { return p_; }

    // Statements that own memory are not kept, nor is what is copied for a plan; nor, where
    // lifetimes are checked, those of memory that has an owner, for a description checks that.
    static bool may_be_kept(any_statement const* s, std::size_t count) {
        std::size_t bytes = 0;
        for (std::size_t k = 0; k < count; ++k) {
            if (s[k].size == 0 || s[k].owner != 0) return false;
            bytes += s[k].size;
        }
        return bytes <= most_bytes;
    }

    FELT_PLANNING void keep(any_statement const* s, std::size_t count, plan p) {
        p_ = std::move(p);
        p_.keep.reset();  // who runs it has its statements
        seen_.clear(), parts_.clear();
        if (!fits(p_.g)) return;
        std::size_t offset = 0;
        for (std::size_t k = 0; k < count; ++k) {
            seen_.push_back({s[k], {}, {}, offset});
            std::copy(s[k].extent, s[k].extent + s[k].rank, seen_[k].extent);
            std::copy(s[k].stride, s[k].stride + s[k].rank, seen_[k].stride);
            offset += (s[k].size + aligned - 1) / aligned * aligned;
        }
        copy_.clear();
        copy_.grow(offset);
        for (seen const& x : seen_) std::memcpy(at(x.offset), x.what.self, x.what.size);
        for (statement_id k : p_.g.statements.ids()) {
            for (node_id id : p_.g.nodes_of(k)) {
                part const x = part_of(id, k);
                bool const inside =
                    x.offset >= 0 && static_cast<std::size_t>(x.offset) < s[k.index()].size;
                if (!inside) return seen_.clear();
                parts_.push_back(x);
            }
        }
    }

    // Whether these are statements of the same types, over the same memory. The plan is theirs
    // then.
    FELT_PLANNING bool is_of(any_statement const* s, std::size_t count,
                             algorithm_choice const& choice) {
        if (seen_.size() != count) return false;
        if (choice.exact != p_.g.choice.exact || choice.only != p_.g.choice.only) return false;
        for (std::size_t k = 0; k < count; ++k) {
            if (!same_destination(seen_[k], s[k])) return false;
        }
        for (part const& x : parts_) {
            void const* const mine = static_cast<char const*>(s[x.statement].self) + x.offset;
            if (!x.same(mine, at(seen_[x.statement].offset) + x.offset) && !x.differs) return false;
        }
        for (statement_id k : p_.g.statements.ids()) move_to(k, s[k.index()].self);
        return true;
    }

private:
    static constexpr std::size_t most_bytes = 4096, most_nodes = 32;
    static constexpr std::size_t aligned = alignof(std::max_align_t);

    struct seen {
        any_statement what;
        index_t extent[max_axes], stride[max_axes];
        std::size_t offset;  // of its copy
    };
    // A node: where it is in its statement. What it has of its own may be another number or
    // functor, if no other node of the type could be equal to it.
    struct part {
        std::size_t statement;
        std::ptrdiff_t offset;
        bool (*same)(void const*, void const*);
        bool differs;
    };

    char* at(std::size_t offset) { return static_cast<char*>(copy_.data()) + offset; }

    static bool fits(graph const& g) {
        for (node_id id : g.nodes.ids()) {
            if (g[id].lie_along != nullptr || g[id].owner != 0) return false;
        }
        return g.nodes.size() <= most_nodes;
    }
    part part_of(node_id id, statement_id k) const {
        node const& f = p_.g[id];
        bool alone = f.what == kind::scalar || f.what == kind::map;
        for (node_id x : p_.g.nodes.ids()) alone = alone && (x == id || p_.g[x].mark != f.mark);
        auto const* const begin = static_cast<char const*>(seen_[k.index()].what.self);
        return {k.index(), static_cast<char const*>(f.self) - begin, f.same, alone};
    }
    static bool same_destination(seen const& a, any_statement const& b) {
        any_statement const& x = a.what;
        return x.add == b.add && x.data == b.data && x.no_alias == b.no_alias &&
               std::equal(b.extent, b.extent + b.rank, a.extent) &&
               std::equal(b.stride, b.stride + b.rank, a.stride);
    }

    // The nodes of statement k are at another place now, with what they hold.
    void move_to(statement_id k, void const* self) {
        auto const* const from = static_cast<char const*>(seen_[k.index()].what.self);
        auto const* const to = static_cast<char const*>(self);
        if (from == to) return;
        std::size_t const size = seen_[k.index()].what.size;
        auto const moved = [&](auto const*& p) {
            auto const* const c = reinterpret_cast<char const*>(p);
            bool const inside = c >= from && c < from + size;
            if (inside) p = reinterpret_cast<std::remove_reference_t<decltype(p)>>(to + (c - from));
        };
        for (node_id id : p_.g.nodes_of(k)) {
            node& f = p_.g[id];
            moved(f.self), moved(f.rule), moved(f.label[0]), moved(f.label[1]);
        }
        seen_[k.index()].what.self = self;
    }

    plan p_;
    flat_vector<seen> seen_;
    flat_vector<part> parts_;
    flat_memory copy_;
};

// As many as a loop of a program is likely to have, by type and destination: in few places for
// each, of which the one that was used least recently is given away.
class latest_plans {
public:
    static latest_plans& of_this_thread() {
        thread_local latest_plans all;
        return all;
    }

    // use(plan of s) if it is here; whether it was. Statements that run meanwhile have plans of
    // their own.
    template <class Use>
    bool if_known(any_statement const* s, std::size_t count, Use&& use) {
        if (!latest_plan::may_be_kept(s, count)) return false;
        for (latest_plan& mine : all_[set_of(s[0])]) {
            if (mine.in_use || !mine.is_of(s, count, choice_of_this_thread())) continue;
            use_kept(mine, use);
            return true;
        }
        return false;
    }
    // use(p), the plan of s, which stays here if it may.
    template <class Use>
    void keep(any_statement const* s, std::size_t count, plan p, Use&& use) {
        latest_plan* mine = nullptr;
        for (latest_plan& x : all_[set_of(s[0])]) {
            if (!x.in_use && (mine == nullptr || x.last_used < mine->last_used)) mine = &x;
        }
        if (mine == nullptr || !latest_plan::may_be_kept(s, count)) return use(p);
        mine->keep(s, count, std::move(p));
        use_kept(*mine, use);
    }

private:
    template <class Use>
    void use_kept(latest_plan& mine, Use&& use) {
        struct busy {
            bool& in_use;
            ~busy() { in_use = false; }
        } const now{mine.in_use};
        mine.in_use = true;
        mine.last_used = ++uses_;
        use(mine.get());
    }

    static constexpr std::size_t sets = 32, places = 4;
    static std::size_t set_of(any_statement const& s) {
        auto const word = [](auto p) { return reinterpret_cast<std::uintptr_t>(p); };
        return (word(s.add) ^ word(s.data) / 64) * 0x9E3779B97F4A7C15U >> (64 - 5);
    }
    latest_plan all_[sets][places];
    std::uint64_t uses_ = 0;
};

}  // namespace felt::inline FELT_ABI::planning::detail
