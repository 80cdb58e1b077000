// SPDX-License-Identifier: BSD-3-Clause
//
// A step in float, unfused, and what comes before the first.
#include <fista/instances.hpp>

namespace felt {

template double largest_eigenvalue<float>(Tensor<float, 2> const&, double, int);
template dictionary<float>::dictionary(Tensor<float, 2>);
template fista<float>::fista(dictionary<float> const&, View<float const, 2>, fista_options const&);
template void fista<float>::step<unfused_t>(unfused_t);

}  // namespace felt
