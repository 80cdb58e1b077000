// SPDX-License-Identifier: BSD-3-Clause
//
// How exact products of floats on a device must be. Fused statements are as exact as float; who
// allows less says so, and gets the tensor cores of a GPU:
//
//     run(felt::tf32, assign(h, sigmoid(matmul(W, x) + b)));
//
// felt::tf32 keeps 10 bits of each factor's mantissa, felt::bf16 7 bits, felt::tf32x3 as many as
// float by three products of TF32. Sums are floats always. The host, and types other than float,
// take no advantage of it.
#pragma once
#include <felt/expr/assign.hpp>

namespace felt::inline FELT_ABI {

struct tf32_t : fused_t {};
struct bf16_t : fused_t {};
struct tf32x3_t : fused_t {};
inline constexpr tf32_t tf32{};
inline constexpr bf16_t bf16{};
inline constexpr tf32x3_t tf32x3{};

}  // namespace felt::inline FELT_ABI
