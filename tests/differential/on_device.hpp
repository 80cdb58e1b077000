// SPDX-License-Identifier: BSD-3-Clause
//
// Statements carried out by the plan of a device, over the same memory, products by emulated
// blocks.
#pragma once
#include <felt/device.hpp>

namespace test {

struct device_leaves {
    template <class N>
    N operator()(N const& n) const {
        return n;
    }
    template <class T, std::size_t R>
    auto operator()(felt::leaf<T, R, felt::Host> const& n) const {
        return felt::leaf<T, R, felt::Device>{n.data, n.e, n.stride};
    }
};

template <class How, class T, std::size_t R, class E>
void execute(How how, felt::statement<T, R, felt::Host, E> const& s) {
    auto const l = lower(s);
    auto const e = felt::replace_leaves(device_leaves{}, l.expression);
    using N = std::remove_const_t<decltype(e)>;
    run(how, felt::statement<T, R, felt::Device, N>{l.data, l.e, l.stride, e, l.no_alias});
}

}  // namespace test
