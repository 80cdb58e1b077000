// SPDX-License-Identifier: BSD-3-Clause
//
// What knows no type of element.
#include <instances/instances.hpp>

namespace felt {

template struct apart<&detail::text_of>;
template struct apart<&detail::check_labels>;
template struct apart<&planning::detail::add_node>;
template struct apart<&planning::detail::add_described>;
template struct apart<&planning::detail::plan_all>;
template struct apart<&planning::detail::plan_shared>;
template struct apart<&planning::detail::intermediates_of>;
template struct apart<&planning::detail::flops_of>;
template struct apart<&planning::detail::bytes_of>;
template struct apart<&planning::detail::bytes_unfused_of>;
template struct apart<&planning::detail::print>;
template struct apart<&host::carry_out>;

}  // namespace felt
