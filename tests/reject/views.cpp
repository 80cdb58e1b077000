// SPDX-License-Identifier: BSD-3-Clause
//
// Views that ask for axes or types that their operand has not.
#include "shared.hpp"

void too_few_parts() { (void)felt::slice(a, 1); }          // rejects: one_part_for_every_axis
void parts() { (void)felt::slice(a, 1, felt::all(), 0); }  // rejects: one_part_for_every_axis
void no_part() { (void)felt::slice(a, 1, 0.5); }           // rejects: slice_part
void part() { felt::slice(a, felt::all()) = 0.f; }         // rejects: one_part_for_every_axis
void ellipses() { (void)slice(a, felt::ellipsis, felt::ellipsis); }  // rejects: ellipsis once
void beyond() { (void)slice(v, 0, felt::ellipsis, 0); }  // rejects: one_part_for_every_axis

void too_few_widths() { (void)felt::pad(a, {{1, 1}}); }  // explains: one_width_for_every_axis
void windows_of_a_vector() { (void)felt::windows(v, {1, 2}); }  // explains: has_rows_and_columns
void upsampled_vector() { (void)felt::upsample(v, {2, 2}); }    // explains: has_rows_and_columns
void ranks_side_by_side() { (void)felt::concat<0>(a, v); }      // rejects: operands_have_one_rank

void floating_indices() { (void)felt::gather<0>(a, v); }    // rejects: gather_indices_are_integers
void truth_as_index() { (void)felt::gather<0>(a, v > 0); }  // rejects: gather_indices_are_integers
void floating_labels() { (void)felt::one_hot<float>(v, 3); }  // explains: labels_are_integers

void diagonal_of_a_vector() { (void)felt::diagonal(v); }    // explains: has_rows_and_columns
void diag_of_a_matrix() { (void)felt::diag(a); }            // explains: is_a_vector
void grid_of_matrices() { (void)felt::meshgrid(a, v); }     // explains: all_are_vectors
void whole_steps() { (void)felt::arange<int>(0, 1, 0.5); }  // explains: arange_does_not_narrow
void half_of_an_int() { (void)felt::full_like(i, 0.5); }    // explains: assignment_does_not_narrow

void no_parts() { (void)felt::split<0, 0>(a); }            // explains: there_are_parts
void parts_of_no_axis() { (void)felt::unstack<2, 3>(a); }  // explains: axis_is_in_range
void stack_beyond() { (void)felt::stack<3>(a, b); }        // explains: axis_is_in_range
void stack_of_two_ranks() { (void)felt::stack<0>(a, v); }  // explains: operands_have_one_rank
void matrices_of_a_vector() { (void)felt::mT(v); }         // explains: has_rows_and_columns
void squeezed_twice() { (void)felt::squeeze<0, 0>(a); }    // rejects: axes_are_distinct

void shift_of_no_axis() { (void)felt::roll<0, 1>(a, 3); }  // explains: one_shift_for_every_axis
void roll_beyond() { (void)felt::roll<2>(a, 1); }          // explains: axis_is_in_range
void too_few_copies() { (void)felt::tile(a, {2}); }        // explains: one_count_for_every_axis
void repeat_beyond() { (void)felt::repeat<2>(a, 2); }      // explains: axis_is_in_range

void sample_of_a_number() { (void)felt::choice(sum(v), 1, 1); }  // explains: has_axes
void along_a_vector() { (void)felt::take_along_axis<0>(a, i); }  // explains: indices_have_the_rank
void floating_places() { (void)felt::put_along_axis<0>(a, b, 1); }  // explains: gather_indices_are
