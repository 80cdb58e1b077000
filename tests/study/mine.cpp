// SPDX-License-Identifier: BSD-3-Clause
//
// A statement of a user's own in the study, as docs/07_study.md shows it.
//[mine]
#include <study/statement.hpp>

study::statement const bell{"bell",
                            "exp(-x * x) * w",
                            "elements",
                            {1 << 10, 1 << 15, 1 << 20},
                            [](study::trial& t, felt::index_t n) {
                                auto const x = bench::random({n}), w = bench::random({n}, 2);
                                t.measure(exp(-x * x) * w);
                            }};
//[mine]
