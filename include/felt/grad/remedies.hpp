// SPDX-License-Identifier: BSD-3-Clause
//
// What to do where there is no derivative. Beside grad(), gradient() and program() stands a deleted
// function with a template parameter Remedy, so that the compiler says
//
//     .. Remedy = felt::remedy::sum_the_cost_or_give_a_cotangent
//
// docs/91_errors.md says what each means.
#pragma once
#include <felt/core/version.hpp>
#include <type_traits>

namespace felt::inline FELT_ABI {

namespace remedy {
struct none {};
// Of grad() and gradient().
struct give_that_name_to_an_operand {};
struct sum_the_cost_or_give_a_cotangent {};
struct name_a_tensor_of_float_or_double {};
struct take_real_and_imag_apart {};
struct say_partial_or_stop {};
struct leave_out_what_depends_by_steps {};
// Of gradient().
struct put_the_parts_into_a_program {};
struct say_by_what_names {};
struct give_memory_and_then_options {};
struct name_a_part_or_an_operand {};
struct keep_what_is_in_place {};
struct read_it_before_its_derivative {};
// Of program().
struct write_keep_let_or_scan {};
struct give_each_part_its_own_name {};
struct keep_it_before_it_is_read {};
// Of what is derived.
struct give_a_destination_for_each_name {};
struct write_to_tensors_that_fit {};
}  // namespace remedy

// A parameter that anything converts to, by a deleted constructor.
template <class Remedy>
struct refused_call {
    refused_call(...) = delete;
};

template <class Remedy>
concept needs_no_remedy = std::is_same_v<Remedy, remedy::none>;

}  // namespace felt::inline FELT_ABI
