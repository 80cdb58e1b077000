// SPDX-License-Identifier: BSD-3-Clause
//
// FNV-1a of the bytes: tells other data from the same.
#pragma once
#include <cstdint>
#include <span>

namespace support {

inline std::int64_t fingerprint(std::span<std::byte const> bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::byte b : bytes) hash = (hash ^ std::to_integer<unsigned>(b)) * 0x100000001b3;
    return static_cast<std::int64_t>(hash);
}

// Of the elements of a tensor.
template <class X>
std::int64_t fingerprint_of(X const& x) {
    return fingerprint(std::as_bytes(std::span(x.data(), static_cast<std::size_t>(x.size()))));
}

}  // namespace support
