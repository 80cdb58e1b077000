// SPDX-License-Identifier: BSD-3-Clause
//
// Plans of statements that were planned not long ago. A loop meets the same statement over the same
// memory again and again, and to plan it may take longer than to run it.
#pragma once
#include <felt/plan/place.hpp>
#include <concepts>
#include <cstdint>
#include <deque>

namespace felt::planning::detail {

// All that a plan depends on, in words: types, extents, strides, addresses, and which nodes hold
// equal data (numbers, functors), but not what these are.
class description {
public:
    FELT_PLANNING explicit description(plan const& p) {
        words_.reserve(24 * p.node.size());
        for (statement_facts const& s : p.statement) {
            add(s.root, s.data, s.value_bytes, s.no_alias);
            add_list(s.extent, s.rank);
            add_list(s.stride, s.rank);
        }
        for (int id = 0; id < static_cast<int>(p.node.size()); ++id) add_node(p, id);
    }

    bool operator==(description const&) const = default;
    std::size_t bytes() const { return words_.size() * sizeof(words_[0]); }

private:
    template <class... X>
    void add(X... x) {
        (words_.push_back(to_word(x)), ...);
    }
    static std::uint64_t to_word(void const* p) { return reinterpret_cast<std::uintptr_t>(p); }
    template <std::integral X>
    static std::uint64_t to_word(X x) {
        return static_cast<std::uint64_t>(x);
    }
    template <class X>
    void add_list(X const* x, int count) {
        add(count);
        for (int i = 0; i < count; ++i) add(x[i]);
    }

    void add_node(plan const& p, int id) {
        node_facts const& f = p.at(id);
        add(f.mark, f.end, equal_data(p, id));
        add_list(f.extent, f.rank);
        if (f.what == kind::leaf) {
            add(f.data);
            add_list(f.stride, f.rank);
        }
        for (int a = 0; f.rule != nullptr && a < p.at(id + 1).rank; ++a) {
            axis_rule const& r = f.rule[a];
            add(r.out1, r.out2, r.stride, r.dilation, r.offset, r.divide, r.exact,
                static_cast<int>(r.mode));
        }
        if (f.what == kind::contract) {
            add_list(f.label[0], p.at(id + 1).rank);
            add_list(f.label[1], p.at(p.at(id + 1).end).rank);
        }
        if (f.what == kind::concat || f.what == kind::gather || f.what == kind::scatter)
            add(f.axis);
    }

    // The first node of the same type and with equal data of its own.
    static int equal_data(plan const& p, int id) {
        node_facts const& f = p.at(id);
        for (int x = 0; x < id; ++x) {
            node_facts const& g = p.at(x);
            if (g.mark == f.mark && f.same(f.self, g.self)) return x;
        }
        return id;
    }

    std::vector<std::uint64_t> words_;
};

// The last plans of this thread, as many as bytes_kept hold: more than the statements of a step of
// training.
class recent_plans {
public:
    static constexpr std::size_t bytes_kept = std::size_t{1} << 20;

    static recent_plans& of_this_thread() {
        thread_local recent_plans all;
        return all;
    }

    // p, as arrange(p) leaves it.
    template <class F>
    void arrange(plan& p, F&& arrange) {
        description d(p);
        for (entry const& e : all_) {
            if (e.described == d) return renew(p, e.arranged);
        }
        arrange(p);
        keep({std::move(d), p});
    }

private:
    struct entry {
        description described;
        plan arranged;

        std::size_t bytes() const {
            return described.bytes() + arranged.node.size() * sizeof(node_facts) +
                   arranged.space.size() * sizeof(loop_space) +
                   arranged.statement.size() * sizeof(statement_facts);
        }
    };

    void keep(entry e) {
        bytes_ += e.bytes();
        all_.push_back(std::move(e));
        for (; bytes_ > bytes_kept; all_.pop_front()) bytes_ -= all_.front().bytes();
    }

    // p becomes like `known`, but for what belongs to its own statements.
    static void renew(plan& p, plan const& known) {
        graph const own = std::move(p.node);
        p = plan(known);
        for (std::size_t i = 0; i < own.size(); ++i) {
            node_facts& f = p.node[i];
            f.self = own[i].self, f.name = own[i].name, f.rule = own[i].rule;
            f.label[0] = own[i].label[0], f.label[1] = own[i].label[1];
        }
    }

    std::deque<entry> all_;
    std::size_t bytes_ = 0;
};

}  // namespace felt::planning::detail
