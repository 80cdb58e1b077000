// SPDX-License-Identifier: BSD-3-Clause
//
// Products of bfloat16, and of the same numbers as floats: where the processor multiplies pairs
// (AVX512-BF16) the arithmetic is half, elsewhere numbers are widened first. Streams: y = 2 x + 1
// of 64 Mi elements, half the bytes.
#include "arrays.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include "shapes.hpp"

namespace {

using namespace bench;

template <class T>
struct factors {
    felt::Tensor<T, 2> a, b;
    felt::Tensor<float, 2> y;
    index_t k;

    explicit factors(shape const& s) : a({s.m, s.k}), b({s.k, s.n}), y({s.m, s.n}), k(s.k) {
        a = felt::cast<felt::bfloat16>(numbers<float>(felt::extents<2>{{s.m, s.k}}, 1));
        b = felt::cast<felt::bfloat16>(numbers<float>(felt::extents<2>{{s.k, s.n}}, 2));
    }
    bool right() const {
        return at_samples(y.extent(0), y.extent(1), [&](index_t i, index_t j) {
            double sum = 0;
            for (index_t p = 0; p < k; ++p) sum += double(float(a(i, p))) * double(float(b(p, j)));
            return near(y(i, j), sum, std::sqrt(double(k)));
        });
    }
};

template <class T>
void enter_product(shape const& s, std::string const& way) {
    enter("bfloat16/product/" + s.name() + "/" + way, [=] {
        auto const f = std::make_shared<factors<T>>(s);
        contestant c;
        c.run = [=] { f->y = matmul(f->a, f->b); };
        c.right = [=] { return f->right(); };
        c.of = arithmetic<float>(s.flops());
        return c;
    });
}

template <class T>
void enter_stream(std::string const& way) {
    enter("bfloat16/stream/" + way, [=] {
        index_t const n = index_t{64} << 20;
        auto const x = std::make_shared<felt::Tensor<T, 1>>(felt::extents<1>{{n}});
        auto const y = std::make_shared<felt::Tensor<T, 1>>(felt::extents<1>{{n}});
        *x = felt::uniform<float>({n}, 1);
        contestant c;
        c.run = [=] { *y = 2 * *x + 1; };
        c.right = [=] { return std::abs(float((*y)(n - 1)) - 2 * float((*x)(n - 1)) - 1) < 0.01F; };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (shape const& s : shapes) {
            enter_product<felt::bfloat16>(s, "bfloat16");
            enter_product<float>(s, "float");
        }
        enter_stream<felt::bfloat16>("bfloat16");
        enter_stream<float>("float");
    });
}
