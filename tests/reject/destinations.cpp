// SPDX-License-Identifier: BSD-3-Clause
//
// What y = e asks of y and e: rank, type, space, and that y can be written.
#include "shared.hpp"

void rank() { v = a + b; }                          // rejects: expression_rank_fits_destination
void rank_of_a_product() { v = matmul(a, b); }      // rejects: expression_rank_fits_destination
void rank_in_a_statement() { (void)assign(v, a); }  // rejects: expression_rank_fits_destination
void rank_of_an_update() { v += a; }                // rejects: expression_rank_fits_destination

void double_to_float() { a = d * 2; }            // rejects: assignment_does_not_narrow
void fraction_to_integer() { i = 0.5; }          // rejects: assignment_does_not_narrow
void mean_of_integers() { i -= mean(i); }        // rejects: assignment_does_not_narrow
void narrow_statement() { (void)assign(a, d); }  // rejects: assignment_does_not_narrow

void to() { far = a; }        // rejects: destination_and_expression_share_a_space
void from() { a = far * 2; }  // rejects: destination_and_expression_share_a_space

void write_to_an_expression() { a + b += a; }  // rejects: destination_is_writable
void write_to_a_constant() { constant *= 2; }  // rejects: destination_is_writable
void state() { (void)assign(constant, a); }    // rejects: destination_is_writable
void nameless() { (void)assign(felt::Tensor<float, 1>({2}), v); }  // rejects: destination_outlives
void no_alias() { noalias(constant) = a; }                      // rejects: destination_is_writable
void view_of_constants() { transpose(constant) = a; }           // rejects: elements_are_writable
void slice_of_those() { slice(constant, felt::all(), 0) = v; }  // rejects: elements_are_writable
