// SPDX-License-Identifier: BSD-3-Clause
//
// workspace<Space>: memory for what a derived program writes besides the derivatives that were
// asked for. A program has one of its own, or the one that gradient() was given: a program that is
// derived again then takes the memory of the one before, which has ended, and allocates nothing.
//
// What is needed at different times shares memory. Where, is known after all of it was taken once;
// until then addresses are none that anything may be read from.
#pragma once
#include <algorithm>
#include <cstdint>
#include <felt/expr/assign.hpp>
#include <felt/grad/memory_order.hpp>
#include <felt/tensor/tensor.hpp>
#include <limits>
#include <vector>

namespace felt::inline FELT_ABI {

namespace derive {

template <std::size_t R>
struct strides_of_size {
    extents<R> stride;
    index_t size;  // elements
};
// Strides of extents e that lie in the order of `like`; values of more than a byte: rows that are a
// multiple of a page long are a cache line longer.
template <std::size_t R>
strides_of_size<R> ordered_strides(extents<R> const& e, extents<R> const& like,
                                   index_t value_bytes) {
    strides_of_size<R> to{{}, 1};
    bool done[extents<R>::stored] = {};
    for (std::size_t k = 0; k != R; ++k) {
        std::size_t next = R;
        for (std::size_t r = R; r-- > 0;) {
            if (!done[r] && (next == R || like[r] < like[next])) next = r;
        }
        done[next] = true;
        to.stride[next] = to.size;
        to.size *= e[next];
        bool const page = value_bytes > 1 && to.size * value_bytes % 4096 == 0;
        if (k == 0 && R > 1 && page) to.size += 64 / value_bytes;
    }
    return to;
}

// The first and the last of the runs in which memory is written or read.
struct lifetime {
    int first, last;
    bool meets(lifetime const& o) const { return first <= o.last && o.first <= last; }
};
inline constexpr int for_ever = std::numeric_limits<int>::max();
inline constexpr int until_the_end = for_ever - 1;  // of the backward pass
using lifetimes = std::vector<lifetime>;            // of what is taken, in that order

// Addresses where nothing lies, far apart; and which of them one is near, or -1.
inline std::uintptr_t address_of_nothing(std::size_t take) {
    return (std::uintptr_t(1) << 63) + ((2 * take + 1) << 39);
}
inline std::ptrdiff_t take_of_address(void const* p) {
    auto const at = reinterpret_cast<std::uintptr_t>(p);
    if (at >> 63 == 0) return -1;
    return static_cast<std::ptrdiff_t>((at << 1) >> 41);
}

}  // namespace derive

template <class Space = Host>
class workspace {
public:
    // What only a backward pass needs lies in `scratch`, which outlives this: programs that run one
    // after the other share that, though what they keep for their backward passes is their own. It
    // may move when one of them is derived: derive a program anew before it runs after another.
    static workspace with(workspace& scratch) {
        workspace own;
        own.scratch_ = &scratch;
        return own;
    }

    // All that was taken is free, and will be taken in the same order. What lives at different
    // times may share memory; without lifetimes, which outlive this, all of it lives together.
    void restart(derive::lifetimes const* lives = nullptr) {
        if (lives != lives_) places_.clear();
        lives_ = lives, is_placed_ = true;
        words_.clear();
    }
    // Whether all that was taken has memory. If not, it will have when it is taken once more.
    bool is_settled() {
        if (!is_placed_) place();
        return is_placed_;
    }

    template <class T, std::size_t R>
    View<T, R, Space> take(extents<R> const& e) {
        return felt::view<RowMajor, Space>(take_elements<T>(e.size()), e);
    }
    // The same, with axes in the order of these strides.
    template <class T, std::size_t R>
    View<T, R, Space> take_like(extents<R> const& e, extents<R> const& like) {
        auto const all = derive::ordered_strides(e, like, 1);
        return {take_elements<T>(e.size()), e, all.stride};
    }
    // So many steps of extents e. Rows are not a multiple of a page apart: those would share few
    // lines of a cache.
    template <class T, std::size_t R>
    View<T, R + 1, Space> take_series(index_t steps, extents<R> const& e, extents<R> const& like) {
        auto const one = derive::ordered_strides(e, like, static_cast<index_t>(sizeof(T)));
        extents<R + 1> all{{steps}}, stride{{one.size}};
        for (std::size_t r = 0; r != R; ++r) all[r + 1] = e[r], stride[r + 1] = one.stride[r];
        return {take_elements<T>(steps * one.size), all, stride};
    }

    std::size_t takes() const { return words_.size(); }
    index_t bytes() const {
        index_t all = 0;
        for (block const& b : blocks_) all += b.size() * static_cast<index_t>(sizeof(double));
        return all;
    }

private:
    template <class T>
    T* take_elements(index_t count) {
        auto const bytes = static_cast<std::size_t>(count) * sizeof(T);
        auto const words = static_cast<index_t>((bytes + sizeof(double) - 1) / sizeof(double));
        std::size_t const k = words_.size();
        words_.push_back(words);
        if (lives_ == nullptr) return reinterpret_cast<T*>(block_in(blocks_, k, words).data());
        auto const* at = k < places_.size() ? &blocks_for(k)[places_[k]] : nullptr;
        bool const fits = at != nullptr && at->size() >= words;
        is_placed_ = is_placed_ && fits;
        return reinterpret_cast<T*>(fits ? reinterpret_cast<std::uintptr_t>(at->data())
                                         : derive::address_of_nothing(k));
    }

