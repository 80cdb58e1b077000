// SPDX-License-Identifier: BSD-3-Clause
#include "tests/nn/differences.hpp"
#include <felt/nn/plus.hpp>

namespace nn = felt::nn;
using differences::net;
using differences::vector;
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

namespace {

struct inference {
    felt::Tensor<double, 4> y;
    double bytes = 0;
};
inference inferred(net& n, auto const& x, auto const& by) {
    double fused = 0, unfused = 0;
    n.infer(felt::count_bytes{&fused, &unfused}, x, by);
    n.infer(felt::fused, x, by);
    return {n.out().as<4>(), fused};
}

}  // namespace

TEST_CASE("in inference a sum is a part of the pass before it") {
    auto const x = differences::some(felt::extents<4>{{3, 4, 5, 6}});
    auto const way = [] { return net{} << (norm(2, 1) | nn::relu) << norm(4, 3); };
    auto alone = way();
    auto plain = net{} << nn::plus(way());
    auto rectified = net{} << (nn::plus(way()) | nn::relu);
    auto both = net{} << (nn::plus(way(), net{} << norm(4, 1)) | nn::relu);
    auto round = net{} << norm(4, 1);
    for (net* n : {&alone, &plain, &rectified, &both, &round}) n->prepare(x.extents());
    vector const theta = both.initial(1) + 0.1;
    vector const of_way = slice(theta, felt::range(0, alone.parameters().size()));
    vector const of_round = slice(theta, felt::range(of_way.size(), theta.size()));
    auto const check = [&](auto const& fold) {
        auto y = inferred(alone, x, fold(alone, of_way));
        auto z = inferred(round, x, fold(round, of_round));
        double const more = sizeof(double) * static_cast<double>(x.size());
        y.bytes -= 2 * more, z.bytes -= 2 * more;  // a network's end is a tensor of its own
        auto const agrees = [&](inference const& with_sum, auto const& expected) {
            CHECK(felt::all_close(with_sum.y, expected, 1e-13, 1e-13));
            return with_sum.bytes - y.bytes - more;
        };
        CHECK(agrees(inferred(plain, x, fold(plain, of_way)), y.y + x) == 0);
        CHECK(agrees(inferred(rectified, x, fold(rectified, of_way)), felt::relu(y.y + x)) == 0);
        CHECK(agrees(inferred(both, x, fold(both, theta)), felt::relu(y.y + z.y)) == z.bytes);
    };
    check([](net&, vector const& by) { return by; });
    check([](net& n, vector const& by) { return n.fold(by); });
}

TEST_CASE("summands of other extents are an error") {
    auto n = net{} << nn::plus(net{} << conv(3, 3));
    CHECK_THROWS_WITH_AS(n.prepare({2, 1, 4, 4}), "nn::plus: (2, 3, 4, 4) and (2, 1, 4, 4)",
                         felt::shape_error);
}
