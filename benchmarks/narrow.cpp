// SPDX-License-Identifier: BSD-3-Clause
//
// Products and convolutions of bfloat16, and of uint8 by int8, beside the same numbers as floats:
// where the processor multiplies two or four terms at a time (AVX512-BF16, VNNI) the arithmetic is
// a half or a quarter, elsewhere numbers are widened first. Streams: y = 2 x + 1 of 64 Mi elements.
#include "arrays.hpp"
#include "convolutions.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include "shapes.hpp"
#include <cstdint>

namespace {

using namespace bench;

// Types of the left and of the right factor, or of images and filters, and of sums.
struct of_float {
    using left = float;
    using right = float;
    using sum = float;
    static constexpr char const* name = "float";
};
struct of_bfloat16 {
    using left = felt::bfloat16;
    using right = felt::bfloat16;
    using sum = float;
    static constexpr char const* name = "bfloat16";
};
struct of_bytes {
    using left = std::uint8_t;
    using right = std::int8_t;
    using sum = std::int32_t;
    static constexpr char const* name = "int8";
};

// Whole numbers that all of the types hold.
template <class T, std::size_t R>
void fill(auto&& x, felt::extents<R> const& e, std::uint64_t seed) {
    float const low = std::is_same_v<T, std::uint8_t> ? 0 : -100;
    x = felt::cast<T>(felt::floor(felt::uniform<float>(e, seed) * 100.F) + low / 2);
}
template <class Sum>
auto wide(auto const& x) {
    if constexpr (std::is_integral_v<Sum>) return felt::cast<Sum>(x);
    else return felt::permute<0, 1>(x);
}
template <class Sum>
auto wide_images(auto const& x) {
    if constexpr (std::is_integral_v<Sum>) return felt::cast<Sum>(x);
    else return felt::permute<0, 1, 2, 3>(x);
}

template <class Types>
struct factors {
    felt::Tensor<typename Types::left, 2> a;
    felt::Tensor<typename Types::right, 2> b;
    felt::Tensor<typename Types::sum, 2> y;
    index_t k;

    explicit factors(shape const& s, bool turned)
        : a({s.m, s.k}), b({turned ? s.n : s.k, turned ? s.k : s.n}), y({s.m, s.n}), k(s.k) {
        fill<typename Types::left>(a, a.extents(), 1);
        fill<typename Types::right>(b, b.extents(), 2);
    }
    bool right(bool turned) const {
        return at_samples(y.extent(0), y.extent(1), [&](index_t i, index_t j) {
            double sum = 0;
            for (index_t p = 0; p < k; ++p)
                sum += double(float(a(i, p))) * double(float(turned ? b(j, p) : b(p, j)));
            return std::abs(double(y(i, j)) - sum) <= 1e-5 * (1e4 + std::abs(sum));
        });
    }
};

template <class Types>
void enter_product(shape const& s, bool turned) {
    enter("narrow/product/" + s.name() + (turned ? "-transposed/" : "/") + Types::name, [=] {
        using sum = typename Types::sum;
        auto const f = std::make_shared<factors<Types>>(s, turned);
        contestant c;
        if (turned) c.run = [=] { f->y = matmul(wide<sum>(f->a), transpose(wide<sum>(f->b))); };
        else c.run = [=] { f->y = matmul(wide<sum>(f->a), wide<sum>(f->b)); };
        c.right = [=] { return f->right(turned); };
        c.of = arithmetic<float>(s.flops());
        return c;
    });
}

// Channels last, filters by output last: as networks keep them.
template <class Types>
struct filtered {
    convolution of;
    felt::Tensor<typename Types::left, 4> x;
    felt::Tensor<typename Types::right, 4> w;
    felt::Tensor<typename Types::sum, 4> y;

    explicit filtered(convolution const& s)
        : of(s), x({s.n, s.h, s.h, s.c}), w({s.k, s.k, s.c, s.o}), y({s.n, s.p(), s.p(), s.o}) {
        fill<typename Types::left>(x, x.extents(), 1);
        fill<typename Types::right>(w, w.extents(), 2);
    }
    void run() {
        using sum = typename Types::sum;
        auto const images = wide_images<sum>(felt::permute<0, 3, 1, 2>(x));
        auto const filters = wide_images<sum>(felt::permute<3, 2, 0, 1>(w));
        auto results = felt::permute<0, 3, 1, 2>(y);
        felt::run(felt::exact, assign(results, felt::conv2d(images, filters, of.options())));
    }
    double at(index_t n, index_t i, index_t j, index_t c) const {
        bool const inside = i >= 0 && i < of.h && j >= 0 && j < of.h;
        return inside ? double(float(x(n, i, j, c))) : 0;
    }
    bool right() const {
        return at_places(y, [&](index_t n, index_t p, index_t q, index_t o) {
            double sum = 0;
            for (index_t r = 0; r < of.k; ++r)
                for (index_t s = 0; s < of.k; ++s)
                    for (index_t c = 0; c < of.c; ++c)
                        sum += at(n, p * of.stride + r - of.padding, q * of.stride + s - of.padding,
                                  c) *
                               double(float(w(r, s, c, o)));
            return std::abs(double(y(n, p, q, o)) - sum) <= 1e-5 * (1e4 + std::abs(sum));
        });
    }
};

template <class Types>
void enter_convolution(convolution const& of) {
    enter(std::string("narrow/conv2d/") + of.name + "/" + Types::name, [=] {
        auto const f = std::make_shared<filtered<Types>>(of);
        contestant c;
        c.run = [=] { f->run(); };
        c.right = [=] { return f->right(); };
        c.of = arithmetic<float>(of.flops());
        return c;
    });
}

template <class T>
void enter_stream(std::string const& way) {
    enter("narrow/stream/" + way, [=] {
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

template <class Types>
void enter_all() {
    for (shape const& s : shapes)
        for (bool turned : {false, true}) enter_product<Types>(s, turned);
    for (convolution const& of : convolutions) enter_convolution<Types>(of);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_all<of_float>();
        enter_all<of_bfloat16>();
        enter_all<of_bytes>();
        enter_stream<float>("float");
        enter_stream<felt::bfloat16>("bfloat16");
    });
}
