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

// `to`, an optimiser of as many parameters in any space, goes on as `from` would.
template <class From, class To>
void hand_over(From& from, To& to) {
    using vector = typename From::vector;
    std::vector<std::variant<felt::index_t, double, vector const*>> parts;
    from.each_part([&]<class P>(std::string const&, P& part) {
        if constexpr (felt::element<P>) parts.push_back(part);
        else parts.push_back(&part);
    });
    auto next = parts.begin();
    to.each_part([&]<class P>(std::string const&, P& part) {
        if constexpr (felt::element<P>) part = std::get<P>(*next++);
        else part = felt::to<felt::space_of<P>>(*std::get<vector const*>(*next++));
    });
}

}  // namespace support
