// SPDX-License-Identifier: BSD-3-Clause
//
// What our own programs share and what is compiled once for all of them, in this folder: planning,
// and the loops of the types that they use most. The rest of a statement is compiled where it
// stands. Felt needs none of this.
#pragma once
#include <felt/felt.hpp>

namespace felt {

extern template struct apart<&detail::text_of>;
extern template struct apart<&detail::check_labels>;
extern template struct apart<&planning::detail::add_node>;
extern template struct apart<&planning::detail::add_described>;
extern template struct apart<&planning::detail::plan_all>;
extern template struct apart<&planning::detail::plan_shared>;
extern template struct apart<&planning::detail::intermediates_of>;
extern template struct apart<&planning::detail::flops_of>;
extern template struct apart<&planning::detail::bytes_of>;
extern template struct apart<&planning::detail::bytes_unfused_of>;
extern template struct apart<&planning::detail::print>;
extern template struct apart<&host::carry_out>;

namespace host {

extern template class reader<float>;
extern template class boxed<float>;
extern template class source_of<float>;
extern template class viewed<float>;
extern template class detail::running_of<float>;
extern template class product_of<float>;
extern template void reduction<monoid::sum, float, float>::prepare_values(box const&,
                                                                          row_source<float> const&);
extern template void reduction<monoid::sum, float, float>::add_strip(strip_range const&,
                                                                     row_source<float> const&);
extern template void reduction<monoid::max, float, float>::prepare_values(box const&,
                                                                          row_source<float> const&);
extern template void reduction<monoid::max, float, float>::add_strip(strip_range const&,
                                                                     row_source<float> const&);
extern template void reduction<monoid::argmax, float, index_t>::prepare_values(
    box const&, row_source<float> const&);
extern template void reduction<monoid::argmax, float, index_t>::add_strip(strip_range const&,
                                                                          row_source<float> const&);
extern template void copy_box<float>(strided<float>, strided<float const>, box);
extern template void evaluate<float>(row_source<float> const&, loop_space const&, box const&,
                                     strided<float> const&, arena&, bool);

extern template class reader<double>;
extern template class boxed<double>;
extern template class source_of<double>;
extern template class viewed<double>;
extern template class detail::running_of<double>;
extern template class product_of<double>;
extern template void reduction<monoid::sum, double, double>::prepare_values(
    box const&, row_source<double> const&);
extern template void reduction<monoid::sum, double, double>::add_strip(strip_range const&,
                                                                       row_source<double> const&);
extern template void reduction<monoid::max, double, double>::prepare_values(
    box const&, row_source<double> const&);
extern template void reduction<monoid::max, double, double>::add_strip(strip_range const&,
                                                                       row_source<double> const&);
extern template void reduction<monoid::argmax, double, index_t>::prepare_values(
    box const&, row_source<double> const&);
extern template void reduction<monoid::argmax, double, index_t>::add_strip(
    strip_range const&, row_source<double> const&);
extern template void copy_box<double>(strided<double>, strided<double const>, box);
extern template void evaluate<double>(row_source<double> const&, loop_space const&, box const&,
                                      strided<double> const&, arena&, bool);

extern template class reader<int>;
extern template class boxed<int>;
extern template class source_of<int>;
extern template class viewed<int>;
extern template class detail::running_of<int>;
extern template void copy_box<int>(strided<int>, strided<int const>, box);
extern template void evaluate<int>(row_source<int> const&, loop_space const&, box const&,
                                   strided<int> const&, arena&, bool);

extern template class reader<index_t>;
extern template class boxed<index_t>;
extern template class source_of<index_t>;
extern template class viewed<index_t>;
extern template class detail::running_of<index_t>;
extern template void copy_box<index_t>(strided<index_t>, strided<index_t const>, box);
extern template void evaluate<index_t>(row_source<index_t> const&, loop_space const&, box const&,
                                       strided<index_t> const&, arena&, bool);

// What any() and all() compute in.
extern template class reader<unsigned char>;
extern template class boxed<unsigned char>;
extern template class source_of<unsigned char>;
extern template class viewed<unsigned char>;
extern template class detail::running_of<unsigned char>;
extern template void reduction<monoid::any, unsigned char, unsigned char>::prepare_values(
    box const&, row_source<unsigned char> const&);
extern template void reduction<monoid::any, unsigned char, unsigned char>::add_strip(
    strip_range const&, row_source<unsigned char> const&);
extern template void reduction<monoid::all, unsigned char, unsigned char>::prepare_values(
    box const&, row_source<unsigned char> const&);
extern template void reduction<monoid::all, unsigned char, unsigned char>::add_strip(
    strip_range const&, row_source<unsigned char> const&);
extern template void copy_box<unsigned char>(strided<unsigned char>, strided<unsigned char const>,
                                             box);

extern template class reader<bool>;
extern template class boxed<bool>;
extern template class source_of<bool>;
extern template class viewed<bool>;
extern template class detail::running_of<bool>;
extern template void copy_box<bool>(strided<bool>, strided<bool const>, box);
extern template void evaluate<bool>(row_source<bool> const&, loop_space const&, box const&,
                                    strided<bool> const&, arena&, bool);

}  // namespace host

}  // namespace felt
