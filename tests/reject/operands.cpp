// SPDX-License-Identifier: BSD-3-Clause
//
// What may stand in an expression, and beside what.
#include "shared.hpp"

struct takes_two {
    float operator()(float x, float y) const { return x + y; }
};
inline auto const counting = [n = 0](float x) mutable { return x + static_cast<float>(++n); };
inline auto const to_words = [](float) { return "x"; };
inline float identity(float x) { return x; }

void words() { (void)(a + "words"); }                       // explains: combines_with
void a_vector() { (void)(std::vector<float>(3) * a); }      // rejects: operand
void a_pointer() { (void)maximum(a, &a); }                  // explains: combines_with
void exp_of_words() { (void)felt::exp(std::string("x")); }  // explains: array_operand

void bits_of_reals() { (void)(a & 1); }                       // rejects: operands_are_integers
void shift_of_reals() { (void)(a << 2); }                     // rejects: operands_are_integers
void shift_by_reals() { (void)(i >> b); }                     // rejects: operands_are_integers
void complement_of_reals() { (void)(~a); }                    // rejects: operands_are_integers
void rest_by_vector() { (void)(a % std::vector<float>(3)); }  // rejects: operand

void two_spaces() { (void)(a + far); }                       // explains: operands_share_a_space
void product_of_two_spaces() { (void)matmul(far, a); }       // rejects: operands_share_a_space
void where_in_two_spaces() { (void)where(a > 0, far, 1); }   // explains: operands_share_a_space
void clip_in_two_spaces() { (void)clip(a, 0, far); }         // explains: operands_share_a_space
void map_of_two() { (void)felt::map(takes_two{}, a, far); }  // explains: operands_share_a_space
void concat() { (void)felt::concat<0>(a, far); }             // rejects: operands_share_a_space

void functor_of_two() { (void)felt::map(takes_two{}, a); }  // explains: function_accepts_elements
void changing_functor() { (void)felt::map(counting, a); }   // explains: function_accepts_elements
void functor_to_words() { (void)felt::map(to_words, a); }   // explains: function_yields_elements
void far_pointer() { (void)felt::map(&identity, far); }     // explains: function_is_known_in_space
void no_functor() { (void)felt::map(3, a); }                // explains: function_accepts_elements

void two_for_max() { (void)felt::max(a, b); }  // explains: use maximum
void two_for_min() { (void)felt::min(a, b); }  // explains: use minimum
