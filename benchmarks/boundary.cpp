// SPDX-License-Identifier: BSD-3-Clause
//
// The price of a boundary between blocks: networks of four products of n features with a sigmoid
// each, and of eight functions a x + b, as blocks cut by << and as one fused by |. Of few
// elements it is what a stage takes to begin; of many, what is written and read in between.
#include "contest.hpp"
#include "program.hpp"
#include <felt/nn.hpp>

namespace {

using namespace bench;
using felt::index_t;
namespace nn = felt::nn;
using vector = felt::Tensor<float, 1>;

struct products {
    static constexpr char const* name = "products";
    static nn::net cut(index_t n) {
        nn::net net;
        for (int k = 0; k < 4; ++k) net << (nn::dense{n} | nn::sigmoid);
        return net;
    }
    static nn::net fused(index_t n) {
        auto const one = nn::dense{n} | nn::sigmoid;
        return nn::net{} << (one | one | one | one);
    }
};
struct functions {
    static constexpr char const* name = "functions";
    static auto affine() {
        return nn::apply([](auto const& x) { return 0.9F * x + 0.1F; });
    }
    static nn::net cut(index_t) {
        nn::net net;
        for (int k = 0; k < 8; ++k) net << affine();
        return net;
    }
    static nn::net fused(index_t) {
        auto const two = affine() | affine();
        return nn::net{} << (two | two | two | two);
    }
};

// One network, and where its values go.
struct subject {
    nn::net net;
    felt::Tensor<float, 2> x;
    vector theta, g;

    subject(nn::net of, index_t batch, index_t n)
        : net(std::move(of)), x({batch, n}), theta({0}), g({0}) {
        net.prepare({batch, n});
        x = felt::uniform<float>(x.extents(), 5) - 0.5F;
        theta = net.initial(1);
        g = vector(theta.extents());
    }
    void infer() { net.infer(felt::fused, x, theta); }
    double step() {
        return net.cost(felt::fused, x, [](auto const& z) { return mean(square(z)); }, theta, g);
    }
    vector result(bool trains) {
        if (!trains) {
            infer();
            return flatten(net.out().template as<2>());
        }
        step();
        vector all({g.size() + 1});
        slice(all, felt::range(0, g.size())) = g;
        all(g.size()) = static_cast<float>(step());
        return all;
    }
};

template <class Of>
void enter_pair(index_t batch, index_t n, bool trains) {
    struct pair {
        subject cut, fused;
    };
    auto const made = std::make_shared<std::shared_ptr<pair>>();
    auto const both = [=]() -> pair& {
        if (*made == nullptr)
            *made = std::make_shared<pair>(
                pair{subject(Of::cut(n), batch, n), subject(Of::fused(n), batch, n)});
        return **made;
    };
    auto const right = [=] {
        return bool(all_close(both().cut.result(trains), both().fused.result(trains), 1e-4, 1e-6));
    };
    std::string const name = "boundary/" + std::string(Of::name) + "/" +
                             (trains ? "train/" : "infer/") + std::to_string(batch) + "x" +
                             std::to_string(n);
    for (bool cut : {true, false}) {
        auto const once = [=] {
            subject& s = cut ? both().cut : both().fused;
            if (trains) s.step();
            else s.infer();
        };
        enter(name + (cut ? "/cut" : "/fused"), [=] { return contestant{once, right, {}, ""}; });
    }
}

void enter_all() {
    for (bool trains : {false, true}) {
        for (auto [batch, n] : {std::pair<index_t, index_t>{1, 8}, {32, 64}, {64, 512}}) {
            enter_pair<products>(batch, n, trains);
        }
    }
    for (auto [batch, n] : {std::pair<index_t, index_t>{1, 8}, {32, 1024}, {4096, 4096}}) {
        enter_pair<functions>(batch, n, false);
    }
}

}  // namespace

int main(int argc, char** argv) { return bench::run(argc, argv, enter_all); }
