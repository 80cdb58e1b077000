// SPDX-License-Identifier: BSD-3-Clause
//
// One pass of lstm.hpp in one way: -DFELT_PASS=forward -DFELT_HOW=felt::tf32
#include "lstm.hpp"

template <bench::pass P, class How>
void bench::run_pass(problem& p, How how) {
    if constexpr (P == pass::infer) p.layer.infer(how, p.x.all());
    if constexpr (P == pass::forward) p.layer.forward(how, p.x.all());
    if constexpr (P == pass::backward) p.layer.backward(how, p.dy.all());
    if constexpr (P == pass::gradients) {
        p.layer.weight_gradients(how, p.x.all(), felt::view(p.dW), felt::view(p.db));
        p.layer.input_gradients(how, p.dx.all());
    }
}
template void bench::run_pass<bench::pass::FELT_PASS>(problem&,
                                                      std::remove_const_t<decltype(FELT_HOW)>);
