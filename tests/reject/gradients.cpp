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

void other_name() { (void)felt::grad<"v">(sum(w)); }       // explains: expression_has_the_name
void not_one_number() { (void)felt::grad<"w">(w * 2); }    // explains: cost_is_one_number
void of_integers() { (void)felt::grad<"n">(sum(n * 2)); }  // explains: depends_by_more_than_steps
void of_steps() { (void)felt::grad<"w">(sum(floor(w))); }  // explains: depends_by_more_than_steps
void without_rule() {
    (void)felt::grad<"w">(sum(felt::map(halve{}, w)));  // explains: every_function_has_a_derivative
}
void of_complex_numbers() { (void)felt::grad<"z">(sum(square(z))); }        // explains: is_real_by
void of_a_complex_number() { (void)felt::grad<"z">(real(sum(z))); }         // explains: is_real_by
void by_complex() { (void)felt::grad<"w">(sum(abs(complex(w, w)))); }       // explains: is_real_by
void back_by_complex() { (void)felt::grad<"w">(angle(complex(w, w)), a); }  // explains: is_real_by
void named_number() { (void)felt::named<"x">(2.f); }  // explains: named_operand_outlives
void packed_names() { (void)felt::packed(2 * w); }  // explains: packed_operand_has_no_names_inside
void along_a_matrix() { (void)felt::along<1>(a); }  // explains: along_takes_a_vector
void labels_of_one_class() { (void)cross_entropy(a, v); }  // explains: scores_and_labels
