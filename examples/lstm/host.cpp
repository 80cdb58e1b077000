// SPDX-License-Identifier: BSD-3-Clause
//
// The language model on the host.
#include <lstm/instances.hpp>
#include <lstm/learner.hpp>

lstm::place const& lstm::host() {
    static place_in<place, felt::Host> const h;
    return h;
}
