// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of coding, each compiled in a file of its own so that they compile side by side.
#pragma once
#include <felt/nn/fista.hpp>
#include <support/compare.hpp>

namespace felt {

extern template double largest_eigenvalue<float>(Tensor<float, 2> const&, double, int);
extern template double default_lambda<float>(Tensor<float, 2> const&, Tensor<float, 2> const&,
                                             scaling);
extern template dictionary<float>::dictionary(Tensor<float, 2>);
extern template fista<float>::fista(dictionary<float> const&, View<float const, 2>,
                                    fista_options const&);
extern template void fista<float>::step<fused_t>(fused_t);
extern template void fista<float>::step<unfused_t>(unfused_t);
extern template void fista<float>::step<support::count_bytes>(support::count_bytes);
extern template double fista<float>::step_and_count<fused_t>(fused_t);
extern template code_measures fista<float>::step_and_measure<fused_t>(fused_t);
extern template code_measures fista<float>::measure<fused_t>(fused_t);
extern template code_measures solve_by_columns<float>(dictionary<float> const&,
                                                      Tensor<float, 2> const&, Tensor<float, 2>&,
                                                      fista_options const&, int, index_t, fused_t);

}  // namespace felt
