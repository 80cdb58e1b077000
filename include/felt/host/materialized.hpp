// SPDX-License-Identifier: BSD-3-Clause
//
// boxed<T>: what all nodes that are not streamed share. They compute the box that their reader
// asks for into a slot and are then read like memory. A slot remembers which box it holds, so
// that a box asked for again, by the same reader or by an equal node, is not computed again.
#pragma once
#include <felt/core/function_ref.hpp>
#include <felt/host/loop_nest.hpp>
#include <felt/host/watch.hpp>
#include <felt/plan/3_tiling/cache_blocking.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class materialized {
public:
    using value_type = T;
    static constexpr int lanes_wanted = batch_size<T>;

    [[gnu::noinline]] materialized(environment& env, node_id id)
        : env_(&env),
          id_(id),
          read_(loops(), nullptr, placed().stride, env.p.s[described().space].summed_rows),
          comes_first_(is_hoisted()) {}

    materialized(materialized const&) = delete;  // `first` values are called where they are

    void accumulate(strip_range const&) {}
    bool continues_row(int l, index_t n) const { return read_.continues_row(l, n); }
    FELT_INLINE auto row(index_t const* at) const { return read_.row(at); }
    template <int N, class Part>
    FELT_INLINE auto run(cursor<T> const& s, index_t j, Part part) const {
        return s.template run<N>(j, part);
    }

    // Where the box lies that was made ready last, and is read as memory is.
    T const* direct(index_t const** by_loop) const { return read_.direct(by_loop); }

    loop_view loops() const { return env_->loops(described().space); }

