// SPDX-License-Identifier: BSD-3-Clause
//
// Products of what has no rows, and specifications that say nothing.
#include "shared.hpp"

void product_of_numbers() { (void)matmul(2.f, a); }                   // rejects: a * s
void product_of_one() { (void)matmul(a, felt::Tensor<float, 0>()); }  // rejects: has axes to sum
void dot_of_matrices() { (void)dot(a, b); }                           // rejects: takes vectors
void outer_of_numbers() { (void)outer(2.f, a); }                      // rejects: a * s
void kron_of_vectors() { (void)kron(v, v); }                          // rejects: kron matrices
void matrix_by_number() { (void)matmul(a, 2.f); }                     // rejects: array_operand

inline felt::Tensor<float, 4> images;
void volumes_of_images() { (void)conv3d(images, images); }  // explains: volumes_and_filters
inline felt::Tensor<float, 5> volumes;
void filters_of_images() { (void)conv3d(volumes, images); }  // explains: volumes_and_filters

inline felt::Tensor<float, 8> eight;
void matrices_in_eight() { (void)matmul(eight, a); }  // rejects: at most seven

void no_arrow() { (void)felt::einsum<"ij,jk">(a, b); }            // rejects: einsum_is_well_formed
void unknown_letter() { (void)felt::einsum<"ij,jk->il">(a, b); }  // rejects: einsum_is_well_formed
void letters() { (void)felt::einsum<"ijk,kl->il">(a, b); }        // rejects: einsum_is_well_formed
void one_for_two() { (void)felt::einsum<"ij->i">(a, b); }         // rejects: einsum_is_well_formed
void two_for_one() { (void)felt::einsum<"ij,jk->ik">(a); }        // rejects: einsum_is_well_formed
void letter_twice() { (void)felt::einsum<"ij->ii">(a); }          // rejects: einsum_is_well_formed
void a_digit() { (void)felt::einsum<"i1->i">(a); }                // rejects: einsum_is_well_formed
