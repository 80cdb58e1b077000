// SPDX-License-Identifier: BSD-3-Clause
//
// run(how, s...) on the device. A statement is one kernel, after what does not stream. Where the
// host can reach the memory, statements with products are carried out by its loops, which
// felt/device.hpp brings.
#pragma once
#include <felt/device/alias.hpp>
#include <felt/device/copy.hpp>
#include <felt/device/stages.hpp>

namespace felt {

namespace device {

template <class N>
consteval bool has_products();
template <class... X>
consteval bool any_has_products(tuple<X...> const*) {
    return (has_products<X>() || ... || false);
}
template <class N>
consteval bool has_products() {
    if constexpr (requires { &N::label_extents; }) return true;
    else return any_has_products(static_cast<operands_of<N> const*>(nullptr));
}

// The same statement over the same memory, for the host.
struct host_leaves {
    template <class N>
    N operator()(N const& n) const {
        return n;
    }
    template <class T, std::size_t R>
    auto operator()(leaf<T, R, Device> const& n) const {
        return leaf<T, R, Host>{n.data, n.e, n.stride};
    }
};
template <class T, std::size_t R, class Space, class E>
auto for_host(statement<T, R, Space, E> const& s) {
    static_assert(is_host_memory && sizeof(E) > 0, "products on a GPU are not there yet");
    auto e = replace_leaves(host_leaves{}, s.expression);
    return statement<T, R, Host, decltype(e)>{s.data, s.e, s.stride, e, s.no_alias};
}

// 0 for an index inside, else the index, of those that are not negative the next one.
struct outside {
    index_t limit;

    template <class I>
    FELT_FN index_t operator()(I i) const {
        auto const n = static_cast<index_t>(i);
        return n < 0 ? n : n >= limit ? n + 1 : 0;
    }
};
struct first_marked {
    static constexpr char const* name = "index";
    template <class T>
    using result = T;
    template <class T>
    static FELT_FN T identity() {
        return T(0);
    }
    FELT_FN auto operator()(auto x, auto y) const { return x != 0 ? x : y; }
};

// Throws shape_error if an index of a gather or scatter_add in n is outside; waits for the device.
template <class N>
void check_gathered(N const& n) {
    apply([](auto const&... x) { (check_gathered(x), ...); }, n.operands());
    if constexpr (requires { n.limit(); }) {
        auto const marked = make_map(outside{n.limit()}, n.x.tail.head);
        index_t const found = run_to_value(
            reduce_node<first_marked, 1U, std::remove_const_t<decltype(marked)>>{{marked}});
        if (found == 0) return;
        throw shape_error(std::string(N::name) + ": index " +
                          std::to_string(found > 0 ? found - 1 : found) + " is outside axis " +
                          std::to_string(n.axis) + " of extent " + std::to_string(n.limit()));
    }
}

template <class How, class T, std::size_t R, class E>
void run_one(How, statement<T, R, Device, E> const& s) {
    check_gathered(s.expression);
    planning::graph g;
    planning::describe(s.expression, g);
    stages<How> computed(g);
    auto const n = computed.over_streams(s.expression, 0);
    auto const at = broadcast(own_loops<R>(), n.extents());
    bool const aside = !s.no_alias && reads_elsewhere(written<T, R>{s.data, s.e, s.stride}, n, &at);
    // A reduction and the like need rows in order; everything else goes anywhere.
    using N = std::remove_const_t<decltype(n)>;
    constexpr bool streams = !is_stage<fused_t, N>;
    if constexpr (streams) {
        if (!aside) return write(s.data, s.e, s.stride, n);
    } else if constexpr (N::rank == R) {
        bool const in_order = n.extents() == s.e && s.stride == RowMajor::strides(s.e);
        if (in_order && !aside) return compute(s.data, n);
    }
    storage<T, Device> const whole(n.extents().size(), false);
    compute(whole.data(), n);
    write(s.data, s.e, s.stride,
          leaf<T, N::rank, Device>{whole.data(), n.extents(), RowMajor::strides(n.extents())});
}

}  // namespace device

template <class... Space>
concept statements_are_on_the_device = (std::same_as<Space, Device> && ...);

template <class How, class... T, std::size_t... R, class... Sp, class... E>
    requires(sizeof...(E) > 0) && statements_are_on_the_device<Sp...> &&
            (std::same_as<How, fused_t> || std::same_as<How, unfused_t>)
void run(How how, statement<T, R, Sp, E> const&... s) {
    if constexpr (!host_pass) {
        return;
    } else if constexpr ((device::has_products<lowered<E>>() || ...)) {
        run(how, device::for_host(lower(s))...);
    } else {
        (device::run_one(how, lower(s)), ...);
    }
}

// The value of a full reduction; waits for the device.
template <node N>
    requires std::same_as<typename N::space, Device>
typename N::value_type run_to_value(N const& n) {
    Tensor<typename N::value_type, 0, Device> value;
    run(fused, detail::make_statement(value, n, false));
    return to<Host>(value)();
}

}  // namespace felt