protected:
    planning::node const& described() const { return env_->described(id_); }
    planning::placement const& placed() const { return env_->placed(id_); }
    loop_view inner() const { return env_->loops(described().inner); }
    node_id id() const { return id_; }
    bool is_hoisted() const { return placed().by == way::hoisted; }
    bool before_loops() const { return env_->before_loops; }
    node_id source_id() const { return id_ + 1; }
    planning::graph const& graph_of() const { return env_->p.g; }
    planning::schedule const& schedule_of() const { return env_->p.s; }
    // Equal values that are computed first are one, whoever is asked first.
    slot& own() { return env_->at(placed().by == way::hoisted ? placed().slot : id_); }
    arena& scratch() { return env_->scratch; }

    // At the end of a constructor: says who computes the node, if it is computed before the loops,
    // or has something to do there.
    template <class Bound>
    void offer(Bound& self) {
        compute_first({&self, [](void* s) {
                           Bound& b = *static_cast<Bound*>(s);
                           b.prepare(planning::first_point(b.loops().rank));
                       }});
    }

    // What the loops read inside b is computed by compute(box of this node), unless it is there. It
    // may compute more: the box becomes that.
    void ready(box const& b, function_ref<void(box&)> compute);

    // What is computed when the loops read b: their box, or all of it, or all of a strip.
    box wanted_for(box const& b) const {
        int const axis = placed().strip_axis;
        box all = planning::whole_box(described().extent, described().rank);
        if (placed().by != way::hoisted && axis < 0) {
            box own = described().at.image(b);
            for (int a = 0; a < all.rank; ++a) {
                if ((placed().wanted_by_equal >> a & 1U) != 0) own.lo[a] = 0, own.hi[a] = all.hi[a];
            }
            int const whole = described().whole;
            if (whole >= 0 && !placed().carried) own.lo[whole] = 0, own.hi[whole] = all.hi[whole];
            return own;
        }
        if (placed().by != way::hoisted) {
            all.lo[axis] = env_->strip_lo;
            all.hi[axis] = env_->strip_hi;
        }
        return all;
    }

    // Room in the slot for box b, stored densely with `last` as its contiguous axis; at once as
    // much as the largest box takes, so that boxes of any sizes lie in the same memory. Or where
    // the plan keeps it in the destination, with that one's strides.
    T* room(box const& b, int last) {
        if (T* const there = in_destination(b)) return there;
        slot& s = own();
        index_t size = 1;
        if (last >= 0) {
            s.stride[last] = 1;
            size = b.extent(last);
        }
        for (int a = b.rank - 1; a >= 0; --a) {
            if (a == last) continue;
            s.stride[a] = size;
            size *= b.extent(a);
        }
        index_t const most = planning::detail::product(placed().held, b.rank);
        return reserve(std::max(size, most));
    }

    // Where element 0, 0, ... would lie, if box b lies in the slot and begins at p.
    strided<T> origin(box const& b, T* p) {
        strided<T> to{p, {}};
        for (int a = 0; a < b.rank; ++a) {
            to.stride[a] = own().stride[a];
            to.data -= to.stride[a] * b.lo[a];
        }
        return to;
    }

    // Room for box b where the results will be, if the plan keeps this node there.
    T* in_destination(box const& b) {
        planning::placement const& f = placed();
        if (f.reused == nullptr) return nullptr;
        slot& s = own();
        T* p = static_cast<T*>(f.reused);
        for (int a = 0; a < b.rank; ++a) {
            s.stride[a] = f.stride[a];
            p += f.stride[a] * b.lo[a];
        }
        s.data = p;
        s.capacity = 0;
        return p;
    }

    // Whether what is copied for this node goes past the caches; at the end it is there for all.
    bool past_caches() const { return placed().reused != nullptr && placed().past_caches; }
    void stored() const {
        if (past_caches()) streaming_ends();
    }

    // What was kept there for this node to read is gone now.
    void overwrite() {
        if (placed().reused == nullptr) return;
        for (node_id x : env_->p.g.below(id_)) {
            if (env_->placed(x).reused != nullptr) env_->at(x).valid = false;
        }
    }

    // A sum grows strip by strip in the slot; nobody reads it before it is complete.
    slot& growing(void (*merge)(slot&, slot const&)) {
        slot& s = own();
        s.held = planning::whole_box(described().extent, described().rank);
        s.merge = merge;
        return s;
    }
    // The range of a strip on the axis that this node sums over.
    box strip_of(strip_range const& strip, box all) const {
        all.lo[placed().strip] = strip.lo;
        all.hi[placed().strip] = strip.hi;
        return all;
    }
    // Whether a strip is this node's to add.
    bool adds(strip_range const& strip) const {
        return strip.only ? strip.only == id_ : placed().strip >= 0;
    }
    // Sums that grow outlive the scratch of who computes them.
    arena& lasting() { return placed().strip >= 0 ? *env_->sums : env_->scratch; }

    T* reserve(index_t size) {
        slot& s = own();
        index_t const bytes = size * static_cast<index_t>(sizeof(T));
        if (placed().by == way::hoisted && placed().strip < 0 && s.data == nullptr) {
            s.data = env_->buffers.take(bytes + 64, planning::uncounted_bytes + 64);
            s.capacity = bytes;
        } else if (bytes > s.capacity || s.data == nullptr) {
            s.data = lasting().template take<T>(std::max<index_t>(size, 1));
            s.capacity = bytes;
        }
        return static_cast<T*>(s.data);
    }

    // The axis of this node that the reader's lanes follow; the last if none does.
    int lane_axis() const { return placed().lane_axis; }

private:
    [[gnu::noinline]] void compute_first(first_value const& v) {
        if (comes_first_) env_->first.push_back(v);
    }

    void attach(slot const& s) {
        axis_map const& m = described().at;
        index_t by_loop[max_axes] = {};
        T const* p = static_cast<T const*>(s.data);
        for (int a = 0; a < m.rank; ++a) {
            p += (m.offset[a] - s.held.lo[a]) * s.stride[a];
            for (int l = 0; l < m.loops; ++l) by_loop[l] += m.coef[a][l] * s.stride[a];
        }
        read_.point_at(p, by_loop);
    }

    environment* env_;
    node_id id_;
    leaf_loader<T> read_;

protected:
    bool comes_first_;
};

template <class T>
void materialized<T>::ready(box const& b, function_ref<void(box&)> compute) {
    box wanted = wanted_for(b);
    index_t const asked = wanted.size();
    slot* s = &own();
    if (!(s->valid && s->held.contains(wanted))) {
        slot* const equal = placed().slot ? &env_->at(placed().slot) : s;
        if (equal->valid && equal->held.contains(wanted)) {
            s = equal;
        } else {
            watch::stage const stage(id_);
            if (placed().by == way::hoisted) {
                computing_first const now(*env_, id_);
                compute(wanted);
            } else {
                compute(wanted);
            }
            watch::count(id_, asked);
            s->held = wanted;
            s->valid = true;
        }
    }
    attach(*s);
    read_.prepare(b, scratch());
}

}  // namespace felt::inline FELT_ABI::host
