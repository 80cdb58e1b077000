// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that have no derivatives, and places for those that there are.
#include "shared.hpp"
#include <complex>

using felt::cotangent, felt::in_place, felt::keep, felt::let, felt::program, felt::written;
using felt::fused, felt::wrt;

inline auto const w = felt::named<"w">(a);
inline auto const n = felt::named<"n">(i);
inline felt::Tensor<std::complex<float>, 1> complex_numbers;
struct halve {
    auto operator()(auto x) const { return x / 2; }
};

inline auto const h = keep<"h">(b, w * 2);
inline auto const z = let<"z">(h + 1);
inline auto const p = program(h);
inline auto const both = program(h, z);
inline auto const halved = program(keep<"h">(b, felt::map(halve{}, w)));
inline auto const counted = program(keep<"h">(v, felt::cast<float>(n * 2)));
inline auto const cost = sum(h);
inline auto const far_cost = sum(square(z));
inline auto const late_cost = sum(h * w) + sum(square(h));
inline auto const complex_cost = real(sum(h * complex_numbers));
inline auto const dh = cotangent<"h">(a);
inline auto const of_other = cotangent<"u">(a);
inline auto const here = in_place<"h">();
inline auto const nowhere = in_place<"z">();
inline auto const other = written<"u">();
inline auto const by = wrt<"w">();
inline auto step = gradient(p, cost, wrt<"w", "h">());

void no_program() { (void)gradient(h, cost, by); }       // explains: put_the_parts_into_a_program
void no_name() { (void)gradient(p, cost, wrt<"u">()); }  // explains: name_a_part_or_an_operand
void no_names() { (void)gradient(p, cost, wrt<>()); }    // explains: say_by_what_names
void no_rule() { (void)gradient(halved, cost, by); }     // explains: say_partial_or_stop
void counts() { (void)gradient(counted, cost, wrt<"n">()); }  // explains: name_a_tensor_of_float_or
void steps() { (void)gradient(p, sum(floor(h)), by); }        // explains: leave_out_what_depends_by
void waves() { (void)gradient(p, complex_cost, by); }         // explains: take_real_and_imag_apart
void many() { (void)gradient(p, h, by); }                // explains: sum_the_cost_or_give_a_cot
void of_nothing() { (void)gradient(p, of_other, by); }   // explains: name_a_part_or_an_operand
void of_one() { (void)gradient(p, dh + of_other, by); }  // explains: name_a_part_or_an_operand
void number() { (void)gradient(p, cost, by, 3); }        // explains: give_memory_and_then_options
void order() { (void)gradient(p, cost, by, here, 3); }   // explains: give_memory_and_then_options
void option() { (void)gradient(p, cost, by, other); }    // explains: name_a_part_or_an_operand
void no_place() { (void)gradient(both, far_cost, by, nowhere); }  // explains: keep_what_is_in_place
void too_late() { (void)gradient(p, late_cost, by, here); }  // explains: read_it_before_its_derivat

void twice() { (void)program(h, keep<"h">(b, w)); }    // explains: give_each_part_its_own_name
void itself() { (void)program(keep<"w">(b, w * 2)); }  // explains: keep_it_before_it_is_read
void later() { (void)program(keep<"y">(a, h), h); }    // explains: keep_it_before_it_is_read
void no_part() { (void)program(h, sum(h)); }           // explains: write_keep_let_or_scan

void one_of_two() { step(fused, a); }   // explains: give_a_destination_for_each
void a_vector() { step(fused, a, v); }  // explains: write_to_tensors_that_fit
void a_constant() { step.run_backward(fused, a, constant); }  // explains: write_to_tensors_that_fit
