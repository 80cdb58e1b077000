// SPDX-License-Identifier: BSD-3-Clause
//
// A space as a device will be one: its tensors have addresses, but the host cannot follow them.
// What a space brings is here: storage<T, Space>, and beside the tag, where argument-dependent
// lookup finds them, run(fused, ..), run(unfused, ..) and run_to_value. These carry the
// statements out by the host's loops, over the memory behind the addresses.
#pragma once
#include <felt/felt.hpp>

namespace test {

struct remote {
    static constexpr bool element_access = false;
};

// One bit away from where the elements are, in the part of an address that no process has.
template <class T>
T* moved(T* p) {
    constexpr std::uintptr_t far = std::uintptr_t{1} << 55;
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(p) ^ far);
}

}  // namespace test

template <class T>
class felt::storage<T, test::remote> {
public:
    storage() = default;
    storage(index_t n, bool zero) : memory_(n, zero) {}

    T* data() const { return test::moved(memory_.data()); }
    index_t size() const { return memory_.size(); }
    storage copy() const {
        storage made;
        made.memory_ = memory_.copy();
        return made;
    }

private:
    storage<T, Host> memory_;
};

namespace test {

// The same expression, or statement, over the memory itself.
template <class X>
auto on_host(X const& x) {
    return felt::in_space<felt::Host>(x, [](auto* p) { return moved(p); });
}

template <class... T, std::size_t... R, class... E>
void run(felt::fused_t how, felt::statement<T, R, remote, E> const&... s) {
    felt::run(how, on_host(s)...);
}
template <class... T, std::size_t... R, class... E>
void run(felt::unfused_t how, felt::statement<T, R, remote, E> const&... s) {
    felt::run(how, on_host(s)...);
}
template <felt::node N>
    requires std::same_as<typename N::space, remote>
auto run_to_value(N const& n) {
    return felt::run_to_value(on_host(n));
}

// A copy whose elements can be read.
template <class T, std::size_t R, class Space>
felt::Tensor<T, R> fetched(felt::Tensor<T, R, Space> const& x) {
    return felt::eval(on_host(felt::as_node(x)));
}

}  // namespace test
