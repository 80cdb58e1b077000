// SPDX-License-Identifier: BSD-3-Clause
//
// Chains of elementwise functions, of n x n: bound by memory, or by what functions cost.
#include "../../table_peers.hpp"
#include "../statement.hpp"

namespace {

using namespace bench;

study::statement const clipped{"clip",
                               "clip((x * row + column) / 2 - abs(x), -1, 1)",
                               "n",
                               {64, 256, 1024, 2048, 4096},
                               [](study::trial& t, index_t n) {
                                   auto const x = random({n, n}), column = random({n, 1}, 2);
                                   auto const row = random({n}, 3);
                                   t.measure(clip((x * row + column) * 0.5f - abs(x), -1.f, 1.f),
                                             clipping(x, row, column));
                               }};

study::statement const transposed{"transpose",
                                  "x + transpose(x)",
                                  "n",
                                  {64, 256, 1024, 2048, 4096},
                                  [](study::trial& t, index_t n) {
                                      auto const x = random({n, n});
                                      t.measure(x + transpose(x), adding_transpose(x));
                                  }};

study::statement const gelu{
    "gelu",
    "x / 2 * (1 + tanh(0.797885 * (x + 0.044715 * x^3)))",
    "n",
    {64, 256, 1024, 2048, 4096},
    [](study::trial& t, index_t n) {
        auto const x = random({n, n});
        t.measure(x * 0.5f * (1 + tanh(0.797885f * (x + 0.044715f * x * x * x))),
                  {by_eigen(x, n, n, [](auto const& v) {
                      return v * 0.5f * (1.f + (0.797885f * (v + 0.044715f * v * v * v)).tanh());
                  })});
    }};

}  // namespace
