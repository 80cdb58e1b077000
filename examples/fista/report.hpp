// SPDX-License-Identifier: BSD-3-Clause
//
// What a run shows at its end.
#pragma once
#include <fista/learn.hpp>
#include <support/outputs.hpp>
#include <iosfwd>

namespace fista {

using support::fs::path;

// Pictures and curves: report.cpp.
void draw_dictionary(path const& file, matrix_f const& W);
void draw_rounds(path const& file, learning_run<float> const& r);
void draw_convergence(path const& file, matrix_f const& W, matrix_f const& x, double lambda,
                      std::ostream& out);
void draw_reconstruction(path const& file, support::picture const& p, learning_run<float> const& r,
                         trainer& by, std::ostream& out);

// The dictionary; and the problem that it poses, with how Felt solves it: reference.cpp.
felt::npz dictionary_npz(learning_run<float> const& r);
void write_reference(path const& file, learning_run<float> const& r, matrix_f const& x);

// A step, fused and unfused, of all columns and by blocks of them; false if the codes differ:
// compare.cpp.
bool report_comparison(trainer const& by, std::string const& place, index_t samples, double lambda,
                       index_t columns, std::ostream& out);

}  // namespace fista
