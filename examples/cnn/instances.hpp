// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of the networks in float, compiled in files of their own so that they compile side
// by side. Layouts share them: a leaf of an expression has strides and no layout.
#pragma once
#include <cnn/learner.hpp>
#include <cnn/softmax.hpp>
#include <cnn/study.hpp>
#include <cnn/trial.hpp>

namespace cnn {

using study_rows = study<float>;
using study_last = study<float, felt::Host, felt::ChannelsLast>;
using trial_rows = trial<float>;
using trial_last = trial<float, felt::Host, felt::ChannelsLast>;
using softmax_f = softmax_regression<float>;

extern template struct steps<study_rows, felt::fused_t>;
extern template struct steps<study_rows, support::summed<felt::Host>>;
extern template struct steps<study_rows, felt::unfused_t>;
extern template struct steps<study_rows, support::count_bytes>;
extern template struct steps<study_rows, support::laps>;
extern template struct passes<study_rows, felt::fused_t>;
extern template struct passes<study_rows, felt::unfused_t>;
extern template struct passes<study_rows, support::count_bytes>;
extern template struct passes<study_rows, support::laps>;
extern template struct steps<study_last, felt::fused_t>;
extern template struct steps<study_last, support::summed<felt::Host>>;
extern template struct steps<study_last, felt::unfused_t>;
extern template struct steps<study_last, support::count_bytes>;
extern template struct steps<study_last, support::laps>;
extern template struct passes<study_last, felt::fused_t>;
extern template struct passes<study_last, felt::unfused_t>;
extern template struct passes<study_last, support::count_bytes>;
extern template struct passes<study_last, support::laps>;
extern template struct steps<trial_rows, felt::fused_t>;
extern template struct steps<trial_rows, support::summed<felt::Host>>;
extern template struct steps<trial_rows, felt::unfused_t>;
extern template struct steps<trial_rows, support::count_bytes>;
extern template struct steps<trial_rows, support::laps>;
extern template struct passes<trial_rows, felt::fused_t>;
extern template struct passes<trial_rows, felt::unfused_t>;
extern template struct passes<trial_rows, support::count_bytes>;
extern template struct passes<trial_rows, support::laps>;
extern template struct steps<trial_last, felt::fused_t>;
extern template struct steps<trial_last, support::summed<felt::Host>>;
extern template struct steps<trial_last, felt::unfused_t>;
extern template struct steps<trial_last, support::count_bytes>;
extern template struct steps<trial_last, support::laps>;
extern template struct passes<trial_last, felt::fused_t>;
extern template struct passes<trial_last, felt::unfused_t>;
extern template struct passes<trial_last, support::count_bytes>;
extern template struct passes<trial_last, support::laps>;
extern template struct steps<softmax_f, felt::fused_t>;
extern template struct steps<softmax_f, support::summed<felt::Host>>;
extern template struct steps<softmax_f, felt::unfused_t>;
extern template struct steps<softmax_f, support::count_bytes>;
extern template struct steps<softmax_f, support::laps>;
extern template struct passes<softmax_f, felt::fused_t>;
extern template struct passes<softmax_f, felt::unfused_t>;
extern template struct passes<softmax_f, support::count_bytes>;
extern template struct passes<softmax_f, support::laps>;

}  // namespace cnn
