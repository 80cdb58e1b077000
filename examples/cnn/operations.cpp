// SPDX-License-Identifier: BSD-3-Clause
//
// The study's network, operation by operation.
#include <cnn/operations.hpp>

namespace cnn {

template class study_operations<float>;
template class study_operations<float, felt::Host, felt::ChannelsLast>;

}  // namespace cnn