    using block = Tensor<double, 1, Space>;

    static block& block_in(std::vector<block>& all, std::size_t k, index_t words) {
        if (k >= all.size()) all.resize(k + 1);
        if (all[k].size() < words) all[k].reset(extents<1>{{words}});
        return all[k];
    }
    bool is_in_scratch(std::size_t take) const {
        return scratch_ != nullptr && (*lives_)[take].last != derive::for_ever;
    }
    std::vector<block>& blocks_for(std::size_t take) {
        return is_in_scratch(take) ? scratch_->blocks_ : blocks_;
    }
    // Largest first, each into the first block in which nothing lives at its time.
    void place() {
        std::vector<std::size_t> order(words_.size());
        for (std::size_t k = 0; k != order.size(); ++k) order[k] = k;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return words_[a] != words_[b] ? words_[a] > words_[b] : a < b;
        });
        places_.assign(order.size(), 0);
        std::vector<derive::lifetimes> living[2];  // in each block
        for (std::size_t k : order) {
            auto const& life = (*lives_)[k];
            auto const meets = [&](auto const& o) { return o.meets(life); };
            auto& in = living[is_in_scratch(k)];
            std::size_t b = 0;
            while (b != in.size() && std::any_of(in[b].begin(), in[b].end(), meets)) ++b;
            if (b == in.size()) in.emplace_back();
            in[b].push_back(life);
            block_in(blocks_for(k), places_[k] = b, words_[k]);
        }
    }

    workspace* scratch_ = nullptr;
    std::vector<block> blocks_;
    derive::lifetimes const* lives_ = nullptr;
    std::vector<index_t> words_;       // of each take
    std::vector<std::size_t> places_;  // the block of each
    bool is_placed_ = true;
};

// A value that a program has in memory.
struct program_value {
    enum role_t { kept, beside, derivative };

    role_t role;
    char const* label;  // of the part that it is, lies beside, or is the derivative by
    std::size_t rank;
    index_t extent[max_rank];
    void const* data;
    index_t bytes;
};

namespace derive {

template <class N>
inline constexpr bool is_leaf = false;
template <class T, std::size_t R, class Space>
inline constexpr bool is_leaf<leaf<T, R, Space>> = true;

// Where a program has its values, and which these are.
template <class Space>
struct program_memory {
    workspace<Space>& own;
    std::vector<program_value> values;
    memory_order order;

    // V: an array of what is written.
    template <class V>
    void note(program_value::role_t role, char const* label, V const& x) {
        auto const e = x.extents();
        program_value v{role, label, V::rank, {}, x.data(), 0};
        for (std::size_t r = 0; r != V::rank; ++r) v.extent[r] = e[r];
        v.bytes = e.size() * static_cast<index_t>(sizeof(*x.data()));
        values.push_back(v);
    }
    // The same of a value that is kept.
    template <class V>
    void note_kept(char const* label, V const& x, bool in_loop) {
        note(program_value::kept, label, x);
        order.keeps(label, bytes_of(as_node(x)), in_loop);
    }
    // Memory of the program's own for the values of e.
    template <class E>
    auto take(program_value::role_t role, char const* label, E const& e) {
        auto const to = own.template take<value_of<E>>(e.extents());
        note(role, label, to);
        return to;
    }
    // The same, lying as the first array that `like` is made of does, if that has these extents.
    template <class E, class Like>
    auto take(program_value::role_t role, char const* label, E const& e, Like const& like) {
        auto stride = RowMajor::strides(e.extents());
        (void)find_strides(like, e.extents(), stride);
        auto const to = own.template take_like<value_of<E>>(e.extents(), stride);
        note(role, label, to);
        return to;
    }

private:
    template <class N, std::size_t R>
    static bool find_strides(N const& n, extents<R> const& e, extents<R>& stride) {
        if constexpr (is_leaf<N>) {
            if constexpr (N::rank == R) {
                if (n.e == e) stride = n.stride;
                return n.e == e;
            } else {
                return false;
            }
        } else {
            return apply([&](auto const&... x) { return (find_strides(x, e, stride) || ...); },
                         n.operands());
        }
    }
};

// The statement that writes e into memory of the program's own, and how it is read.
template <class V, class E>
auto own_statement(V const& to, E const& e) {
    auto s = detail::make_statement(to, e, false);
    s.owner = 0;  // it moves with the program
    return s;
}
template <class V>
auto own_leaf(V const& memory) {
    auto n = as_node(memory);
    n.owner = 0;
    return n;
}

}  // namespace derive

}  // namespace felt::inline FELT_ABI
