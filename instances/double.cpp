// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over double.
#include <instances/instances.hpp>

namespace felt::host {

template class reader<double>;
template class boxed<double>;
template class source_of<double>;
template class viewed<double>;
template class detail::running_of<double>;
template class product_of<double>;
template void reduction<monoid::sum, double, double>::prepare_values(box const&,
                                                                     row_source<double> const&);
template void reduction<monoid::sum, double, double>::add_strip(strip_range const&,
                                                                row_source<double> const&);
template void reduction<monoid::max, double, double>::prepare_values(box const&,
                                                                     row_source<double> const&);
template void reduction<monoid::max, double, double>::add_strip(strip_range const&,
                                                                row_source<double> const&);
template void reduction<monoid::argmax, double, index_t>::prepare_values(box const&,
                                                                         row_source<double> const&);
template void reduction<monoid::argmax, double, index_t>::add_strip(strip_range const&,
                                                                    row_source<double> const&);
template void copy_box<double>(strided<double>, strided<double const>, box);
template void evaluate<double>(row_source<double> const&, loop_space const&, box const&,
                               strided<double> const&, arena&, bool);

}  // namespace felt::host
