// SPDX-License-Identifier: BSD-3-Clause
//
// workspace<Space>: memory for what a derived program writes besides the derivatives that were
// asked for. A program has one of its own, or the one that gradient() was given: a program that is
// derived again then takes the memory of the one before, which has ended, and allocates nothing.
#pragma once
#include <felt/tensor/tensor.hpp>
#include <vector>

namespace felt {

template <class Space = Host>
class workspace {
public:
    // All that was taken is free, and will be taken in the same order.
    void restart() { next_ = 0; }

    template <class T, std::size_t R>
    View<T, R, Space> take(extents<R> const& e) {
        return felt::view<RowMajor, Space>(take_elements<T>(e.size()), e);
    }
    // So many steps of extents e, whose axes lie in the order of these strides. Rows are not a
    // multiple of a page apart: those would share few lines of a cache.
    template <class T, std::size_t R>
    View<T, R + 1, Space> take_series(index_t steps, extents<R> const& e, extents<R> const& like) {
        extents<R + 1> all, stride;
        bool done[extents<R>::stored] = {};
        index_t size = 1;
        for (std::size_t k = 0; k != R; ++k) {
            std::size_t next = R;
            for (std::size_t r = R; r-- > 0;) {
                if (!done[r] && (next == R || like[r] < like[next])) next = r;
            }
            done[next] = true;
            all[next + 1] = e[next], stride[next + 1] = size;
            size *= e[next];
            auto const bytes = size * static_cast<index_t>(sizeof(T));
            if (k == 0 && R > 1 && bytes % 4096 == 0) size += 64 / static_cast<index_t>(sizeof(T));
        }
        all[0] = steps, stride[0] = size;
        return {take_elements<T>(steps * size), all, stride};
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
};

}  // namespace derive

}  // namespace felt
