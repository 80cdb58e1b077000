// SPDX-License-Identifier: BSD-3-Clause
//
// y = softmax(q k' / 8) v of heads by themselves, 64 features: as many queries as keys, 256 to
// 8192. The roof is the multiply-adds of both products. "written": scores and weights are tensors,
// each statement fused on its own; "masked": each query sees the keys before it.
#include "program.hpp"
#include "arrays.hpp"
#include "roofs.hpp"
#include <limits>
#include <memory>

namespace {

using namespace bench;
using array = felt::Tensor<float, 3>;

constexpr index_t features = 64;

struct attention {
    index_t heads, keys;
    array q, k, v, y, scores;

    attention(index_t h, index_t n)
        : heads(h),
          keys(n),
          q(numbers<float>(felt::extents<3>{{h, n, features}}, 1)),
          k(numbers<float>(q.extents(), 2)),
          v(numbers<float>(q.extents(), 3)),
          y(q.extents()) {}

    auto dots() const { return felt::matmul(q, felt::permute<0, 2, 1>(k)) * 0.125f; }
    auto seen() const {
        auto const i = felt::iota<int>({keys});
        return felt::where(felt::expand_dims<0>(i) <= felt::expand_dims<1>(i), dots(),
                           -std::numeric_limits<float>::infinity());
    }
    bool right(index_t h, index_t i, index_t j, bool masked) const {
        double sum = 0, all = 0;
        for (index_t p = 0; p < (masked ? i + 1 : keys); ++p) {
            double dot = 0;
            for (index_t f = 0; f < features; ++f) dot += double(q(h, i, f)) * double(k(h, p, f));
            double const e = std::exp(dot / 8);
            all += e, sum += e * double(v(h, p, j));
        }
        return near(y(h, i, j), sum / all, 0.1);
    }
};

struct size {
    index_t heads, keys;
};

template <class F>
void enter_way(size const& of, std::string const& way, bool masked, F f) {
    std::string const name = "attention/" + std::to_string(of.heads) + "x" +
                             std::to_string(of.keys) + (masked ? "/masked/" : "/") + way;
    enter(name, [heads = of.heads, keys = of.keys, masked, f] {
        auto const a = std::make_shared<attention>(heads, keys);
        contestant c;
        c.run = [=] { f(*a); };
        c.right = [=] {
            bool all = true;
            for (index_t i : {index_t{0}, a->keys / 3, a->keys - 1})
                all = all && a->right(a->heads - 1, i, i % features, masked);
            return all;
        };
        auto const n = static_cast<double>(a->keys);
        c.of = arithmetic<float>(4. * static_cast<double>(a->heads * features) * n * n);
        return c;
    });
}

void enter_size(size const& of) {
    enter_way(of, "felt", false, [](attention& a) {
        felt::run(felt::fused, felt::assign(a.y, felt::matmul(felt::softmax<2>(a.dots()), a.v)));
    });
    enter_way(of, "unfused", false, [](attention& a) {
        felt::run(felt::unfused, felt::assign(a.y, felt::matmul(felt::softmax<2>(a.dots()), a.v)));
    });
    enter_way(of, "written", false, [](attention& a) {
        a.scores = a.dots();
        a.scores = felt::softmax<2>(a.scores);
        a.y = felt::matmul(a.scores, a.v);
    });
    enter_way(of, "felt", true, [](attention& a) {
        felt::run(felt::fused, felt::assign(a.y, felt::matmul(felt::softmax<2>(a.seen()), a.v)));
    });
    enter_way(of, "unfused", true, [](attention& a) {
        felt::run(felt::unfused, felt::assign(a.y, felt::matmul(felt::softmax<2>(a.seen()), a.v)));
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_size({4, 256});
        enter_size({4, 1024});
        enter_size({4, 1000});
        enter_size({1, 8192});
    });
}
