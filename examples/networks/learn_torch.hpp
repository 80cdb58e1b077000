// SPDX-License-Identifier: BSD-3-Clause
//
// The same lesson in PyTorch: the samples as they are after preprocessing, how parameters begin,
// the rule of steps and the seeds are written into a folder, from which torch_peer.py learns, here
// or on another machine.
#pragma once
#include <networks/learn.hpp>
#include <support/files.hpp>

namespace networks {

// lesson.json, and for task k of it k.npz: train_x and test_x with a sample a row, as in `samples`,
// and train_y and test_y where there are labels or values.
void write_lesson(lesson const& l, job const& j, support::fs::path const& folder);
// By j.python. Throws felt::error if it says no scores.
learned learn_by_torch(lesson const& l, job const& j);

}  // namespace networks
