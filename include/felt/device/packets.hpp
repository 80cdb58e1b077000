// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming expressions by packets: a thread computes four neighbours along the last loop, whose
// index is found once, and reads and writes 128 bits of floats at once.
#pragma once
#include <felt/device/arguments.hpp>
#include <felt/device/packet.hpp>
#include <cstdint>

namespace felt::inline FELT_ABI::device {

// A thread holds packets of so many leaves at most.
inline constexpr int most_packets = 10;

// Whether X, a reader, computes elements of leaves one by one.
template <class X>
inline constexpr bool is_of_elements = false;
template <class T, std::size_t R>
inline constexpr bool is_of_elements<leaf_reader<T, R>> = true;
template <class T>
inline constexpr bool is_of_elements<scalar_reader<T>> = true;
template <class F, class T, class... X>
inline constexpr bool is_of_elements<map_reader<F, T, X...>> = (is_of_elements<X> && ...);

template <class X>
consteval bool may_read_packets() {
    if constexpr (!is_of_elements<X>) return false;
    else return std::tuple_size_v<decltype(leaves(std::declval<X const&>()))> <= most_packets;
}

// Whether neighbours along the last of loops e lie beside each other, each four of them as a packet
// does.
template <class T, std::size_t R>
bool lies_in_packets(T const* data, extents<R> const& by, extents<R> const& e) {
    bool all = by[R - 1] == 1 && e[R - 1] % packet_size == 0 &&
               reinterpret_cast<std::uintptr_t>(data) % alignof(packet<T>) == 0;
    for (std::size_t l = 0; l + 1 < R; ++l) all = all && (e[l] == 1 || by[l] % packet_size == 0);
    return all;
}

// Four neighbours of a leaf, or one value for all.
template <class T, std::size_t R>
FELT_FN packet<T> packet_at(leaf_reader<T, R> const& x, place<R> const& at) {
    T const* const from = x.data + moved(x.by, at);
    if (x.by[R - 1] == 1) return load_packet(from);
    T const v = *from;
    return {{v, v, v, v}};
}

// F has the leaves as arguments.
template <class T, std::size_t R, class F, class... X>
struct packet_writer {
    T* data;
    extents<R> by;
    F f;
    tuple<X...> leaves;

    FELT_FN void operator()(place<R> const& at) const {
        apply([&](auto const&... x) { store(at, packet_at(x, at)...); }, leaves);
    }
    template <class... A>
    FELT_FN void store(place<R> const& at, packet<A> const&... x) const {
        packet<T> p;
        FELT_UNROLL
        for (int i = 0; i < packet_size; ++i) p.v[i] = f(x.v[i]...);
        store_packet(data + moved(by, at), p);
    }
};

// What reader x computes to data; and whether all of its leaves let it.
template <class T, std::size_t R, class X>
auto make_packet_writer(T* data, extents<R> const& by, X const& x) {
    using function = element_function<T, std::remove_cvref_t<decltype(numbered<0>::of(x))>>;
    return std::apply(
        [&]<class... L>(L const&... each) {
            return packet_writer<T, R, function, L...>{data, by, function{numbered<0>::of(x)},
                                                       felt::make_tuple(each...)};
        },
        leaves(x));
}
template <class T, std::size_t R, class F, class... X>
bool lies_in_packets(packet_writer<T, R, F, X...> const& w, extents<R> const& e) {
    auto const leaf = [&](auto const& x) {
        return x.by[R - 1] == 0 || lies_in_packets(x.data, x.by, e);
    };
    return lies_in_packets(w.data, w.by, e) &&
           apply([&](auto const&... x) { return (true && ... && leaf(x)); }, w.leaves);
}

template <std::size_t R, class... W>
struct packets_writer {
    loops<R> of;  // of the last loop a quarter
    tuple<W...> each;

    FELT_FN void operator()(count_t number) const {
        auto at = of(number);
        at[R - 1] *= packet_size;
        apply([&](auto const&... w) { (w(at), ...); }, each);
    }
};

}  // namespace felt::inline FELT_ABI::device
