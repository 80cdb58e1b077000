// SPDX-License-Identifier: BSD-3-Clause
//
// Networks on the host.
#include <cnn/instances.hpp>
#include <cnn/learner.hpp>

namespace cnn {

place const& host() {
    static place_in<place, felt::Host> const h;
    return h;
}

}  // namespace cnn
