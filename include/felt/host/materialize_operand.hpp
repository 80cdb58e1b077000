// SPDX-License-Identifier: BSD-3-Clause
//
// source: the operand of a view, as memory. What a leaf holds is read where it lies; an expression
// is evaluated into scratch, box by box.
#pragma once
#include <felt/host/materialized.hpp>
#include <felt/plan/1_analysis/queries.hpp>

namespace felt::inline FELT_ABI::host {

// Everything of a source but its operand's type.
template <class T>
class materialized_operand {
public:
    materialized_operand(environment& env, node_id id) : env_(&env), id_(id) {
        planning::graph const& g = env.p.g;
        planning::schedule const& s = env.p.s;
        node_id const leaf = planning::detail::leaf_read_by(g, id);
        if (!leaf || s[id].by == way::hoisted) return;
        direct_ =
            static_cast<T const*>(planning::data_of(g, s, leaf)) + planning::offset_of(g, s, leaf);
        by_axis_ = planning::by_loop_of(g, s, leaf);
    }

    // Element i... of operand x is at data[sum i * stride], for i inside b.
    [[gnu::noinline]] strided<T const> elements(box const& b, row_source<T> const& x);

    // Those elements to where `to` has element 0, 0, ...: computed there, or copied. `streaming`:
    // past the caches.
    [[gnu::noinline]] void put(box const& b, row_source<T> const& x, strided<T> to, bool streaming);

private:
    environment* env_;
    node_id id_;
    T const* direct_ = nullptr;
    index_t const* by_axis_ = nullptr;
    T* room_ = nullptr;
    index_t capacity_ = 0;
    bool held_ = false;
    box box_;
};

template <class T>
strided<T const> materialized_operand<T>::elements(box const& asked, row_source<T> const& x) {
    strided<T const> out{direct_, {}};
    int const rank = asked.rank;
    if (direct_ != nullptr) {
        std::copy(by_axis_, by_axis_ + rank, out.stride);
        return out;
    }
    planning::node const& f = env_->described(id_);
    loop_view const in = env_->loops(f.space);
    bool const first = env_->placed(id_).by == way::hoisted;
    node_id const same = env_->placed(id_).slot;
    if (first && f.inner) {  // it is whole in its slot
        x.prepare(asked);
        slot const& s = env_->at(same);
        out.data = static_cast<T const*>(s.data);
        for (int a = 0; a < rank; ++a) {
            out.stride[a] = s.stride[a];
            out.data -= s.stride[a] * s.held.lo[a];
        }
        return out;
    }
    box const b = first ? planning::whole_box(f.extent, rank) : asked;
    strided<T> to{nullptr, {}};
    index_t size = in.lane < 0 ? 1 : b.extent(in.lane);
    if (in.lane >= 0) to.stride[in.lane] = 1;
    for (int a = rank - 1; a >= 0; --a) {
        if (a == in.lane) continue;
        to.stride[a] = size;
        size *= b.extent(a);
    }
    slot& shared = env_->at(same ? same : id_);  // by threads, and by equal sources
    if (first && shared.valid) {
        room_ = static_cast<T*>(shared.data);
        std::copy(shared.stride, shared.stride + rank, to.stride);
        held_ = true;
    } else if (size > capacity_) {
        // At once as much as the largest box takes, as the plan counts.
        if (!first) size = std::max(size, planning::detail::product(in.block, rank));
        auto const bytes = size * static_cast<index_t>(sizeof(T)) + 64;
        room_ = first ? static_cast<T*>(env_->buffers.take(bytes, planning::uncounted_bytes + 64))
                      : env_->scratch.template take<T>(size);
        capacity_ = size;
    }
    to.data = room_;
    for (int a = 0; a < rank; ++a) to.data -= to.stride[a] * b.lo[a];
    bool const here = first ? held_ : held_ && box_.contains(b) && b.contains(box_);
    if (!here) {
        if (first) {
            computing_first const now(*env_, id_);
            evaluate(x, in, b, to, env_->scratch);
        } else {
            evaluate(x, in, b, to, env_->scratch);
        }
        if (!f.inner) watch::count(id_, b.size());
        box_ = b;
        held_ = true;
        if (first) {
            shared.data = room_, shared.valid = true;
            std::copy(to.stride, to.stride + rank, shared.stride);
        }
    }
    out.data = to.data;
    std::copy(to.stride, to.stride + max_axes, out.stride);
    return out;
}

template <class T>
void materialized_operand<T>::put(box const& b, row_source<T> const& x, strided<T> to,
                                  bool streaming) {
    if (direct_ == nullptr && env_->placed(id_).by != way::hoisted) {
        loop_view const in = env_->loops(env_->described(id_).space);
        bool const rows = in.lane >= 0 && to.stride[in.lane] == 1;
        evaluate(x, in, b, to, env_->scratch, streaming && rows);
        if (!env_->described(id_).inner) watch::count(id_, b.size());
        return;
    }
    strided<T const> from = elements(b, x);
    for (int a = 0; a < b.rank; ++a) {
        from.data += from.stride[a] * b.lo[a];
        to.data += to.stride[a] * b.lo[a];
    }
    copy_box(to, from, b, streaming);
    if (streaming) streaming_ends();
}

// The elements of an operand over a box of its axes, in memory.
template <class N>
class source : public materialized_operand<typename N::value_type> {
    using T = typename N::value_type;

public:
    source(N const& n, environment& env, node_id id)
        : materialized_operand<T>(env, id), x_(n, env, id) {
        if (env.placed(id).by != way::hoisted || env.described(id).inner) return;
        env.first.push_back({this, [](void* s) {
                                 auto& own = *static_cast<source*>(s);
                                 own.elements(planning::first_point(static_cast<int>(N::rank)));
                             }});
    }

    // The operand itself, for who reads it in the operand's own loops.
    bound<N>& values() { return x_; }
    bound<N> const& values() const { return x_; }

    strided<T const> elements(box const& b) {
        return materialized_operand<T>::elements(b, rows_of(x_));
    }
    void put(box const& b, strided<T> const& to, bool streaming) {
        materialized_operand<T>::put(b, rows_of(x_), to, streaming);
    }

private:
    bound<N> x_;
};

}  // namespace felt::inline FELT_ABI::host
