// SPDX-License-Identifier: BSD-3-Clause
//
// LISTA: sparse codes by a few layers of ISTA, whose matrices are learned. (Gregor and LeCun,
// "Learning fast approximations of sparse coding", 2010.) The layers are a scan, its gradient is
// derived.
#include "recipe.hpp"

using felt::index_t, felt::Tensor, felt::named, felt::keep;

int main(int argc, char** argv) {
    recipe const r(argc, argv, {.does = "Learns to encode", .size = 500, .unit = "signals"});
    index_t const n = r.size(), pixels = 64, atoms = 128, layers = 3;

    Tensor<float, 2> const D = felt::normal<float>({pixels, atoms}, 1) / 8.f;
    auto const is_active = felt::uniform<float>({atoms, n}, 2) < 0.05f;
    Tensor<float, 2> const codes = where(is_active, felt::normal<float>({atoms, n}, 3), 0.f);
    Tensor<float, 2> const x = matmul(D, codes);

    Tensor<float, 3> Z({layers, atoms, n});
    Tensor<float, 2> W({atoms, pixels}), S({atoms, atoms}), B({atoms, n}), zero({atoms, n});
    Tensor<float, 1> T({atoms});
    auto const w = named<"w">(W);
    auto const s = named<"s">(S);
    auto const t = named<"t">(T);

    auto const b = keep<"b">(B, matmul(w, x));  // what all layers read
    auto const before = named<"before">(zero);
    auto const z =
        keep<"z">(felt::steps(Z), soft_threshold(b + matmul(s, before), expand_dims<1>(t)));
    auto const network = scan(program(z), felt::state<"before", "z">);
    auto const last = slice(named<"z">(Z), layers - 1, felt::all(), felt::all());
    auto step = gradient(program(b, network), sum(square(last - codes)) / (2.f * float(n)),
                         felt::wrt<"w", "s", "t">());

    Tensor<float, 2> dW(W.extents()), dS(S.extents());
    Tensor<float, 1> dT(T.extents());
    auto const learn = [&] {
        W = 0.2f * transpose(D);  // ISTA's own
        S = felt::eye<float>(atoms) - 0.2f * matmul(transpose(D), D);
        T = 0.02f;
        float const untrained = step(felt::fused, dW, dS, dT);
        for (int k = 0; k < 50; ++k) {
            W -= 0.1f * dW;
            S -= 0.1f * dS;
            T = maximum(T - 0.1f * dT, 0.f);
            step(felt::fused, dW, dS, dT);
        }
        return untrained;
    };
    float const untrained = r.best_of(learn);

    std::cout << "loss of ISTA: " << untrained << '\n';
    std::cout << "loss of LISTA: " << step.cost() << '\n';
}
