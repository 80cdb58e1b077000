// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors that cannot be, literals that do not nest as they should, elements out of reach.
#include "shared.hpp"

using felt::ChannelsLast, felt::Host, felt::Tensor;

void too_flat() { (void)Tensor<float, 2>::of({1, 2, 3}); }      // explains: literal_is_not_of_rank
void deep() { (void)Tensor<float, 1>::of({{1, 2}, {3, 4}}); }   // explains: literal_is_not_of_rank
void three_for_two() { (void)Tensor<int, 2>::of({{{1, 2}}}); }  // explains: literal_is_not_of_rank

void element_elsewhere() { (void)far(0, 0); }       // rejects: element_access_is_possible
void literal() { (void)decltype(far)::of({{1}}); }  // explains: element_access_is_possible
void one_index_for_two() { (void)a(0); }            // rejects: one_index_for_every_axis

void strings() { Tensor<std::string, 1> x; }                 // explains: element
void long_doubles() { Tensor<long double, 1> x; }            // explains: element
void channels() { Tensor<float, 2, Host, ChannelsLast> x; }  // explains: layout_orders_axes
void nine_axes() { Tensor<float, 9> x; }                     // explains: rank_is_at_most_eight
