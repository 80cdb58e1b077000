// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn/plus.hpp>

namespace nn = felt::nn;
using differences::net;
using felt::index_t;

namespace {
auto norm(index_t out, index_t k, index_t stride = 1) {
    return nn::conv{out, k, {.stride = {stride, stride}, .padding = {k / 2, k / 2}}} | nn::norm{};
}
auto conv(index_t out, index_t k) { return nn::conv{out, k, {.padding = {k / 2, k / 2}}}; }
}  // namespace

TEST_CASE("residual blocks, with their shortcuts") {
    auto n = net{} << (norm(4, 3) | nn::relu)
                   << (nn::plus(net{} << (norm(3, 1) | nn::relu) << norm(4, 3)) | nn::relu)
                   << (nn::plus(net{} << (norm(3, 1) | nn::relu) << norm(6, 3, 2),
                                net{} << norm(6, 1, 2)) |
                       nn::relu)
                   << nn::plus(net{} << (norm(4, 1) | nn::relu) << norm(8, 3, 2),
                               net{} << nn::thinned{2, 8})
                   << nn::mean_pool{} << nn::dense{3};
    differences::check(n, felt::extents<4>{{3, 2, 6, 6}});
}

TEST_CASE(
    "a shortcut of fewer pixels and zeros is a part of the sum, and the same as a network of it") {
    auto const way = [] { return net{} << (norm(4, 1) | nn::relu) << norm(6, 3, 2); };
    auto const whole = [&](auto sum) {
        return net{} << (norm(4, 3) | nn::relu) << std::move(sum) << nn::mean_pool{}
                     << nn::dense{3};
    };
    auto a = whole(nn::plus(way(), nn::thinned{2, 6}) | nn::relu);
    auto b = whole(nn::plus(way(), net{} << nn::thinned{2, 6}) | nn::relu);
    felt::extents<4> const e{{3, 2, 6, 6}};
    CHECK(felt::all_close(differences::check(a, e), differences::check(b, e), 1e-12, 1e-14));
    CHECK(a.kept() < b.kept());
    // Of what is read by others, too, without a normalisation, and at the front.
    auto inner =
        net{} << nn::plus(
            net{} << conv(2, 1),
            net{} << (nn::plus(net{} << (conv(2, 3) | nn::tanh), nn::thinned{1, 2}) | nn::sigmoid));
    differences::check(inner, felt::extents<4>{{2, 2, 3, 3}});
    auto nested =
        net{} << nn::plus(net{} << conv(2, 3) << nn::plus(net{} << conv(2, 1), nn::thinned{1, 2}));
    differences::check(nested, felt::extents<4>{{2, 2, 3, 3}});
}

TEST_CASE("a shortcut that reads every second pixel is one with that stride") {
    auto const way = [] { return net{} << (norm(4, 1) | nn::relu) << norm(6, 3, 2); };
    auto const whole = [&](auto front, auto sum) {
        return net{} << std::move(front) << std::move(sum) << nn::mean_pool{} << nn::dense{3};
    };
    auto const compare = [&](auto const& front, felt::extents<4> const& e) {
        auto a = whole(front, nn::plus(way(), net{} << norm(6, 1), 2) | nn::relu);
        auto b = whole(front, nn::plus(way(), net{} << norm(6, 1, 2)) | nn::relu);
        CHECK(felt::all_close(differences::check(a, e), differences::check(b, e), 1e-11, 1e-13));
        CHECK(a.kept() < b.kept());
    };
    compare(norm(4, 3) | nn::relu, {{3, 2, 6, 6}});
    compare(conv(4, 3) | nn::tanh, {{3, 2, 5, 7}});
    // At the front, and where others read it, too; a network of more layers.
    auto front =
        net{} << (nn::plus(way(), net{} << (conv(3, 1) | nn::relu) << conv(6, 3), 2) | nn::relu);
    differences::check(front, felt::extents<4>{{2, 2, 5, 5}});
    auto inner =
        net{} << (conv(2, 3) | nn::tanh)
              << nn::plus(net{} << norm(3, 1, 3),
                          net{} << nn::plus(net{} << norm(3, 1, 3), net{} << conv(3, 1), 3));
    differences::check(inner, felt::extents<4>{{2, 2, 7, 4}});
    CHECK((net{} << nn::plus(net{} << norm(6, 1, 2), net{} << norm(6, 1), 2)).text() ==
          "plus(conv 6, 1 x 1 / 2 | norm, conv 6, 1 x 1 | norm / 2) | identity");
}

TEST_CASE("sums of networks that end in anything") {
    auto n =
        net{} << (conv(3, 3) | nn::relu)
              << (nn::plus(net{} << (conv(2, 1) | nn::tanh) << conv(3, 3)) | nn::relu)
              << (nn::plus(net{} << (conv(4, 1) | nn::tanh), net{} << norm(4, 1)) | nn::sigmoid)
              << nn::plus(net{} << (conv(2, 3) | nn::relu), net{} << (conv(2, 1) | nn::sigmoid));
    differences::check(n, felt::extents<4>{{3, 2, 4, 4}});
    auto nested = net{} << nn::plus(net{} << nn::plus(net{} << conv(2, 3)) << conv(2, 1));
    differences::check(nested, felt::extents<4>{{2, 2, 3, 3}});
    auto inner = net{} << conv(2, 1)
                       << nn::plus(net{} << nn::plus(net{} << conv(2, 3)), net{} << conv(2, 1))
                       << nn::plus(net{} << conv(2, 3), net{} << nn::plus(net{} << conv(2, 3)));
    differences::check(inner, felt::extents<4>{{2, 2, 3, 3}});
}

TEST_CASE("summands of other extents are an error") {
    auto n = net{} << nn::plus(net{} << conv(3, 3));
    CHECK_THROWS_WITH_AS(n.prepare({2, 1, 4, 4}), "nn::plus: (2, 3, 4, 4) and (2, 1, 4, 4)",
                         felt::shape_error);
}
