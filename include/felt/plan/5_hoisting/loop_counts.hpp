// SPDX-License-Identifier: BSD-3-Clause
//
// The loops that run around a node: those of the statement, of every node above it that has loops
// of its own, and of products over the pieces that they take. From outside in, with their trip
// counts; and which of them each loop of a space moves with. All that a plan says of how often
// something is done is read off here.
#pragma once
#include <felt/plan/5_hoisting/loop_runs.hpp>

namespace felt::inline FELT_ABI::planning::detail {

// The loops of all spaces below a statement.
class loop_nests {
public:
    // `strip`: how far its pass goes at a time, if it has strips. `t`: its tasks, if threads have
    // any.
    loop_nests(graph const& g, schedule const& s, node_id root, space_id sp, index_t strip = 0,
               tasks const& t = {})
        : g_(g), s_(s), strip_(strip), spaces_(g.spaces.size()), nodes_(g.nodes.size()) {
        loop_space const& in = g[sp];
        space_run& run = spaces_[sp];
        run.points = 1;
        for (loop_id l : in.loops()) {
            run.length[l] = static_cast<double>(in.extent[l]);
            run.points *= run.length[l];
        }
        if (t.loop >= 0) {
            run.enter(t.loop, run.length[t.loop], 0, t.step);
            run.around.anew = run.moves[t.loop];
        }
        for (int i = 0; i < in.rank; ++i) {
            loop_id const l = s[sp].order[i];
            run.enter(l, run.length[l], run.moves[l], s[sp].block[l]);
        }
        for (node_id id : g.subtree(root)) visit(id);
    }

    node_run const& of(node_id id) const { return nodes_[id]; }
    space_run const& over(space_id sp) const { return spaces_[sp]; }

private:
    void visit(node_id id) {
        node const& f = g_[id];
        node_run& run = nodes_[id];
        space_run const& in = over(f.space);
        run = run_of(g_, s_, id, in);
        bool const none = in.points == 0 || is_reused(s_, id);
        if (none) run.asked = run.times = run.share = 0;
        if (!f.inner || finds_rows(g_, s_, id)) return streamed(id, run, in);
        if (none) return;  // its own loops do not run
        if (f.what == kind::contract) return product(id, run);
        int side = 0;
        for (node_id c : g_.operands(id)) operand(id, c, side++, run);
    }

    // Evaluated for each point of the loops that it is read in.
    void streamed(node_id id, node_run& run, space_run const& in) const {
        double const all = std::max(1.0, elements(g_[id]));
        run.times = run.share = s_[id].by == way::hoisted ? 1 : in.points / all;
    }

    space_run inside(node_id id) const {
        space_run own;
        if (s_[id].by == way::hoisted) return own;
        own.around = over(g_[id].space).around;
        // What a box that stays is made of runs inside of the loops that move the box. Of a
        // statement alone, which hoists by these counts, all loops count, and what is nested deep
        // is hoisted sooner: four products of 1000 x 1000 in each other took 283 ms, of which the
        // innermost was nested as well, and 201 ms when that was computed first.
        if (strip_ > 0) own.around.keep_around(of(id).moves);
        return own;
    }

    // Operand c of a reduction or of a view, in loops of its own.
    void operand(node_id id, node_id c, int side, node_run const& run) {
        node const& f = g_[id];
        loop_id const strip = s_[id].strip;
        space_id const sp = f.inner + side;
        loop_space const& in = g_[sp];
        space_run own = inside(id);
        double asked[max_axes];
        std::uint64_t base[max_axes];
        bool const first = s_[c].by == way::hoisted;  // for all boxes that are asked for
        if (first) own.around.count = 0;
        own.points = first ? 1 : run.asked;
        for (loop_id l : in.loops()) {
            asked[l] = static_cast<double>(in.extent[l]);
            base[l] = 0;
            if (!first) ask(f, run, side, l, asked[l], base[l]);
            own.points *= asked[l];
        }
        if (f.what == kind::reshape && !first) spread(id, run, own, asked, base);
        if (strip >= 0 && strip_ > 0) {  // outside of all others
            own.enter(strip, asked[strip], 0, strip_);
            base[strip] = own.moves[strip];
            asked[strip] = own.length[strip];
        }
        for (int i = 0; i < in.rank; ++i) {
            loop_id const l = s_[sp].order[i];
            own.enter(l, asked[l], base[l], s_[sp].block[l]);
        }
        spaces_[sp] = own;
    }

    // What a box of node f asks for of axis l of its operand.
    static void ask(node const& f, node_run const& run, int side, loop_id l, double& asked,
                    std::uint64_t& base) {
        double const all = asked;
        axis_rule const r = operand_rule(f, side, l);
        if (f.rule == nullptr && r.out1 < 0) {
            if (f.what != kind::gather) return;
            base = run.axis_moves[f.axis];  // all that indices may ask for
            if (side == 1) asked = run.length[f.axis];
            return;
        }
        double reach = 1;
        for (auto [out, c] : {std::pair{r.out1, r.stride}, std::pair{r.out2, r.dilation}}) {
            if (out < 0) continue;
            reach += static_cast<double>(std::abs(c)) * (run.length[out] - 1);
            base |= run.axis_moves[out];
        }
        asked = std::min(all, (reach - 1) / static_cast<double>(r.divide) + 1);
        if (f.what == kind::concat) {
            asked = run.length[l] * (all / static_cast<double>(f.extent[l]));
        }
    }

