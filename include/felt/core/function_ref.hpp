// SPDX-License-Identifier: BSD-3-Clause
//
// function_ref<R(A...)>: a callable of whoever calls, for the time of the call. Code that takes
// one is compiled once, whatever it is handed.
#pragma once
#include <felt/core/version.hpp>
#include <concepts>
#include <memory>
#include <type_traits>

namespace felt::inline FELT_ABI {

template <class Signature>
class function_ref;

template <class R, class... A>
class function_ref<R(A...)> {
public:
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, function_ref>)
    function_ref(F&& f)
        : self_(const_cast<void*>(static_cast<void const*>(std::addressof(f)))),
          call_([](void* self, A... a) -> R {
              return (*static_cast<std::remove_reference_t<F>*>(self))(static_cast<A>(a)...);
          }) {}

    R operator()(A... a) const { return call_(self_, static_cast<A>(a)...); }

private:
    void* self_;
    R (*call_)(void*, A...);
};

}  // namespace felt::inline FELT_ABI
