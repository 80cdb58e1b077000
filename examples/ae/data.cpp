// SPDX-License-Identifier: BSD-3-Clause
//
// The samples, in float. Reading pictures takes as long to compile as training on them.
#include <ae/setting.hpp>

namespace ae {

template samples<float> load_samples<float>(setting const&, std::string const&, std::uint64_t);

}  // namespace ae
