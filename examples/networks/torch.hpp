// SPDX-License-Identifier: BSD-3-Clause
//
// PyTorch beside, by torch_peer.py in a process of its own.
#pragma once
#include <string>
#include <vector>

namespace networks {

// What torch_peer.py writes, given these words; what goes wrong it says on the standard error.
std::string torch_says(std::string const& python, std::vector<std::string> const& words);
// Throws felt::error if that Python has no PyTorch.
void check_torch(std::string const& python);

}  // namespace networks
