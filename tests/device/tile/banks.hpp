// SPDX-License-Identifier: BSD-3-Clause
//
// The 32 banks of a GPU's shared memory, of 4 bytes each: an access waits for the bank that most of
// its addresses are in.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace test {

// How many different numbers the busiest bank is asked for at once. `to`: the addresses of the
// threads of a warp, `width` numbers each; so many threads at once that 32 numbers are asked for.
inline int most_in_a_bank(std::vector<float const*> const& to, int width) {
    auto const together = static_cast<std::size_t>(32 / width);
    std::size_t most = 0;
    for (std::size_t first = 0; first < to.size(); first += together) {
        std::vector<float const*> banks[32];
        for (std::size_t t = first; t < std::min(first + together, to.size()); ++t) {
            for (int j = 0; j < width; ++j) {
                auto& bank = banks[reinterpret_cast<std::uintptr_t>(to[t] + j) / 4 % 32];
                if (std::count(bank.begin(), bank.end(), to[t] + j) == 0) bank.push_back(to[t] + j);
                most = std::max(most, bank.size());
            }
        }
    }
    return static_cast<int>(most);
}

}  // namespace test
