// SPDX-License-Identifier: BSD-3-Clause
//
// packed(w): a snapshot of w, an operand wherever w is one. It is taken when it is first used, lies
// as the product that uses it wants it, and stays until p.rebuild():
//
//     auto p = packed(w);                        // outside of the loop over time steps
//     for (..) h = tanh(matmul(p, h) + x);       // w is read and laid out once
//
// Products of several orientations keep a copy for each. Copies of p share them. What w is made of
// has to live until the snapshot is taken, and where rebuild() is called. Of what has a name,
// packed(named<"w">(W)), it has that name: derivatives by it read the snapshot, too.
#pragma once
#include <felt/expr/assign.hpp>
#include <felt/expr/notation.hpp>
#include <mutex>

namespace felt::inline FELT_ABI {

namespace detail {

// Strides of a copy that is contiguous along one axis, the others in row-major order. Rows that
// are multiples of a page apart would fall into few lines of a cache: these are one line longer.
FELT_FN inline void packed_strides(index_t const* e, int rank, int axis, index_t value_bytes,
                                   index_t* stride) {
    constexpr index_t page_bytes = 4096, line = 64;
    index_t step = e[axis];
    if (rank > 1 && step * value_bytes % page_bytes == 0) step += line / value_bytes;
    for (int r = rank - 1; r >= 0; --r) {
        if (r == axis) continue;
        stride[r] = step;
        step *= e[r];
    }
    stride[axis] = 1;
}

// The copies of a snapshot, at most one for each axis along which it is contiguous.
template <class T, std::size_t R, class Space>
class snapshot {
public:
    using view_type = View<T, R, Space>;

    explicit snapshot(extents<R> const& e) : e_(e) {}
    virtual ~snapshot() = default;

    // The copy that is contiguous along an axis, made if there is none. All hold the same values.
    leaf<T, R, Space> along(int axis) {
        std::lock_guard<std::mutex> const lock(mutex_);
        auto const a = static_cast<std::size_t>(axis);
        if (!made_[a]) {
            index_t const rows = e_[a] > 0 ? e_.size() / e_[a] : 0;
            copy_[a] = storage<T, Space>(rows * (e_[a] + 64), false);
            int const other = some();
            if (other < 0) fill(shown(axis));
            else run_copy(shown(axis), as_node(shown(other)));
            made_[a] = true;
        }
        return as_node(shown(axis));
    }

    // The values of now, in all copies that there are.
    void rebuild() {
        std::lock_guard<std::mutex> const lock(mutex_);
        for (std::size_t a = 0; a < R; ++a) {
            if (made_[a]) fill(shown(static_cast<int>(a)));
        }
    }

protected:
    template <class N>
    static void run_copy(view_type to, N const& from) {
        run(fused, make_statement(to, from, true));
    }

private:
    // What the snapshot is of, of now.
    virtual void fill(view_type const& to) const = 0;

    int some() const {
        for (std::size_t a = 0; a < R; ++a) {
            if (made_[a]) return static_cast<int>(a);
        }
        return -1;
    }
    view_type shown(int axis) const {
        extents<R> stride;
        packed_strides(e_.value, static_cast<int>(R), axis, sizeof(T), stride.value);
        return {copy_[axis].data(), e_, stride};
    }

    extents<R> e_;
    std::mutex mutex_;
    storage<T, Space> copy_[R];
    bool made_[R] = {};
};

template <class N>
using snapshot_like =
    snapshot<typename N::value_type, N::rank, join_space_t<typename N::space, Host>>;

template <class N>
class snapshot_of final : public snapshot_like<N> {
public:
    explicit snapshot_of(N n) : snapshot_like<N>(n.extents()), n_(std::move(n)) {}

private:
    void fill(typename snapshot_like<N>::view_type const& to) const override {
        this->run_copy(to, n_);
    }

    N n_;
};

}  // namespace detail

template <class T, std::size_t R, class Space>
struct FELT_LAZY packed_node {
    using value_type = T;
    using space = Space;
    static constexpr node_kind what = node_kind::leaf;
    static constexpr std::size_t rank = R;
    static constexpr char const* name = "leaf";

    std::shared_ptr<detail::snapshot<T, R, Space>> state;
    felt::extents<R> e;

    packed_node(std::shared_ptr<detail::snapshot<T, R, Space>> s, felt::extents<R> const& of)
        : state(std::move(s)), e(of) {}
    // Functions that rebuild nodes are for devices as well, but not with packed ones.
    FELT_CALLS_EITHER FELT_FN packed_node(packed_node const& n) : state(n.state), e(n.e) {}
    packed_node& operator=(packed_node const&) = default;

    FELT_HOST_DEVICE felt::extents<R> extents() const { return e; }
    FELT_HOST_DEVICE tuple<> operands() const { return {}; }
    bool has_data_of(packed_node const& n) const { return state == n.state; }
    void rebuild() const { state->rebuild(); }
};

template <class X>
concept packed_operand_has_axes = rank_of<X> > 0;

namespace detail {

// A name that another leaf may have.
template <class N>
concept name_of_a_leaf = requires(N const& n) { n.of(n.plain()); };

template <node N>
auto packed_of(N n) {
    if constexpr (name_of_a_leaf<N>) {
        return n.of(packed_of(n.plain()));
    } else {
        using space = join_space_t<typename N::space, Host>;
        auto const e = n.extents();
        return packed_node<typename N::value_type, N::rank, space>{
            std::make_shared<snapshot_of<N>>(std::move(n)), e};
    }
}

}  // namespace detail

// A snapshot has no operands, so names in it would be lost: 2 * packed(w), not packed(2 * w).
template <class X>
concept packed_operand_has_no_names_inside =
    !detail::has_notation<node_of<X>> || detail::name_of_a_leaf<node_of<X>>;

template <array_operand X>
    requires packed_operand_has_axes<X> && packed_operand_has_no_names_inside<X>
auto packed(X&& x) {
    return detail::packed_of(as_node(std::forward<X>(x)));
}

}  // namespace felt::inline FELT_ABI
