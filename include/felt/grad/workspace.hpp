// SPDX-License-Identifier: BSD-3-Clause
//
// workspace<Space>: memory for what a derived program writes besides the derivatives that were
// asked for. A program has one of its own, or the one that gradient() was given: a program that is
// derived again then takes the memory of the one before, which has ended, and allocates nothing.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/tensor/tensor.hpp>
#include <vector>

namespace felt {

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

}  // namespace derive

template <class Space = Host>
class workspace {
public:
    // All that was taken is free, and will be taken in the same order.
    void restart() { next_ = 0; }

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
        if (next_ == blocks_.size()) blocks_.emplace_back();
        block& b = blocks_[next_++];
        if (b.size() < words) b.reset(extents<1>{{words}});
        return reinterpret_cast<T*>(b.data());
    }

    using block = Tensor<double, 1, Space>;
    std::vector<block> blocks_;
    std::size_t next_ = 0;
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
    bool is_read = true;  // by the backward pass
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

    // V: an array of what is written.
    template <class V>
    void note(program_value::role_t role, char const* label, V const& x) {
        auto const e = x.extents();
        program_value v{role, label, V::rank, {}, x.data(), 0};
        for (std::size_t r = 0; r != V::rank; ++r) v.extent[r] = e[r];
        v.bytes = e.size() * static_cast<index_t>(sizeof(*x.data()));
        values.push_back(v);
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

}  // namespace felt
