// SPDX-License-Identifier: BSD-3-Clause
//
// Networks on the host.
#include <resnet/instances.hpp>

namespace resnet {

place const& host() {
    static place_in<place, felt::Host> const h;
    return h;
}

}  // namespace resnet
