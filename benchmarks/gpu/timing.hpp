// SPDX-License-Identifier: BSD-3-Clause
//
// A question to a GPU: contestants over the same arrays, each checked before any is timed, then
// timed in turns by events, the second-level cache overwritten before each. A row is one case and
// one contestant; the first contestant of a case is Felt's.
//
//     int main(int argc, char** argv) {
//         return bench::on_gpu(argc, argv, "product", [](bench::options const& o) { .. });
//     }
//
// FELT_FIGURES names a file that gets a row a line, fields separated by tabs:
// question, case, contestant, median and least seconds, amount a second, its unit, largest error.
#pragma once
#include "launch_profile.hpp"
#include <felt/device.hpp>
#include <thrust/transform_reduce.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bench {

using felt::index_t;
using felt::device::check;
template <class T, std::size_t R>
using tensor = felt::Tensor<T, R, felt::Device>;

struct options {
    char const* question;
    bool small = false;    // extents for sanitizers; each contestant is checked and timed once
    bool profile = false;  // where the time of each goes, by operation; nothing else is timed
    int rounds() const { return small ? 1 : 15; }
};

// Between two events on the stream that statements of this thread go to.
class stopwatch {
public:
    stopwatch() {
        check(cudaEventCreate(&begin_), "event");
        check(cudaEventCreate(&end_), "event");
    }
    stopwatch(stopwatch const&) = delete;
    ~stopwatch() {
        (void)cudaEventDestroy(begin_);
        (void)cudaEventDestroy(end_);
    }

    template <class F>
    double seconds(F const& run) {
        auto const here = felt::device::stream_of_this_thread();
        check(cudaEventRecord(begin_, here), "event");
        run();
        check(cudaEventRecord(end_, here), "event");
        check(cudaEventSynchronize(end_), "timing");
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin_, end_), "event");
        return 1e-3 * static_cast<double>(ms);
    }

private:
    cudaEvent_t begin_, end_;
};

// Overwrites the second-level cache, twice its size; a statement is asked for meanwhile, so that
// what asking costs does not count where a launch is short.
class flush {
public:
    explicit flush(bool small) {
        int number = 0, size = 0;
        check(cudaGetDevice(&number), "device");
        check(cudaDeviceGetAttribute(&size, cudaDevAttrL2CacheSize, number), "device");
        memory_ = tensor<char, 1>({small ? 1 : 2 * static_cast<index_t>(size) + 1});
    }
    void operator()() const {
        auto const bytes = static_cast<std::size_t>(memory_.extent(0));
        check(cudaMemsetAsync(const_cast<char*>(memory_.data()), 1, bytes,
                              felt::device::stream_of_this_thread()),
              "flush");
    }

private:
    tensor<char, 1> memory_;
};

using task = std::function<void()>;

struct contestant {
    std::string name;
    task run;
    std::function<double()> error = {};  // the largest of all results, after a run
    double allowed = 0;
};

// `amount` units of work, `unit` being 1e9 of it in a second.
struct work {
    double amount;
    char const* unit;
};

inline void write_row(options const& o, std::string const& name, contestant const& c,
                      std::vector<double> const& seconds, work const& w, double error) {
    static std::FILE* const file = [] {
        char const* const path = std::getenv("FELT_FIGURES");
        return path == nullptr ? nullptr : std::fopen(path, "a");
    }();
    if (file == nullptr) return;
    double const median = seconds[seconds.size() / 2];
    std::fprintf(file, "%s\t%s\t%s\t%.4g\t%.4g\t%.4g\t%s\t%.2g\n", o.question, name.c_str(),
                 c.name.c_str(), median, seconds.front(), 1e-9 * w.amount / median, w.unit, error);
    std::fflush(file);
}

inline int& wrong_results() {
    static int number = 0;
    return number;
}

// The error of c, or infinity where it is larger than it may be, and c is not timed.
inline double checked(std::string const& name, contestant const& c) {
    c.run();
    double const error = c.error ? c.error() : 0;
    if (error <= c.allowed) return error;
    ++wrong_results();
    std::printf("%-24s %-20s WRONG: error %.2g, allowed %.2g\n", name.c_str(), c.name.c_str(),
                error, c.allowed);
    return std::numeric_limits<double>::infinity();
}

// Where a contestant's time goes, in one run.
inline void print_profile(std::string const& name, contestant const& c, flush const& overwrite) {
    launch_profile profile;
    overwrite();
    c.run();
    auto const shares = profile.shares();
    double all = 0;
    for (auto const& s : shares) all += s.seconds;
    for (auto const& s : shares) {
        std::printf("%-24s %-20s %-20s %6d launches %10.1f us %5.1f %%\n", name.c_str(),
                    c.name.c_str(), s.operation, s.launches, 1e6 * s.seconds,
                    100 * s.seconds / all);
    }
}

