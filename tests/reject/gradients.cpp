// SPDX-License-Identifier: BSD-3-Clause
//
// Derivatives that there are not.
#include "shared.hpp"
#include <complex>

inline auto const w = felt::named<"w">(a);
inline auto const n = felt::named<"n">(i);
inline felt::Tensor<std::complex<float>, 1> complex_numbers;
inline auto const z = felt::named<"z">(complex_numbers);
struct halve {
    auto operator()(auto x) const { return x / 2; }
};

inline auto const half = felt::map(halve{}, w);
inline auto const turn = angle(complex(w, w));
using felt::grad;

void other_name() { (void)grad<"v">(sum(w)); }       // explains: give_that_name_to_an_operand
void of_a_number() { (void)grad<"w">(2.f); }         // explains: give_that_name_to_an_operand
void not_one_number() { (void)grad<"w">(w * 2); }    // explains: sum_the_cost_or_give_a_cotangent
void of_integers() { (void)grad<"n">(sum(n * 2)); }  // explains: name_a_tensor_of_float_or_double
void of_steps() { (void)grad<"w">(sum(floor(w))); }  // explains: leave_out_what_depends_by_steps
void back_by_steps() { (void)grad<"w">(floor(w), a); }  // explains: leave_out_what_depends_by_steps
void without_rule() { (void)grad<"w">(sum(half)); }     // explains: say_partial_or_stop
void back_without() { (void)grad<"w">(half, a); }       // explains: say_partial_or_stop
void of_complex() { (void)grad<"z">(sum(z * z)); }      // explains: take_real_and_imag_apart
void of_a_sum() { (void)grad<"z">(real(sum(z))); }      // explains: take_real_and_imag_apart
void by_complex() { (void)grad<"w">(sum(turn)); }       // explains: take_real_and_imag_apart
void back_by_complex() { (void)grad<"w">(turn, a); }    // explains: take_real_and_imag_apart

void named_number() { (void)felt::named<"x">(2.f); }  // explains: named_operand_outlives
void packed_names() { (void)felt::packed(2 * w); }  // explains: packed_operand_has_no_names_inside
void along_a_matrix() { (void)felt::along<1>(a); }  // explains: along_takes_a_vector
void labels_of_one_class() { (void)cross_entropy(a, v); }  // explains: scores_and_labels
