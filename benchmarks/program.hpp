// SPDX-License-Identifier: BSD-3-Clause
//
// The main function of a benchmark program: one thread on one core, with the libraries' settings
// in place before they are loaded; the output says what was measured on and without whom.
#pragma once
#include <benchmark/benchmark.h>
#include <xsimd/xsimd.hpp>
#include <cstdlib>
#include <string>
#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace bench {

// OpenBLAS of Debian 12 does not know processors newer than it is, and takes half their width.
inline char const* openblas_core() {
    if (__builtin_cpu_supports("avx512vl")) return "SkylakeX";
    if (__builtin_cpu_supports("avx2")) return "Haswell";
    return nullptr;
}

// OpenMP and OpenBLAS read their settings when they are loaded, so the program starts itself
// again. What the user has set is kept.
inline void set_peers_alone([[maybe_unused]] char** argv) {
#if defined(__linux__)
    if (std::getenv("FELT_BENCH_ALONE") != nullptr) return;
    setenv("FELT_BENCH_ALONE", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 0);
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    setenv("FELT_NUM_THREADS", "1", 0);
    if (openblas_core() != nullptr) setenv("OPENBLAS_CORETYPE", openblas_core(), 0);
    execv("/proc/self/exe", argv);
#endif
}

// The same, and on one core.
inline void start_alone([[maybe_unused]] char** argv) {
    set_peers_alone(argv);
#if defined(__linux__)
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(sched_getcpu()), &one);
    sched_setaffinity(0, sizeof one, &one);
#endif
}

inline std::string peers_missing() {
    std::string names;
#if !defined(FELT_PEER_DNNL)
    names += " oneDNN";
#endif
#if !defined(FELT_PEER_OPENBLAS)
    names += " OpenBLAS";
#endif
#if !defined(FELT_PEER_EIGEN)
    names += " Eigen";
#endif
#if !defined(FELT_PEER_XTENSOR)
    names += " xtensor";
#endif
    return names.empty() ? "nobody" : names.substr(1);
}

// Runs what enter_all() registers.
template <class F>
int run(int argc, char** argv, F enter_all) {
    start_alone(argv);
    benchmark::AddCustomContext("instructions", xsimd::default_arch::name());
    benchmark::AddCustomContext("not found", peers_missing());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    enter_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

}  // namespace bench