    // A reshape takes pieces of consecutive elements, all those in which its box has some.
    void spread(node_id id, node_run const& run, space_run& own, double* asked,
                std::uint64_t* base) const {
        node const& f = g_[id];
        loop_space const& in = g_[f.inner];
        double piece = 1, all = 1;
        loop_id cut;
        for (loop_id l : in.loops()) {
            piece *= static_cast<double>(std::min(s_[f.inner].block[l], in.extent[l]));
            all *= asked[l];
            if (cut < 0 && in.extent[l] > 1) cut = l;
        }
        double const part = std::min(1.0, pieces(f, run, piece) * piece / std::max(all, 1.0));
        own.points *= part;
        if (cut < 0 || part >= 1) return;
        asked[cut] *= part;
        base[cut] = run.moves;
    }

    // How far it is from a box to the next one: along the axis that the innermost loop moves.
    static double to_next(node const& f, node_run const& run) {
        std::uint64_t innermost = 0;
        double stride = 1, next = 0;
        for (axis_id a{f.rank - 1}; a >= 0; --a) {
            if (run.axis_moves[a] > innermost) {
                innermost = run.axis_moves[a];
                next = stride * run.length[a];
            }
            stride *= static_cast<double>(f.extent[a]);
        }
        return next;
    }

    // Whether boxes go backwards, and are cut by the ends of pieces, which begin at multiples of
    // their length: then a piece is left for the one before, and begun again.
    static bool is_begun_twice(node const& f, double reach, double piece) {
        index_t end = 1, stride = 1;
        for (axis_id a{f.rank - 1}; a >= 0; --a) {
            end += stride * f.at.offset[a];
            stride *= f.extent[a];
        }
        double const boxes = static_cast<double>(end) / reach, each = piece / reach;
        return goes_back(f) && (boxes != std::floor(boxes) || each != std::floor(each));
    }
    static bool goes_back(node const& f) {
        bool back = false;
        for (axis_id a : f.axes()) {
            for (loop_id l : f.at.all_loops()) back = back || f.at.coef[a][l] < 0;
        }
        return back;
    }

    // How many pieces of consecutive elements a box has parts of, on average.
    static double pieces(node const& f, node_run const& run, double piece) {
        double runs = 1, reach = 1, stride = 1;  // as far as elements lie no further than a piece
        for (axis_id a{f.rank - 1}; a >= 0; --a) {
            double const n = run.length[a];
            if (stride <= std::max(reach, piece)) reach += stride * (n - 1);
            else runs *= n;
            stride *= static_cast<double>(f.extent[a]);
        }
        // What follows lies in the same piece, if that goes further than the next box.
        if (runs <= 1 && reach <= piece) {
            if (is_begun_twice(f, reach, piece)) return 2 * reach / piece;
            return std::min(1.0, std::max(reach, to_next(f, run)) / piece);
        }
        // Boxes that follow each other leave off in the piece that the next one begins with.
        if (runs <= 1 && to_next(f, run) == reach && !goes_back(f)) return reach / piece;
        double const whole = std::max(reach / piece, piece / reach);
        bool const aligned = std::abs(whole - std::round(whole)) < 1e-9;
        return runs * (aligned ? std::ceil(reach / piece) : reach / piece + 1);
    }

    void product(node_id id, node_run const& run) {
        node const& f = g_[id];
        product_schedule const& p = s_[f.product];
        contraction_axes const& axes = p.axes;
        loop_space const& in = g_[f.inner];
        space_run all = inside(id);
        for (loop_id l : in.loops()) {
            all.length[l] = l < f.rank ? run.length[l] : static_cast<double>(in.extent[l]);
            all.moves[l] = l < f.rank ? run.axis_moves[l] : 0;
        }
        for (label_id l : axes.batch) cut(all, l, 1);
        for (int i = 0; i < rows_apart(g_, s_, id); ++i) cut(all, axes.m[i], 1);
        space_run whole = all;  // a left operand in a box is made ready for all pieces that overlap
        for (label_id l : axes.k) {
            cut(all, l, static_cast<double>(p.k_step[l]));
            if ((p.boxed_whole >> l & 1U) == 0) cut(whole, l, static_cast<double>(p.k_step[l]));
        }
        space_run right = all;
        chunk(right, axes.n, p.nc);
        space_run left = p.left_boxed ? whole : right;
        if (!p.left_boxed) chunk(left, axes.m, p.mc);
        finish(left, f.inner + p.rows_from, axes.m, axes);
        finish(right, f.inner + (1 - p.rows_from), axes.n, axes);
    }

    static void cut(space_run& run, label_id l, double length) {
        double const n = std::ceil(run.length[l] / std::max(length, 1.0) - 1e-9);
        run.moves[l] |= run.around.enter(n);
        run.length[l] /= std::max(n, 1.0);
    }

    // Chunks of rows or columns, which are cut from the outermost label.
    static void chunk(space_run& run, label_list const& of, index_t limit) {
        double n = 1;
        for (label_id l : of) n *= run.length[l];
        double const most = static_cast<double>(std::max<index_t>(limit, 32));
        for (int i = 0; i < of.count && n > most; ++i) {
            double const before = run.length[of[i]];
            cut(run, of[i], std::max(1.0, std::floor(most * before / n + 1e-9)));
            n *= run.length[of[i]] / before;
        }
    }

    // The operand on one side is asked for boxes of its own labels.
    void finish(space_run& run, space_id sp, label_list const& own, contraction_axes const& axes) {
        std::uint64_t mask = 0;
        double box = 1;
        for (label_list const* of : {&own, &axes.batch, &axes.k}) {
            for (label_id l : *of) {
                mask |= run.moves[l];
                box *= run.length[l];
            }
        }
        run.points = run.around.changes(mask) * box;
        spaces_[sp] = run;
    }

    graph const& g_;
    schedule const& s_;
    index_t strip_;
    table<space_id, space_run> spaces_;
    table<node_id, node_run> nodes_;
};

}  // namespace felt::inline FELT_ABI::planning::detail
