// SPDX-License-Identifier: BSD-3-Clause
//
// exp, tanh and sigmoid of numbers in L1: bound by arithmetic. About 16 vector instructions for an
// exponential and a division each for the other two; at two instructions a cycle and 16 floats an
// instruction (AVX-512): 0.5 cycles a float for exp, 1 for tanh and sigmoid.
// Contestants: felt; the standard library, one by one; xsimd; oneDNN's logistic and tanh.
#include <felt/core/math.hpp>
#include <benchmark/benchmark.h>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>
#if defined(FELT_PEER_DNNL)
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace {

constexpr std::size_t count = 4096;  // x and y fill 32 KiB

template <class T>
std::vector<T, xsimd::aligned_allocator<T>> numbers(T lo, T hi) {
    std::vector<T, xsimd::aligned_allocator<T>> x(count);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = lo + (hi - lo) * static_cast<T>(i * 2654435761u % count) / static_cast<T>(count);
    return x;
}

template <class T, class F>
__attribute__((noinline)) void batches(T const* x, T* y, F f) {
    using B = xsimd::batch<T>;
    for (std::size_t i = 0; i < count; i += B::size) f(B::load_aligned(x + i)).store_aligned(y + i);
}

template <class T, class F>
__attribute__((noinline)) void one_by_one(T const* x, T* y, F f) {
    for (std::size_t i = 0; i < count; ++i) y[i] = f(x[i]);
}

template <class T, class G, class Y>
void verify(T const* x, Y const& y, G exact) {
    for (std::size_t i = 0; i < count; ++i)
        if (std::abs(y[i] - exact(x[i])) > 8 * std::numeric_limits<T>::epsilon() * std::abs(y[i])) {
            std::fprintf(stderr, "wrong at %g\n", static_cast<double>(x[i]));
            std::exit(1);
        }
}

// Registers `run(x, y)` under a name; the result is compared with `exact` before it is timed.
template <class T, class Run, class G>
void contestant(char const* name, T lo, T hi, Run run, G exact) {
    benchmark::RegisterBenchmark(name, [=](benchmark::State& state) {
        auto const x = numbers(lo, hi);
        auto y = numbers(T(0), T(0));
        run(x.data(), y.data());
        verify(x.data(), y, exact);
        for (auto _ : state) {
            run(x.data(), y.data());
            benchmark::ClobberMemory();
        }
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
    });
}

#if defined(FELT_PEER_DNNL)
// oneDNN's eltwise primitive on a row of floats, made once.
auto dnnl_eltwise(dnnl::algorithm which) {
    using namespace dnnl;
    engine const cpu(engine::kind::cpu, 0);
    memory::desc const row({1, static_cast<memory::dim>(count)}, memory::data_type::f32,
                           memory::format_tag::ab);
    eltwise_forward::desc const description(prop_kind::forward_inference, which, row);
    eltwise_forward const primitive(eltwise_forward::primitive_desc(description, cpu));
    memory const in(row, cpu, nullptr), out(row, cpu, nullptr);
    return [=, queue = stream(cpu)](float const* x, float* y) {
        in.set_data_handle(const_cast<float*>(x));
        out.set_data_handle(y);
        primitive.execute(queue, {{DNNL_ARG_SRC, in}, {DNNL_ARG_DST, out}});
    };
}
#endif

// One function: felt's batches, the standard library's number by number.
template <class T, class F, class G>
void compare(std::string const& name, T lo, T hi, F felt, G exact) {
    auto const batched = [=](T const* x, T* y) { batches(x, y, felt); };
    auto const scalar = [=](T const* x, T* y) { one_by_one(x, y, exact); };
    contestant((name + "/felt").c_str(), lo, hi, batched, exact);
    contestant((name + "/std").c_str(), lo, hi, scalar, exact);
}

constexpr auto exp_of = [](auto x) { return std::exp(x); };
constexpr auto tanh_of = [](auto x) { return std::tanh(x); };
constexpr auto sigmoid_of = [](auto x) { return 1 / (1 + std::exp(-x)); };

template <class T>
void compare_all(std::string const& type) {
    namespace math = felt::math;
    T const lo(-8), hi(8);
    compare<T>("exp<" + type + ">", lo, hi, [](auto x) { return math::exp(x); }, exp_of);
    contestant(("exp<" + type + ">/xsimd").c_str(), lo, hi,
               [](T const* x, T* y) { batches(x, y, [](auto v) { return xsimd::exp(v); }); },
               exp_of);
    compare<T>("tanh<" + type + ">", lo, hi, [](auto x) { return math::tanh(x); }, tanh_of);
    compare<T>(
        "sigmoid<" + type + ">", lo, hi, [](auto x) { return math::sigmoid(x); }, sigmoid_of);
    compare<T>(
        "log<" + type + ">", T(0.1), hi, [](auto x) { return math::log(x); },
        [](auto x) { return std::log(x); });
    compare<T>(
        "erf<" + type + ">", lo, hi, [](auto x) { return math::erf(x); },
        [](auto x) { return std::erf(x); });
}

bool const registered = [] {
    compare_all<float>("float");
    compare_all<double>("double");
#if defined(FELT_PEER_DNNL)
    using dnnl::algorithm;
    contestant("sigmoid<float>/onednn", -8.f, 8.f, dnnl_eltwise(algorithm::eltwise_logistic),
               sigmoid_of);
    contestant("tanh<float>/onednn", -8.f, 8.f, dnnl_eltwise(algorithm::eltwise_tanh), tanh_of);
    contestant("exp<float>/onednn", -8.f, 8.f, dnnl_eltwise(algorithm::eltwise_exp), exp_of);
#else
    std::puts("without oneDNN: it was not found");
#endif
    return true;
}();

}  // namespace