// Checks and times the contestants of a case. Returns the medians; 0 of those that were wrong, or
// are not timed.
inline std::vector<double> contest(options const& o, std::string const& name, work const& w,
                                   std::vector<contestant> const& all) {
    std::vector<double> errors, medians;
    for (auto const& c : all) errors.push_back(checked(name, c));
    std::vector<std::vector<double>> seconds(all.size());
    stopwatch watch;
    flush const overwrite(o.small);
    if (o.profile) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (!std::isinf(errors[k])) print_profile(name, all[k], overwrite);
        }
        return std::vector<double>(all.size());
    }
    for (int round = 0; round < o.rounds(); ++round) {
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (std::isinf(errors[k])) continue;
            overwrite();
            seconds[k].push_back(watch.seconds(all[k].run));
        }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        auto& s = seconds[k];
        std::sort(s.begin(), s.end());
        medians.push_back(s.empty() ? 0 : s[s.size() / 2]);
        if (s.empty() || o.small) continue;
        write_row(o, name, all[k], s, w, errors[k]);
        std::printf("%-24s %-20s %10.1f us %9.1f %-8s %6.2f  %.1g\n", name.c_str(),
                    all[k].name.c_str(), 1e6 * medians[k], 1e-9 * w.amount / medians[k], w.unit,
                    medians[0] > 0 ? medians[k] / medians[0] : 0, errors[k]);
    }
    return medians;
}

// One thread an element, in double: how results are to be.
template <class F>
__global__ void fill_kernel(double* to, index_t n, F f) {
    index_t const i = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i < n) to[i] = f(i);
}
template <class F>
tensor<double, 1> exactly(index_t n, F const& f) {
    tensor<double, 1> y({n});
    fill_kernel<<<static_cast<unsigned>((n + 255) / 256), 256>>>(y.data(), n, f);
    check(cudaGetLastError(), "exactly");
    felt::synchronize();
    return y;
}

struct larger {
    __host__ __device__ double operator()(double a, double b) const { return a < b ? b : a; }
};
struct difference {
    float const* y;
    double const* want;

    // A NaN is infinitely far off, for it is larger than nothing.
    __host__ __device__ double operator()(index_t i) const {
        double const d = fabs(static_cast<double>(y[i]) - want[i]);
        return d <= 1e300 ? d : 1e301;
    }
};

// Of y, which is NaN afterwards: contestants share it, and one that writes nothing is wrong.
inline double largest_error(float const* y, tensor<double, 1> const& want) {
    auto const here = felt::device::stream_of_this_thread();
    double const e =
        thrust::transform_reduce(thrust::cuda::par.on(here), thrust::counting_iterator<index_t>(0),
                                 thrust::counting_iterator<index_t>(want.extent(0)),
                                 difference{y, want.data()}, 0., larger{});
    auto const bytes = sizeof(float) * static_cast<std::size_t>(want.extent(0));
    check(cudaMemsetAsync(const_cast<float*>(y), 0xff, bytes, here), "largest_error");
    felt::synchronize();
    return e;
}

// As main returns: 77 where there is no GPU, 1 if a result was wrong or something failed.
template <class F>
int on_gpu(int argc, char** argv, char const* question, F const& ask) {
    options o{question};
    for (int i = 1; i < argc; ++i) {
        bool const small = std::strcmp(argv[i], "--small") == 0;
        bool const profile = std::strcmp(argv[i], "--profile") == 0;
        o.small = o.small || small;
        o.profile = o.profile || profile;
        if (small || profile) continue;
        std::printf(
            "%s [--small] [--profile]: small extents, nothing timed, for compute-sanitizer; "
            "where the time goes, by operation\n",
            argv[0]);
        return std::strcmp(argv[i], "--help") == 0 ? 0 : 2;
    }
    if (!felt::device::has_gpu()) {
        std::puts("Skipped: no GPU");
        return 77;
    }
    cudaDeviceProp gpu;
    check(cudaGetDeviceProperties(&gpu, 0), "device");
    std::printf("%s on %s\n", question, gpu.name);
    if (!o.small) {
        std::printf("%-24s %-20s %13s %18s %6s  %s\n", "case", "contestant", "median", "rate",
                    "times", "error");
    }
    try {
        ask(o);
    } catch (felt::error const& e) {
        std::printf("%s: %s\n", question, e.what());
        return 1;
    }
    if (wrong_results() == 0) std::puts("all results are right");
    return wrong_results() == 0 ? 0 : 1;
}

}  // namespace bench
