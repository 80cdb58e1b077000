// SPDX-License-Identifier: BSD-3-Clause
//
// product: c = a b of complex numbers, row-major: four real products of the parts in one pass,
// bound by 4 m n k multiply-adds. elementwise: y = z w + conj(z) of 4 Mi elements, bound by memory.
// Contestants: Felt fused and unfused, OpenBLAS (products), Eigen, a plain loop (elementwise).
#include "peers/eigen.hpp"
#include "peers/openblas.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include "shapes.hpp"
#include <complex>

namespace {

using namespace bench;

template <class T, std::size_t R>
felt::Tensor<std::complex<T>, R> points(felt::extents<R> const& e, std::uint64_t seed) {
    return felt::Tensor<std::complex<T>, R>(
        felt::complex(numbers<T>(e, seed), numbers<T>(e, seed + 1)));
}

template <class T>
bool near(std::complex<T> got, std::complex<double> want, double scale) {
    return bench::near(got.real(), want.real(), scale) &&
           bench::near(got.imag(), want.imag(), scale);
}

template <class T>
struct matrices {
    shape s;
    felt::Tensor<std::complex<T>, 2> a = points<T>(felt::extents<2>{{s.m, s.k}}, 1);
    felt::Tensor<std::complex<T>, 2> b = points<T>(felt::extents<2>{{s.k, s.n}}, 3);
    felt::Tensor<std::complex<T>, 2> c{{s.m, s.n}};

    bool right(index_t i, index_t j) const {
        std::complex<double> sum = 0;
        for (index_t k = 0; k < s.k; ++k)
            sum += std::complex<double>(a(i, k)) * std::complex<double>(b(k, j));
        return near(c(i, j), sum, std::sqrt(static_cast<double>(s.k)));
    }
};

template <class T>
void enter_products(std::string const& type, shape const& s) {
    auto const name = "complex/product/" + type + "/" + s.name();
    auto const made = std::make_shared<std::shared_ptr<matrices<T>>>();
    auto const enter_one = [=](char const* who, auto run_on) {
        enter(name + "/" + who, [=] {
            if (!*made) *made = std::make_shared<matrices<T>>(matrices<T>{s});
            auto const x = *made;
            contestant c;
            c.run = run_on(*x);
            c.of = arithmetic<T>(4 * s.flops());
            c.right = [=] {
                return at_samples(s.m, s.n, [&](index_t i, index_t j) { return x->right(i, j); });
            };
            return c;
        });
    };
    enter_one("felt", [](matrices<T>& x) -> task {
        return [&x] { noalias(x.c) = felt::matmul(x.a, x.b); };
    });
    enter_one("openblas", [s](matrices<T>& x) {
        return openblas::product(x.a.data(), x.b.data(), x.c.data(), s.m, s.n, s.k);
    });
    enter_one("eigen", [s](matrices<T>& x) {
        return eigen::product(x.a.data(), x.b.data(), x.c.data(), s.m, s.n, s.k);
    });
}

constexpr index_t elements = 1 << 22;

template <class T>
struct vectors {
    felt::Tensor<std::complex<T>, 1> z = points<T>(felt::extents<1>{{elements}}, 1);
    felt::Tensor<std::complex<T>, 1> w = points<T>(felt::extents<1>{{elements}}, 3);
    felt::Tensor<std::complex<T>, 1> y{{elements}};
};

template <class T>
void enter_elementwise(std::string const& type) {
    auto const made = std::make_shared<std::shared_ptr<vectors<T>>>();
    auto const enter_one = [=](char const* who, auto run_on) {
        enter("complex/elementwise/" + type + "/" + who, [=] {
            if (!*made) *made = std::make_shared<vectors<T>>();
            auto const x = *made;
            contestant c;
            c.run = [=] { run_on(*x); };
            c.of = copying(static_cast<index_t>(3 * sizeof(T) / sizeof(float)) * elements);
            c.right = [=] {
                return at_samples(elements, 1, [&](index_t i, index_t) {
                    std::complex<double> const z(x->z(i)), w(x->w(i));
                    return near(x->y(i), z * w + std::conj(z), 1);
                });
            };
            return c;
        });
    };
    enter_one("felt", [](vectors<T>& x) { x.y = x.z * x.w + conj(x.z); });
    enter_one("unfused",
              [](vectors<T>& x) { run(felt::unfused, assign(x.y, x.z * x.w + conj(x.z))); });
    enter_one("loop", [](vectors<T>& x) {
        for (index_t i = 0; i < elements; ++i)
            x.y.data()[i] = x.z.data()[i] * x.w.data()[i] + std::conj(x.z.data()[i]);
    });
#if defined(FELT_PEER_EIGEN)
    enter_one("eigen", [](vectors<T>& x) {
        using array = Eigen::Map<Eigen::Array<std::complex<T>, -1, 1>>;
        array const z(x.z.data(), elements), w(x.w.data(), elements);
        array(x.y.data(), elements) = z * w + z.conjugate();
    });
#endif
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        for (shape const& s : {shape{64, 64, 64}, shape{512, 512, 512}, shape{2000, 64, 500}}) {
            enter_products<float>("float", s);
            enter_products<double>("double", s);
        }
        enter_elementwise<float>("float");
        enter_elementwise<double>("double");
    });
}
