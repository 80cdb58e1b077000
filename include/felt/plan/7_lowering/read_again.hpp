// SPDX-License-Identifier: BSD-3-Clause
//
// What comes from memory once more, because too much else was touched for the last cache to hold it
// since then: memory that a loop leaves where it is, or that other loops read, or another phase
// (what a hoisted value is computed in, and each pass of statements). A model of a cache that sees
// which pages a run touches says the same (tests/plan/7_lowering/read_again.cpp).
#pragma once
#include <felt/plan/1_analysis/aliasing.hpp>
#include <felt/plan/5_hoisting/time_model.hpp>
#include <felt/plan/plan.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// Distinct elements in memory: an axis of stride 0 is one element.
inline index_t leaf_bytes(graph const& g, schedule const& s, node_id id) {
    node const& f = g[id];
    index_t const* const stride = strides_of(g, s, id);
    index_t n = f.value_bytes;
    for (axis_id a : f.axes())
        n *= stride[a] == 0 ? std::min<index_t>(f.extent[a], 1) : f.extent[a];
    return n;
}

inline index_t destination_bytes(destination const& to) {
    index_t n = to.value_bytes;
    for (axis_id a : to.axes()) n *= to.extent[a];
    return n;
}

// Where memory is used: by a leaf, by whoever reads a hoisted value or one that is kept in a
// destination, by a destination.
struct memory_use {
    node_id id;         // none: a destination
    bool kept = false;  // a value in a destination
    statement_id statement;
    int phase = 0;
    space_id space;
    memory_range range{nullptr, nullptr};
    double bytes = 0;
    std::uint64_t axis_moves[max_axes] = {};  // the loops around it that move along an axis
    std::uint64_t moves = 0;                  // and along any
    int same_as = -1;                         // an earlier use of the same memory

    double shared_with(memory_use const& o) const {
        auto const both = std::min(range.hi, o.range.hi) - std::max(range.lo, o.range.lo);
        return std::min(bytes, static_cast<double>(std::max<std::ptrdiff_t>(both, 0)));
    }
};

// The uses of a statement's memory, and the loops that they are in.
class statement_memory {
public:
    statement_memory(plan const& p, statement_id k, index_t strip, int phase,
                     std::vector<memory_use>& all)
        : g_(p.g),
          s_(p.s),
          all_(all),
          around_(g_, s_, g_[k].root, g_[k].space, strip),
          runs_(g_.spaces.size()) {
        for (space_id sp : g_.spaces.ids()) enter_blocks(sp);
        table<node_id, int> phases(g_.nodes.size(), -1);
        int next = phase;
        for_each_phase(g_, s_, g_[k].root, {}, [&](node_id id, node_id in) {
            bool const leaf = g_[id].what == kind::leaf && g_[id].data != nullptr;
            if (!leaf && s_[id].by != way::hoisted && kept_in(id) == nullptr) return;
            if (in && phases[in] < 0) phases[in] = ++next;
            add_operand(id, k, in ? phases[in] : phase);
        });
        add_destination(k, phase);
        last_phase_ = next;
    }

    int last_phase() const { return last_phase_; }

    // How often u comes from memory: again for each turn of a loop that leaves it where it is, if
    // such a turn touches more than the cache holds.
    double times(memory_use const& u) const {
        loop_nest const& nest = runs_[u.space].around;
        std::uint64_t const idle = u.moves | idle_loops(u.space);
        int const end = is_operand_of_product(u.space) ? nest.depth(u.moves) : nest.count;
        double n = 1;
        for (int i = 0; i < end; ++i) {
            bool const turns = (idle >> i & 1U) == 0;
            if (turns && touched(u.space, i + 1, u.phase) > caches().last) n *= nest.trips[i];
        }
        return n;
    }

    // Whether u finds in the cache what `before` has touched: in one turn of the loops around both
    // they come to the same part of it.
    bool finds(memory_use const& u, memory_use const& before) const {
        auto [space, depth, apart] = common_loops(u.space, before.space);
        if (!space) return false;
        for (axis_id a{0}; a < max_axes; ++a) apart |= u.axis_moves[a] ^ before.axis_moves[a];
        if (s_[space].mirror > 0) apart = 0;  // squares (i, j) and (j, i) go together
        // The values of a block are kept before they are read.
        if (before.kept) depth = std::min(depth, around_.over(space).around.count);
        bool const one_place = apart == 0 && u.space == before.space && !before.kept;
        while (depth > 0 && (apart & loop_nest::first(depth)) != 0) --depth;
        return one_place || touched(space, depth, u.phase) <= caches().last;
    }

