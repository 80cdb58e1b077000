// SPDX-License-Identifier: BSD-3-Clause
//
// type_mark<T>(): an address that stands for the type T.
#pragma once
#include <felt/core/version.hpp>

namespace felt::inline FELT_ABI {

namespace detail {
// Linkers that fold what is equal give functions, and constants, of different types one address.
// What may be written to they leave alone.
template <class T>
inline char marked_by_its_address = 0;
}  // namespace detail

template <class T>
constexpr void const* type_mark() {
    return &detail::marked_by_its_address<T>;
}

}  // namespace felt::inline FELT_ABI
