// SPDX-License-Identifier: BSD-3-Clause
//
// Plans of statements that were planned not long ago. A loop meets the same statement over the same
// memory again and again, and to plan it may take longer than to run it.
#pragma once
#include <felt/plan/plan.hpp>
#include <bit>
#include <concepts>
#include <cstdint>
#include <vector>

namespace felt::inline FELT_ABI::planning::detail {

// All that a plan depends on, in words: types, extents, strides, addresses, and which nodes hold
// equal data (numbers, functors), but not what these are.
class description {
public:
    FELT_PLANNING explicit description(graph const& g) {
        words_.reserve(24 * g.nodes.size());
        add(g.choice.exact, static_cast<void const*>(g.choice.only));
        for (destination const& to : g.statements) {
            add(to.root, to.data, to.value_bytes, to.no_alias);
            add_list(to.extent, to.rank);
            add_list(to.stride, to.rank);
        }
        for (node_id id : g.nodes.ids()) add_node(g, id);
    }

    bool operator==(description const&) const = default;
    // A few words of it in one: who looks for an equal one reads no more of most others.
    std::uint64_t glance() const {
        std::uint64_t all = words_.size();
        for (std::size_t i = 0; i < words_.size(); i += words_.size() / 16 + 1)
            all = (all ^ words_[i]) * 0x9E3779B97F4A7C15U;
        return all;
    }
    std::size_t bytes() const { return words_.capacity() * sizeof(words_[0]); }

private:
    template <class... X>
    void add(X... x) {
        (words_.push_back(to_word(x)), ...);
    }
    static std::uint64_t to_word(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }
    static std::uint64_t to_word(node_id id) { return id.index(); }
    static std::uint64_t to_word(axis_id a) { return static_cast<std::uint64_t>(a); }
    template <std::integral X>
    static std::uint64_t to_word(X x) {
        return static_cast<std::uint64_t>(x);
    }
    template <class X>
    void add_list(X const* x, int count) {
        add(count);
        for (int i = 0; i < count; ++i) add(x[i]);
    }

    void add_node(graph const& g, node_id id) {
        node const& f = g[id];
        add(f.mark, f.end, equal_data(g, id));
        add_list(f.extent, f.rank);
        if (f.what == kind::leaf) {
            add(f.data);
            add_list(f.stride, f.rank);
        }
        for (axis_id a{0}; f.rule != nullptr && a < g[id + 1].rank; ++a) {
            axis_rule const& r = f.rule[a];
            add(r.out1, r.out2, r.stride, r.dilation, r.offset, r.divide, r.exact,
                static_cast<int>(r.mode));
        }
        if (f.what == kind::contract) {
            for (int side : {0, 1}) add_list(f.label[side], g[g.operand(id, side)].rank);
        }
        add(f.axis);
    }

    // The first node of the same type and with equal data of its own.
    static node_id equal_data(graph const& g, node_id id) {
        node const& f = g[id];
        for (node_id x = 0; x < id; ++x) {
            if (g[x].mark == f.mark && f.same(f.self, g[x].self)) return x;
        }
        return id;
    }

    std::vector<std::uint64_t> words_;
};

// Plans of this thread, as many as bytes_kept hold: some 100 groups of statements, or 300
// statements. When that is full, one in four new ones takes the place of others, by lot: were it
// that of the oldest, who comes around with a few more than there is room for would find none
// again.
class recent_plans {
public:
    static constexpr std::size_t bytes_kept = std::size_t{8} << 20;

    static recent_plans& of_this_thread() {
        thread_local recent_plans all;
        return all;
    }

    // The statements of p, with the schedule that arrange(p.g) gives them.
    template <class F>
    void arrange(plan& p, F&& arrange) {
        description d(p.g);
        std::uint64_t const glance = d.glance();
        // Statements come around in the order in which they came before.
        for (std::size_t i = 0; i < all_.size(); ++i, ++next_) {
            if (next_ >= all_.size()) next_ = 0;
            if (glances_[next_] == glance && all_[next_].described == d)
                return renew(p, all_[next_++].arranged);
        }
        p.s = arrange(p.g);
        keep({std::move(d), p}, glance);
    }

private:
    struct entry {
        description described;
        plan arranged;

        // Tables take whole blocks of memory (left_blocks).
        std::size_t bytes() const {
            graph const& g = arranged.g;
            schedule const& s = arranged.s;
            auto const of = [](std::size_t count, auto... of_each) {
                return (std::bit_ceil(count * of_each) + ...);
            };
            return sizeof(entry) + described.bytes() +
                   of(g.nodes.size(), sizeof(node), sizeof(placement)) +
                   of(g.spaces.size(), sizeof(loop_space), sizeof(loop_schedule)) +
                   of(g.products.size(), sizeof(contraction), sizeof(product_schedule)) +
                   of(g.statements.size(), sizeof(destination), sizeof(statement_schedule)) +
                   s.passes.size() * sizeof(pass_facts) + s.equal_axes.size() * sizeof(equal_axis);
        }
    };

    void keep(entry e, std::uint64_t glance) {
        std::size_t const bytes = e.bytes();
        bool const fits = bytes_ + bytes <= bytes_kept;
        if (bytes > bytes_kept || (!fits && draw() % 4 != 0)) return;
        while (bytes_ + bytes > bytes_kept) leave_one_out();
        bytes_ += bytes;
        all_.push_back(std::move(e));
        glances_.push_back(glance);
    }
    std::uint64_t draw() {
        lot_ = lot_ * 6364136223846793005U + 1442695040888963407U;
        return lot_ >> 33;
    }
    void leave_one_out() {
        std::size_t const i = draw() % all_.size();
        bytes_ -= all_[i].bytes();
        if (i + 1 < all_.size()) all_[i] = std::move(all_.back());
        glances_[i] = glances_.back();
        all_.pop_back(), glances_.pop_back();
    }

    // p becomes like `known`, but for what belongs to its own statements.
    static void renew(plan& p, plan const& known) {
        graph const own = std::move(p.g);
        p = plan(known);
        for (node_id id : own.nodes.ids()) {
            node& f = p.g[id];
            node const& mine = own[id];
            f.self = mine.self, f.name = mine.name, f.rule = mine.rule;
            f.label[0] = mine.label[0], f.label[1] = mine.label[1];
        }
    }

    std::vector<entry> all_;
    std::vector<std::uint64_t> glances_;  // of each
    std::size_t next_ = 0;                // where to look first
    std::uint64_t lot_ = 1;
    std::size_t bytes_ = 0;
};

}  // namespace felt::inline FELT_ABI::planning::detail
