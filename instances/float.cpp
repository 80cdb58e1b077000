// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over float.
#include <instances/instances.hpp>

namespace felt::host {

template class reader<float>;
template class boxed<float>;
template class source_of<float>;
template class viewed<float>;
template class detail::running_of<float>;
template class product_of<float>;
template void reduction<monoid::sum, float, float>::prepare_values(box const&,
                                                                   row_source<float> const&);
template void reduction<monoid::sum, float, float>::add_strip(strip_range const&,
                                                              row_source<float> const&);
template void reduction<monoid::max, float, float>::prepare_values(box const&,
                                                                   row_source<float> const&);
template void reduction<monoid::max, float, float>::add_strip(strip_range const&,
                                                              row_source<float> const&);
template void reduction<monoid::argmax, float, index_t>::prepare_values(box const&,
                                                                        row_source<float> const&);
template void reduction<monoid::argmax, float, index_t>::add_strip(strip_range const&,
                                                                   row_source<float> const&);
template void copy_box<float>(strided<float>, strided<float const>, box);
template void evaluate<float>(row_source<float> const&, loop_space const&, box const&,
                              strided<float> const&, arena&, bool);

}  // namespace felt::host
