// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over double.
#include <instances/instances.hpp>

namespace felt::host {

template class reader<double>;
template class boxed<double>;
template class detail::running_of<double>;
template class product_of<double>;
template class reduction<monoid::sum, double, double>;
template class reduction<monoid::max, double, double>;
template void copy_box<double>(strided<double>, strided<double const>, box);
template void evaluate<double>(row_source<double> const&, loop_space const&, box const&,
                               strided<double> const&, arena&, bool);

}  // namespace felt::host
