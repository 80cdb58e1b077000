// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming expressions to memory, in one launch: a thread computes its element of each of them in
// their order, whatever nodes they have.
#pragma once
#include <felt/device/launch.hpp>
#include <felt/device/launches.hpp>
#include <felt/device/packets.hpp>
#include <felt/device/transform.hpp>

namespace felt::inline FELT_ABI::device {

// n, to be written to memory of these strides.
template <class T, std::size_t R, class N>
struct target {
    using value_type = T;
    using node = N;

    T* data;
    extents<R> stride;
    N n;
};

// Where axes are while the loops of a walk run.
template <std::size_t R>
axes<R, R> axes_of(walk const& w, index_t const (&offset)[max_axes]) {
    axes<R, R> m{};
    for (std::size_t l = 0; l != R; ++l) {
        if (w.axis[l] < 0) continue;
        auto const a = static_cast<std::size_t>(w.axis[l]);
        m.coef[a][l] = 1;
        m.offset[a] = offset[l];
    }
    return m;
}
template <std::size_t R>
extents<R> extents_of(walk const& w) {
    extents<R> e;
    std::copy(w.extent, w.extent + R, e.value);
    return e;
}

template <class T, std::size_t R, class X>
struct element_writer {
    T* data;
    extents<R> by;
    X x;

    FELT_FN void operator()(place<R> const& at) const { data[moved(by, at)] = x(at); }
};
template <class T, std::size_t R, class N>
auto writer(target<T, R, N> const& to, axes<R, R> const& m) {
    auto x = reader(to.n, broadcast(m, to.n.extents()));
    auto const at = along(m, to.stride);
    return element_writer<T, R, decltype(x)>{to.data + at.begin, at.by, x};
}

template <std::size_t R, class... W>
struct elements_writer {
    loops<R> of;
    tuple<W...> each;

    FELT_FN void operator()(count_t number) const {
        auto const at = of(number);
        apply([&](auto const&... w) { (w(at), ...); }, each);
    }
};

// By packets, if all writers let it: whether it did.
template <std::size_t R, class... T, class... X>
bool write_packets(walk const& w, element_writer<T, R, X> const&... to) {
    if constexpr (R > 0 && (may_read_packets<X>() && ...)) {
        auto e = extents_of<R>(w);
        auto const each = felt::make_tuple(make_packet_writer(to.data, to.by, to.x)...);
        if (!apply([&](auto const&... p) { return (lies_in_packets(p, e) && ...); }, each))
            return false;
        e[R - 1] /= packet_size;
        launch<count_t>(w.size() / packet_size,
                        spread(
                            [&]<class... P>(P const&... p) {
                                return packets_writer<R, P...>{loops<R>(e), felt::make_tuple(p...)};
                            },
                            each),
                        "assign");
        return true;
    }
    return false;
}

// All of them, as the launch says.
template <std::size_t R, class... T, class... N>
void write(launch_facts const& l, target<T, R, N> const&... to) {
    if constexpr ((may_run_on<N, R>() && ...)) {
        if (l.how == form::transform) {
            index_t const start[max_axes] = {};
            auto const m = axes_of<R>(l.loops, start);
            return transform(l.loops.size(), felt::make_tuple(writer(to, m).data...),
                             felt::make_tuple(writer(to, m).x...));
        }
    }
    in_pieces(l.loops, [&](walk const& w, index_t const(&offset)[max_axes]) {
        auto const m = axes_of<R>(w, offset);
        auto const each = felt::make_tuple(writer(to, m)...);
        if (spread([&](auto const&... x) { return write_packets(w, x...); }, each)) return;
        launch<count_t>(
            w.size(),
            elements_writer<R, decltype(writer(to, m))...>{loops<R>(extents_of<R>(w)), each},
            "assign");
    });
}

}  // namespace felt::inline FELT_ABI::device