    // What a phase touches, all in all.
    double touched(int phase) const {
        double n = 0;
        for (memory_use const& u : all_) n += u.phase == phase && u.same_as < 0 ? u.bytes : 0;
        return n;
    }

private:
    static constexpr std::uintptr_t nowhere = std::uintptr_t{1} << 63;

    struct loops {
        space_id space;
        int depth = 0;
        std::uint64_t apart = 0;  // those that come to one operand after the other
    };

    // The loops of a space with those inside of its blocks, of which rows are the innermost.
    void enter_blocks(space_id sp) {
        space_run& run = runs_[sp] = around_.over(sp);
        if (is_operand_of_product(sp)) return;
        for (int i = 0; i < g_[sp].rank; ++i) {
            loop_id const l = s_[sp].order[i];
            if (l != s_[sp].lane) run.moves[l] |= run.around.enter(run.length[l]);
        }
    }
    // The destination in which the values of node id, or of its equal, are kept.
    void const* kept_in(node_id id) const {
        node_id const first = s_[id].slot ? s_[id].slot : id;
        return s_[id].by == way::scratch ? s_[first].reused : nullptr;
    }

    bool is_operand_of_product(space_id sp) const {
        return g_[sp].owner && g_[g_[sp].owner].what == kind::contract;
    }
    // Whose operand is read in space sp; none if that is all of a phase.
    node_id owner_in_phase(space_id sp) const {
        node_id const owner = g_[sp].owner;
        return owner && s_[owner].by != way::hoisted ? owner : node_id{};
    }
    // The loops around node o up to the innermost that moves its box: inside of it the box stays.
    int depth_of_box(node_id o) const {
        return around_.over(g_[o].space).around.depth(around_.of(o).moves);
    }
    std::uint64_t idle_loops(space_id sp) const {
        std::uint64_t idle = 0;
        for (node_id o = owner_in_phase(sp); o; o = owner_in_phase(g_[o].space)) {
            int const all = around_.over(g_[o].space).around.count;
            idle |= loop_nest::first(all) & ~loop_nest::first(depth_of_box(o));
        }
        return idle;
    }

    // The innermost loops that what is read in spaces a and b is inside of.
    loops common_loops(space_id a, space_id b) const {
        for (loops x = from(a); x.space; x = outside(x)) {
            for (loops y = from(b); y.space; y = outside(y)) {
                int const depth = std::min(x.depth, y.depth);
                if (x.space == y.space) return {x.space, depth, x.apart | y.apart};
                bool const one_owner = g_[x.space].owner == g_[y.space].owner;
                if (one_owner && is_operand_of_product(x.space)) return {x.space, depth};
            }
        }
        return {};
    }
    loops from(space_id sp) const { return {sp, runs_[sp].around.count}; }
    loops outside(loops const& x) const {
        node_id const owner = owner_in_phase(x.space);
        if (!owner) return {};
        bool const joined = g_[owner].what == kind::concat;
        std::uint64_t const apart = joined ? around_.of(owner).axis_moves[g_[owner].axis] : 0;
        return {g_[owner].space, depth_of_box(owner), apart};
    }

    // The bytes that one turn of the first `depth` loops around a space touches.
    double touched(space_id space, int depth, int phase) const {
        double n = 0;
        for (memory_use const& u : all_) {
            if (u.phase != phase || u.same_as >= 0) continue;
            if (u.space != space && common_loops(space, u.space).depth < depth) continue;
            loop_nest const& nest = runs_[u.space].around;
            n += u.bytes / nest.turns(u.moves & loop_nest::first(depth));
        }
        return n;
    }

    void add(memory_use u) {
        for (std::size_t i = 0; i < all_.size() && u.same_as < 0; ++i) {
            if (u.shared_with(all_[i]) > 0) u.same_as = static_cast<int>(i);
        }
        for (std::uint64_t const along : u.axis_moves) u.moves |= along;
        all_.push_back(u);
    }

