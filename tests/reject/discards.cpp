// SPDX-License-Identifier: BSD-3-Clause
//
// What does nothing by itself warns where it is dropped: a line for every public function that
// gives a value (tests/house/table.cmake asks for it), and the destinations that do not warn.
#include "shared.hpp"
#include <felt/sorting.hpp>
#include <functional>

using felt::range, felt::keepdims, felt::Tensor;

inline felt::Tensor<float, 4> images, filters;
inline felt::Tensor<float, 5> volumes;
inline felt::Tensor<felt::index_t, 4> positions;
struct functor {
    float operator()(float x) const { return x; }
};

struct total {
    template <class T>
    static T identity() {
        return T(0);
    }
    auto operator()(auto x, auto y) const { return x + y; }
};

struct twice {
    auto make(auto const& x) const { return x + x; }
};

// clang-format off
void operators() {
    a + b;             // warns: computes nothing until
    a - b;             // warns: computes nothing until
    a * b;             // warns: computes nothing until
    a / b;             // warns: computes nothing until
    a % b;             // warns: computes nothing until
    -a;                // warns: computes nothing until
    !a;                // warns: computes nothing until
    a < b;             // warns: unused
    a <= b;            // warns: unused
    a > b;             // warns: unused
    a >= b;            // warns: unused
    a == b;            // warns: unused
    a != b;            // warns: unused
    a && b;            // warns: computes nothing until
    a || b;            // warns: computes nothing until
}
void integers(Tensor<int, 1> const& a, Tensor<int, 1> const& b) {
    a & b;             // warns: computes nothing until
    a | b;             // warns: computes nothing until
    a ^ b;             // warns: computes nothing until
    ~a;                // warns: computes nothing until
    a << b;            // warns: computes nothing until
    a >> b;            // warns: computes nothing until
}
void complex_numbers(Tensor<std::complex<float>, 1> const& z) {
    complex(a, a);     // warns: computes nothing until
    real(z);           // warns: ignoring return value
    imag(z);           // warns: ignoring return value
    conj(z);           // warns: computes nothing until
    angle(z);          // warns: computes nothing until
}
void elementwise() {
    exp(a);                   // warns: computes nothing until
    log(a);                   // warns: computes nothing until
    log1p(a);                 // warns: computes nothing until
    sqrt(a);                  // warns: computes nothing until
    tanh(a);                  // warns: computes nothing until
    erf(a);                   // warns: computes nothing until
    erfc(a);                  // warns: computes nothing until
    sigmoid(a);               // warns: computes nothing until
    gelu(a);                  // warns: computes nothing until
    sin(a);                   // warns: computes nothing until
    cos(a);                   // warns: computes nothing until
    tan(a);                   // warns: computes nothing until
    asin(a);                  // warns: computes nothing until
    acos(a);                  // warns: computes nothing until
    atan(a);                  // warns: computes nothing until
    sinh(a);                  // warns: computes nothing until
    cosh(a);                  // warns: computes nothing until
    asinh(a);                 // warns: computes nothing until
    acosh(a);                 // warns: computes nothing until
    atanh(a);                 // warns: computes nothing until
    exp2(a);                  // warns: computes nothing until
    expm1(a);                 // warns: computes nothing until
    log2(a);                  // warns: computes nothing until
    log10(a);                 // warns: computes nothing until
    cbrt(a);                  // warns: computes nothing until
    rsqrt(a);                 // warns: computes nothing until
    reciprocal(a);            // warns: computes nothing until
    softplus(a);              // warns: computes nothing until
    silu(a);                  // warns: computes nothing until
    ceil(a);                  // warns: computes nothing until
    round(a);                 // warns: computes nothing until
    trunc(a);                 // warns: computes nothing until
    isnan(a);                 // warns: computes nothing until
    isinf(a);                 // warns: computes nothing until
    isfinite(a);              // warns: computes nothing until
    signbit(a);               // warns: computes nothing until
    nan_to_num(a);            // warns: computes nothing until
    elu(a);                   // warns: computes nothing until
    leaky_relu(a);            // warns: computes nothing until
    atan2(a, b);              // warns: computes nothing until
    hypot(a, b);              // warns: computes nothing until
    copysign(a, b);           // warns: computes nothing until
    nextafter(a, b);          // warns: computes nothing until
    logaddexp(a, b);          // warns: computes nothing until
    fmod(a, b);               // warns: computes nothing until
    remainder(a, b);          // warns: computes nothing until
    floor_divide(a, b);       // warns: computes nothing until
    logical_xor(a, b);        // warns: computes nothing until
    lerp(a, b, 0.5);          // warns: computes nothing until
    pow(a, 2);                // warns: computes nothing until
    abs(a);                   // warns: computes nothing until
    floor(a);                 // warns: computes nothing until
    square(a);                // warns: computes nothing until
    sign(a);                  // warns: computes nothing until
    relu(a);                  // warns: computes nothing until
    maximum(a, b);            // warns: computes nothing until
    minimum(a, b);            // warns: computes nothing until
    clip(a, 0, 1);            // warns: computes nothing until
    soft_threshold(a, 1);     // warns: computes nothing until
    where(a > 0, a, b);       // warns: computes nothing until
    cast<int>(a);             // warns: computes nothing until
    felt::map(functor{}, a);  // warns: computes nothing until
}
void views() {
    transpose(a);                        // warns: nodiscard
    felt::permute<1, 0>(a);              // warns: nodiscard
    felt::swapaxes<0, 1>(a);             // warns: nodiscard
    felt::moveaxis<0, 1>(a);             // warns: nodiscard
    mT(a);                               // warns: nodiscard
    flatten(a);                          // warns: nodiscard
    felt::squeeze<0>(a);                 // warns: nodiscard
    felt::split<0, 2>(a);                // warns: nodiscard
    felt::unstack<0, 2>(a);              // warns: nodiscard
    felt::stack<0>(a, b);                // warns: nodiscard
    reshape(a, {-1});                    // warns: nodiscard
    reshape(a + b, a.extents());         // warns: nodiscard
    slice(a, 0, range(0, 1));            // warns: nodiscard
    felt::from(1);                       // warns: nodiscard
    felt::until(1);                      // warns: nodiscard
    range(0, 1);                         // warns: nodiscard
    felt::all();                         // warns: nodiscard
    felt::flip<0>(a);                    // warns: nodiscard
    rot180(a);                           // warns: nodiscard
    felt::expand_dims<0>(a);             // warns: nodiscard
    broadcast_to(v, {2, 3});             // warns: nodiscard
    broadcast_to(v, a.extents());        // warns: nodiscard
    diagonal(a);                         // warns: nodiscard
    broadcast_arrays(a, b);              // warns: nodiscard
    meshgrid(v, v);                      // warns: nodiscard
    diag(v);                             // warns: computes nothing until
    tril(a);                             // warns: computes nothing until
    triu(a);                             // warns: computes nothing until
    pad(a, {{1, 1}, {0, 0}});            // warns: computes nothing until
    felt::roll<0>(a, 1);                 // warns: computes nothing until
    tile(a, {2, 2});                     // warns: computes nothing until
    felt::repeat<0>(a, 2);               // warns: computes nothing until
    upsample(a, {2, 2});                 // warns: computes nothing until
    windows(a, {2, 2});                  // warns: computes nothing until
    felt::concat<0>(a, b);               // warns: computes nothing until
    felt::gather<0>(a, i);               // warns: computes nothing until
    felt::take_along_axis<0>(a, cast<int>(a));     // warns: computes nothing until
    felt::put_along_axis<0>(a, cast<int>(a), 1);   // warns: computes nothing until
    felt::scatter_add<0>({3, 2}, i, a);  // warns: computes nothing until
    bincount(i, 3);                      // warns: computes nothing until
    felt::view(a.data(), {2, 2});        // warns: nodiscard
    felt::view(a);                       // warns: nodiscard
}
void reductions() {
    sum(a);                           // warns: computes nothing until
    felt::sum<0>(a, keepdims);        // warns: computes nothing until
    prod(a);                          // warns: computes nothing until
    felt::prod<0>(a, keepdims);       // warns: computes nothing until
    mean(a);                          // warns: computes nothing until
    felt::mean<0>(a, keepdims);       // warns: computes nothing until
    max(a);                           // warns: computes nothing until
    felt::max<0>(a, keepdims);        // warns: computes nothing until
    min(a);                           // warns: computes nothing until
    felt::min<0>(a, keepdims);        // warns: computes nothing until
    argmax(a);                        // warns: computes nothing until
    felt::argmax<0>(a, keepdims);     // warns: computes nothing until
    argmin(a);                        // warns: computes nothing until
    felt::argmin<0>(a, keepdims);     // warns: computes nothing until
    any(a);                           // warns: computes nothing until
    felt::any<0>(a, keepdims);        // warns: computes nothing until
    all(a);                           // warns: computes nothing until
    felt::all<0>(a, keepdims);        // warns: computes nothing until
    count_nonzero(a);                 // warns: computes nothing until
    var(a);                           // warns: computes nothing until
    felt::var<0>(a, keepdims);        // warns: computes nothing until
    var(a, {.ddof = 1});              // warns: computes nothing until
    stddev(a);                        // warns: computes nothing until
    stddev(a, {.ddof = 1});           // warns: computes nothing until
    ptp(a);                           // warns: computes nothing until
    average(a, b);                    // warns: computes nothing until
    cov(a);                           // warns: computes nothing until
    corrcoef(a);                      // warns: computes nothing until
    nansum(a);                        // warns: computes nothing until
    nanprod(a);                       // warns: computes nothing until
    nanmax(a);                        // warns: computes nothing until
    nanmin(a);                        // warns: computes nothing until
    nanmean(a);                       // warns: computes nothing until
    nanvar(a);                        // warns: computes nothing until
    nanstd(a);                        // warns: computes nothing until
    norm(a);                          // warns: computes nothing until
    norm(a, felt::order::inf);        // warns: computes nothing until
    diff(a);                          // warns: computes nothing until
    reduce(total{}, a);               // warns: computes nothing until
    trace(a);                         // warns: computes nothing until
    norm2(a);                         // warns: computes nothing until
    felt::logsumexp<0>(a);            // warns: computes nothing until
    felt::logsumexp<0>(a, keepdims);  // warns: computes nothing until
    felt::cumsum<0>(a);               // warns: computes nothing until
    felt::cumprod<0>(a);              // warns: computes nothing until
    felt::cummax<0>(a);               // warns: computes nothing until
    felt::cummin<0>(a);               // warns: computes nothing until
    felt::logcumsumexp<0>(a);         // warns: computes nothing until
    felt::inclusive_scan<0>(std::plus<>{}, a);     // warns: computes nothing until
    felt::exclusive_scan<0>(std::plus<>{}, a, 1);  // warns: computes nothing until
    felt::softmax<0>(a);              // warns: computes nothing until
    felt::log_softmax<0>(a);          // warns: computes nothing until
    cross_entropy(a, i);              // warns: computes nothing until
    kl(a, b);                         // warns: computes nothing until
    felt::compose(twice{}, a);        // warns: computes nothing until
    felt::along<1>(v);                // warns: computes nothing until
    all_close(a, b);                  // warns: nodiscard
}
void products() {
    matmul(a, b);                                                    // warns: computes nothing until
    felt::einsum<"ij->i">(a);                                        // warns: computes nothing until
    felt::einsum<"ij,jk->ik">(a, b);                                 // warns: computes nothing until
    packed(a);                                                       // warns: computes nothing until
    dot(v, v);                                                       // warns: computes nothing until
    outer(v, v);                                                     // warns: computes nothing until
    vecdot(a, b);                                                    // warns: computes nothing until
    inner(a, b);                                                     // warns: computes nothing until
    cross(a, b);                                                     // warns: computes nothing until
    tensordot(a, b);                                                 // warns: computes nothing until
    conv1d(c, c);                                                    // warns: computes nothing until
    conv3d(volumes, volumes);                                        // warns: computes nothing until
    avg_pool1d(c);                                                   // warns: computes nothing until
    max_pool1d(c);                                                   // warns: computes nothing until
    avg_pool3d(volumes);                                             // warns: computes nothing until
    max_pool3d(volumes);                                             // warns: computes nothing until
    kron(a, b);                                                      // warns: computes nothing until
    conv2d(images, filters);                                         // warns: computes nothing until
    conv2d_input_grad(images, filters, images.extents());            // warns: computes nothing until
    conv2d_weight_grad(images, images, filters.extents());           // warns: computes nothing until
    avg_pool2d(images, {.window = {2, 2}});                          // warns: computes nothing until
    max_pool2d(images, {.window = {2, 2}});                          // warns: computes nothing until
    argmax_pool2d(images, {.window = {2, 2}});                       // warns: computes nothing until
    max_pool2d_grad(images, positions, {1, 1, 4, 4}, {.window = {2, 2}});  // warns: computes nothing until
    avg_pool2d_grad(images, {1, 1, 4, 4}, {.window = {2, 2}});       // warns: computes nothing until
}
void fills() {
    felt::zeros<float>({2, 3});         // warns: computes nothing until
    felt::zeros<float>(a.extents());    // warns: computes nothing until
    felt::ones<float>({2, 3});          // warns: computes nothing until
    zeros_like(a);                      // warns: computes nothing until
    ones_like(a);                       // warns: computes nothing until
    full_like(a, 2);                    // warns: computes nothing until
    felt::eye<float>(3);                // warns: computes nothing until
    felt::arange(3);                    // warns: computes nothing until
    felt::linspace<float>(0, 1, 3);     // warns: computes nothing until
    felt::full({2, 3}, 1.f);            // warns: computes nothing until
    felt::iota(3);                      // warns: computes nothing until
    felt::iota<float>({2, 3});          // warns: computes nothing until
    felt::uniform<float>({2, 3}, 1);    // warns: computes nothing until
    felt::normal<float>({2, 3}, 1);     // warns: computes nothing until
    felt::randint({2, 3}, 0, 9, 1);     // warns: computes nothing until
    felt::bernoulli({2, 3}, 0.5, 1);    // warns: computes nothing until
    felt::permutation(9, 1);            // warns: computes nothing until
    choice(a, 2, 1);                    // warns: computes nothing until
    felt::one_hot<float>(i, 3);         // warns: computes nothing until
}
void running() {
    noalias(a);                        // warns: noalias(y) = e
    assign(a, b);                      // warns: fuse(s)
    felt::allocations();               // warns: nodiscard
    lower(a + b);                      // warns: computes nothing until
}
void plans() {
    eval(a + b);               // warns: nodiscard
    explain(assign(a, b));     // warns: nodiscard
    felt::threads();           // warns: nodiscard
}
void sorting() {
    sort(a);                           // warns: nodiscard
    argsort(a);                        // warns: nodiscard
    topk(a, 1);                        // warns: nodiscard
    quantile(a, 0.5);                  // warns: nodiscard
    felt::quantile<0>(a, 0.5);         // warns: nodiscard
    median(a);                         // warns: nodiscard
    felt::median<0>(a);                // warns: nodiscard
    searchsorted(v, a);                // warns: nodiscard
    isin(a, v);                        // warns: nodiscard
    histogram(a, 4, 0, 1);             // warns: nodiscard
    nonzero(a);                        // warns: nodiscard
    argwhere(a);                       // warns: nodiscard
    masked_select(a, a > 0);           // warns: nodiscard
    felt::compress<0>(v > 0, a);       // warns: nodiscard
    unique(a);                         // warns: nodiscard
    unique_counts(a);                  // warns: nodiscard
    unique_inverse(a);                 // warns: nodiscard
    unique_all(a);                     // warns: nodiscard
}
void tensors() {
    Tensor<float, 1>::of({1, 2});      // warns: nodiscard
    a.size();                          // warns: nodiscard
    a.extent(0);                       // warns: nodiscard
    a.extents();                       // warns: nodiscard
    a.strides();                       // warns: nodiscard
    a.data();                          // warns: nodiscard
    transpose(a).extents();            // warns: nodiscard
}
// clang-format on

void destinations() {
    a = b, a += b, a -= 1, a *= b, a /= 2;
    noalias(a) = b;
    slice(a, 0, felt::all()) = v;
    slice(a, 0, felt::all()) += v;
    transpose(a) = transpose(b);
    reshape(a, {-1}) *= 2.f;
    felt::view(a.data(), {2, 3}) = b;
    fuse(assign(a, b), assign(transpose(b), a));
    run(felt::fused, assign(a, b));
    run(felt::unfused, assign(a, b));
    packed(a).rebuild();
    felt::threads(1);
}
