// SPDX-License-Identifier: BSD-3-Clause
//
// What the device.cpp of every example shares; nothing else includes this.
//
//   struct device_place : support::on_device<place> { .. };
//   place const* ae::device() {
//       static device_place const d;
//       return &d;
//   }
#pragma once
#include <felt/device.hpp>
#include <support/place.hpp>
#include <variant>
#include <vector>

namespace support {

// An optimiser in another space goes on as `from` would.
template <class To, class From>
To moved_state(From& from) {
    using vector = typename From::vector;
    using space = felt::space_of<typename To::vector>;
    To to(felt::to<space>(from.x()), from.options());
    std::vector<std::variant<felt::index_t, double, vector const*>> parts;
    from.each_part([&]<class P>(std::string const&, P& part) {
        if constexpr (felt::element<P>) parts.push_back(part);
        else parts.push_back(&part);
    });
    auto next = parts.begin();
    to.each_part([&]<class P>(std::string const&, P& part) {
        if constexpr (felt::element<P>) part = std::get<P>(*next++);
        else part = felt::to<space>(*std::get<vector const*>(*next++));
    });
    return to;
}

template <>
struct space_traits<felt::Device> {
    static constexpr bool knows_bytes = false;
    static constexpr bool knows_peak = felt::device::is_host_memory;

    static void wait() { felt::synchronize(); }
    static double transferred() {
        auto const t = felt::transfers();
        return t.to_device.seconds + t.from_device.seconds;
    }
    template <class X>
    static auto placed(X const& x) {
        return felt::to<felt::Device>(x);
    }
    template <class X>
    static auto fetched(X const& x) {
        return felt::to<felt::Host>(x);
    }
    template <class Y, class X>
    static void copy(Y const& y, X const& x) {
        felt::copy(y, x);
    }
    template <template <class, class> class O, class T>
    static O<T, felt::Device> placed_state(O<T, felt::Host>&& o) {
        return moved_state<O<T, felt::Device>>(o);
    }
    template <template <class, class> class O, class T>
    static O<T, felt::Host> fetched_state(O<T, felt::Device>&& o) {
        return moved_state<O<T, felt::Host>>(o);
    }
};

template <class Place>
struct on_device : Place {
    std::string name() const override {
        return std::string("device: Thrust over ") + felt::device::system_name;
    }
    void threads(int n) const override {
        Place::threads(n);
        felt::device::use_threads(felt::threads());
    }
    bool has_gpu() const override { return felt::device::has_gpu(); }
    double transferred() const override { return space_traits<felt::Device>::transferred(); }
};

}  // namespace support