    void add_operand(node_id id, statement_id k, int phase) {
        node const& f = g_[id];
        void const* const kept = kept_in(id);
        memory_use u{id, kept != nullptr, k, phase, f.space};
        bool const leaf = f.what == kind::leaf;
        index_t const bytes = leaf ? leaf_bytes(g_, s_, id) : elements_of(f) * f.value_bytes;
        u.bytes = static_cast<double>(bytes);
        // A buffer lies nowhere yet: for each its own part of the addresses that nothing has.
        int const number = (s_[id].slot ? s_[id].slot : id).number();
        auto const buffer = nowhere | static_cast<std::uintptr_t>(number) << 40;
        void const* const at = kept ? kept : reinterpret_cast<void const*>(buffer);
        auto const* const first = static_cast<char const*>(at);
        u.range = leaf ? range_of(f) : memory_range{first, first + bytes};
        space_run const& run = runs_[f.space];
        for (axis_id a : f.axes()) {
            if (leaf && strides_of(g_, s_, id)[a] == 0) continue;
            for (loop_id l : f.at.all_loops()) {
                if (f.at.coef[a][l] != 0) u.axis_moves[a] |= run.moves[l];
            }
        }
        add(u);
    }

    // A product that is written where it belongs adds to all of it for each piece of its terms.
    void add_destination(statement_id k, int phase) {
        destination const& to = g_[k];
        node const& root = g_[to.root];
        memory_use u{{}, false, k, phase, to.space, range_of(to)};
        u.bytes = static_cast<double>(destination_bytes(to));
        space_run const* run[2] = {&runs_[to.space], &runs_[to.space]};
        unsigned columns = 0;
        if (root.what == kind::contract && s_[root.product].direct) {
            product_schedule const& p = s_[root.product];
            u.space = root.inner + p.rows_from;
            run[0] = &runs_[u.space];
            run[1] = &runs_[root.inner + (1 - p.rows_from)];
            for (label_id l : p.axes.n) columns |= 1U << l;
        }
        for (axis_id a : to.axes()) u.axis_moves[a] = run[columns >> a & 1U]->moves[a];
        add(u);
    }

    graph const& g_;
    schedule const& s_;
    std::vector<memory_use>& all_;
    loop_nests around_;
    table<space_id, space_run> runs_;
    int last_phase_ = 0;
};

// The bytes of use u that come from memory beyond what is counted once.
FELT_PLANNING_SELDOM inline double read_again(statement_memory const& of, memory_use const& u,
                                              std::vector<memory_use> const& all) {
    double const times = of.times(u);
    bool in_cache = u.same_as < 0, kept = false;
    for (memory_use const& x : all) {
        if (&x == &u) break;
        if (x.shared_with(u) == 0) continue;
        kept = kept || (x.kept && x.statement == u.statement);
        if (x.phase != u.phase)
            in_cache = in_cache || of.touched(x.phase) + of.touched(u.phase) <= caches().last;
        else in_cache = in_cache || x.statement != u.statement || of.finds(u, x);
    }
    bool const writes = !u.id;
    double const turns = (writes ? 2 : 1) * (times - 1) * u.bytes;
    if (in_cache || (writes && !kept)) return turns;  // what is only written is counted anyway
    double const shared = u.shared_with(all[static_cast<std::size_t>(u.same_as)]);
    return writes ? turns + 2 * shared : turns + shared;
}

FELT_PLANNING_SELDOM inline index_t bytes_read_again(plan const& p) {
    std::vector<memory_use> all;
    double again = 0;
    int phase = 0;
    for (pass_facts const& pass : p.s.passes) {
        int last = phase;
        for (statement_id k : pass.statements()) {
            std::size_t const begin = all.size();
            statement_memory const of(p, k, pass.alone() ? 0 : pass.strip, phase, all);
            for (std::size_t i = begin; i < all.size(); ++i) again += read_again(of, all[i], all);
            last = std::max(last, of.last_phase());
        }
        phase = last + 1;
    }
    return static_cast<index_t>(again);
}

}  // namespace felt::inline FELT_ABI::planning::detail
