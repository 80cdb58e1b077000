// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over indices, counts and conditions.
#include <instances/instances.hpp>

namespace felt::host {

template class reader<int>;
template class boxed<int>;
template class source_of<int>;
template class viewed<int>;
template class detail::running_of<int>;
template void copy_box<int>(strided<int>, strided<int const>, box);
template void evaluate<int>(row_source<int> const&, loop_space const&, box const&,
                            strided<int> const&, arena&, bool);

template class reader<index_t>;
template class boxed<index_t>;
template class source_of<index_t>;
template class viewed<index_t>;
template class detail::running_of<index_t>;
template void copy_box<index_t>(strided<index_t>, strided<index_t const>, box);
template void evaluate<index_t>(row_source<index_t> const&, loop_space const&, box const&,
                                strided<index_t> const&, arena&, bool);

template class reader<unsigned char>;
template class boxed<unsigned char>;
template class source_of<unsigned char>;
template class viewed<unsigned char>;
template class detail::running_of<unsigned char>;
template void reduction<monoid::any, unsigned char, unsigned char>::prepare_values(
    box const&, row_source<unsigned char> const&);
template void reduction<monoid::any, unsigned char, unsigned char>::add_strip(
    strip_range const&, row_source<unsigned char> const&);
template void reduction<monoid::all, unsigned char, unsigned char>::prepare_values(
    box const&, row_source<unsigned char> const&);
template void reduction<monoid::all, unsigned char, unsigned char>::add_strip(
    strip_range const&, row_source<unsigned char> const&);
template void copy_box<unsigned char>(strided<unsigned char>, strided<unsigned char const>, box);

template class reader<bool>;
template class boxed<bool>;
template class source_of<bool>;
template class viewed<bool>;
template class detail::running_of<bool>;
template void copy_box<bool>(strided<bool>, strided<bool const>, box);
template void evaluate<bool>(row_source<bool> const&, loop_space const&, box const&,
                             strided<bool> const&, arena&, bool);

}  // namespace felt::host
