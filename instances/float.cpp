// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over float.
#include <instances/instances.hpp>

namespace felt::host {

template class reader<float>;
template class boxed<float>;
template class detail::running_of<float>;
template class product_of<float>;
template class reduction<monoid::sum, float, float>;
template class reduction<monoid::max, float, float>;
template void copy_box<float>(strided<float>, strided<float const>, box);
template void evaluate<float>(row_source<float> const&, loop_space const&, box const&,
                              strided<float> const&, arena&, bool);

}  // namespace felt::host
