// SPDX-License-Identifier: BSD-3-Clause
//
// Linear algebra and Fourier transforms. Each line of docs/13_from_numpy.md on them; the numbers
// are NumPy's.
#include "tests/from_numpy/same.hpp"
#include <felt/fft.hpp>
#include <felt/linalg.hpp>

using namespace felt;
using test::same, test::C, test::inf, test::NaN;

namespace {

auto const x = Tensor<double, 2>::of({{0.5, -1.25, 2}, {3.75, 0, -2.5}});
auto const y = Tensor<double, 2>::of({{1.5, 2, -0.5}, {1, -3, 0.75}});
auto const v = Tensor<double, 1>::of({3, -1, 2});
auto const w = Tensor<double, 1>::of({0.5, 4, -2});
auto const z = Tensor<C, 1>::of({C(1, 2), C(0, -1), C(-3, 0.5)});
auto const a = Tensor<double, 2>::of({{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}});
auto const b = Tensor<double, 2>::of({{1, 2}, {3, 4}, {-1, 0.5}});
auto const s = Tensor<double, 2>::of({{4, 1, 0}, {1, 3, -1}, {0, -1, 2}});
Tensor<double, 3> const t = reshape(arange<double>(-5, 7), {2, 2, 3});

}  // namespace

TEST_CASE("linear algebra") {
    CHECK(same(matmul(a, b), {{5, 8}, {7, 10.5}, {-3.5, 3}}));
    CHECK(same(matmul(v, a), {8, 0, 7}));
    CHECK(same(mT(t), {{{-5, -2}, {-4, -1}, {-3, 0}}, {{1, 4}, {2, 5}, {3, 6}}}));
    CHECK(same(tensordot<1>(a, b), {{5, 8}, {7, 10.5}, {-3.5, 3}}));
    CHECK(same(tensordot(x, y, axes<0>, axes<0>),
               {{4.5, -10.25, 2.5625}, {-1.875, -2.5, 0.625}, {0.5, 11.5, -2.875}}));
    CHECK(same(tensordot<0>(v, w), {{1.5, 12, -6}, {-0.5, -4, 2}, {1, 8, -4}}));
    CHECK(same(vecdot(x, y), {-2.75, 1.875}));
    CHECK(same(vecdot(conj(z), z), C(15.25, 0)));
    CHECK(same(cholesky(s), {{2, 0, 0}, {0.5, 1.6583124, 0}, {0, -0.603022689, 1.2792043}}));
    CHECK(same(cholesky(s, true), {{2, 0.5, 0}, {0, 1.6583124, -0.603022689}, {0, 0, 1.2792043}}));
    CHECK(same(cross(v, w), {-6, 7, 12.5}));
    CHECK(same(det(a), 28.5));
    CHECK(same(diagonal(x), {0.5, 0}));
    CHECK(same(diagonal(x, 1), {-1.25, -2.5}));
    auto const [lambda, e] = eigh(s);
    CHECK(same(lambda, {1.26794919, 3, 4.73205081}));
    CHECK(same(matmul(e * lambda, mT(e)), {{4, 1, 0}, {1, 3, -1}, {0, -1, 2}}));
    CHECK(same(matmul(e, mT(e)), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    CHECK(same(eigvalsh(s), {1.26794919, 3, 4.73205081}));
    CHECK(same(inv(a), {{0.421052632, -0.140350877, 0.0350877193},
                        {0.157894737, 0.280701754, -0.0701754386},
                        {-0.0526315789, 0.0175438596, 0.245614035}}));
    CHECK(same(matrix_norm(a), 5.67890835));
    CHECK(same(matrix_norm(a, norm_order::two), 4.25878505));
    CHECK(same(matrix_power(a, 3), {{1.5, 18, 9}, {-13.5, 19.5, 36}, {13.5, 4.5, 64.5}}));
    CHECK(same(matrix_power(a, -1), {{0.421052632, -0.140350877, 0.0350877193},
                                     {0.157894737, 0.280701754, -0.0701754386},
                                     {-0.0526315789, 0.0175438596, 0.245614035}}));
    CHECK(same(matrix_rank(outer(v, w)), 1));
    CHECK(same(outer(v, w), {{1.5, 12, -6}, {-0.5, -4, 2}, {1, 8, -4}}));
    CHECK(same(pinv(b), {{-0.166666667, 0.166666667, -0.666666667},
                         {0.209876543, 0.0864197531, 0.469135802}}));
    auto const [orthogonal, upper_part] = qr(a);
    CHECK(same(matmul(orthogonal, upper_part), {{2, 1, 0}, {-1, 3, 1}, {0.5, 0, 4}}));
    CHECK(same(matmul(mT(orthogonal), orthogonal), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}));
    CHECK(same(tril(upper_part, -1), {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}));
    auto const [sign_of, logarithm] = slogdet(a);
    CHECK(same(sign_of, 1));
    CHECK(same(logarithm, 3.34990409));
    CHECK(same(solve(a, v), {1.47368421, 0.0526315789, 0.315789474}));
    CHECK(same(
        solve(a, b),
        {{-0.0350877193, 0.298245614}, {1.07017544, 1.40350877}, {-0.245614035, 0.0877192982}}));
    auto const [left, singular, right] = svd(b, factors::reduced);
    CHECK(same(singular, {5.46765678, 1.1639284}));
    CHECK(same(matmul(left * singular, right), {{1, 2}, {3, 4}, {-1, 0.5}}));
    CHECK(same(svdvals(b), {5.46765678, 1.1639284}));
    CHECK(same(trace(a), 9));
    CHECK(same(trace(a, 1), 2));
    CHECK(same(norm(x), 5.11126208));
    CHECK(same(norm<1>(x), {2.41091269, 4.50693909}));
    CHECK(same(norm<1>(x, order::inf), {2, 3.75}));
    CHECK(same(norm<1>(x, 3), {2.16003065, 4.08883289}));
}

TEST_CASE("fourier transforms") {
    CHECK(same(fft(z), {C(-2, 1.5), C(1.20096189, -0.348076211), C(3.79903811, 4.84807621)}));
    CHECK(same(fft<0>(x),
               {{C(4.25, 0), C(-1.25, 0), C(-0.5, 0)}, {C(-3.25, 0), C(-1.25, 0), C(4.5, 0)}}));
    CHECK(same(fft(v, {.n = 4}), {C(4, 0), C(1, 1), C(6, 0), C(1, -1)}));
    CHECK(same(
        ifft(z, {.norm = fft_norm::ortho}),
        {C(-1.15470054, 0.866025404), C(2.19337567, 2.79903811), C(0.693375673, -0.200961894)}));
    CHECK(same(fftn(x), {{C(2.5, 0), C(5.125, 0.649519053), C(5.125, -0.649519053)},
                         {C(0, 0), C(-4.875, 4.97964607), C(-4.875, -4.97964607)}}));
    CHECK(same(ifftn<0, 1>(x),
               {{C(0.416666667, 0), C(0.854166667, -0.108253175), C(0.854166667, 0.108253175)},
                {C(0, 0), C(-0.8125, -0.829941012), C(-0.8125, 0.829941012)}}));
    CHECK(same(rfft(x), {{C(1.25, 0), C(0.125, 2.81458256)}, {C(1.25, 0), C(5, -2.16506351)}}));
    CHECK(same(irfft(z, {.n = 5}), {-1, 1.43368595, 0.254505011, -0.596145797, 0.907954837}));
    CHECK(same(rfftn(x), {{C(2.5, 0), C(5.125, 0.649519053)}, {C(0, 0), C(-4.875, 4.97964607)}}));
    CHECK(same(irfftn(rfftn(x), {.n = 3}), {{0.5, -1.25, 2}, {3.75, 0, -2.5}}));
    CHECK(same(hfft(z), {-2, 2, -2, 6}));
    CHECK(same(ihfft(v), {C(1.33333333, 0), C(0.833333333, -0.866025404)}));
    CHECK(same(fftfreq(5, 0.1), {0, 2, 4, -4, -2}));
    CHECK(same(rfftfreq(5, 0.1), {0, 2, 4}));
    CHECK(same(fftshift(x), {{-2.5, 3.75, 0}, {2, 0.5, -1.25}}));
    CHECK(same(ifftshift<1>(x), {{-1.25, 2, 0.5}, {0, -2.5, 3.75}}));
}
