// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions of rows, and what is computed with them, of n x 1000: the row waits in cache.
#include "../../table_peers.hpp"
#include "../statement.hpp"

namespace {

using namespace bench;

study::statement const softmax{"softmax",
                               "softmax<1>(x)",
                               "rows",
                               {16, 256, 2048, 8192, 32768},
                               [](study::trial& t, index_t n) {
                                   auto const x = random({n, 1000});
                                   t.measure(felt::softmax<1>(x), softmax_of_rows(x));
                               }};

study::statement const normalised{
    "normalise",
    "(x - mean<1>(x)) / sqrt(var<1>(x) + 1e-5)",
    "rows",
    {16, 256, 2048, 8192, 32768},
    [](study::trial& t, index_t n) {
        auto const x = random({n, 1000});
        auto const mean = felt::mean<1>(x, felt::keepdims);
        t.measure((x - mean) / sqrt(felt::var<1>(x, felt::keepdims) + 1e-5f));
    }};

study::statement const distance{"distance",
                                "sum<1>(square(x - y))",
                                "rows",
                                {16, 256, 2048, 8192, 32768},
                                [](study::trial& t, index_t n) {
                                    auto const x = random({n, 1000}), y = random({n, 1000}, 2);
                                    t.measure(felt::sum<1>(square(x - y)));
                                }};

}  // namespace
