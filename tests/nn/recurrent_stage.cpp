// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn/recurrent_stage.hpp>

namespace nn = felt::nn;
using differences::net;

TEST_CASE("recurrent layers among others") {
    auto n = net{} << nn::lstm{4} << nn::rnn{3} << (nn::dense{5} | nn::relu) << nn::dense{2};
    differences::check(n, felt::extents<3>{{4, 3, 2}});
    CHECK(n.parameters().entries()[2].name == "1.weight");
    CHECK(n.out().as<2>().extents() == felt::extents<2>{{12, 2}});
}

TEST_CASE("the last output alone, of what an activation gave") {
    auto n = net{} << (nn::dense{4} | nn::tanh) << nn::lstm{3, true};
    differences::check(n, felt::extents<3>{{4, 3, 2}});
    auto d = net{} << nn::rnn{3, true} << nn::dense{2};
    differences::check(d, felt::extents<3>{{4, 3, 2}});
}

TEST_CASE("a state is carried from batch to batch, or not") {
    auto n = net{} << nn::rnn{2, false, true};
    auto m = net{} << nn::rnn{2};
    felt::extents<3> const e{{3, 2, 2}};
    auto const x = differences::some(e);
    n.prepare(e), m.prepare(e);
    auto const theta = n.initial(1);
    auto const outputs = [&](net& of) {
        of.infer(felt::fused, x, theta);
        return felt::Tensor<double, 2>(of.out().as<2>());
    };
    auto const first = outputs(n);
    CHECK(felt::all_close(first, outputs(m)));
    CHECK_FALSE(felt::all_close(first, outputs(n)));
    CHECK(felt::all_close(first, outputs(m)));
}

TEST_CASE("a recurrent layer of rows is an error") {
    auto n = net{} << nn::lstm{4};
    CHECK_THROWS_WITH_AS(n.prepare({3, 2}),
                         "nn: a recurrent layer reads (steps, batch, features), not (3, 2)",
                         felt::shape_error);
}
