// SPDX-License-Identifier: BSD-3-Clause
//
// The debug mode for memory, in a child of the test: there it is switched on before anything else.
#include <cmath>
#include <csignal>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <sys/wait.h>
#include <unistd.h>

using namespace felt::detail;

namespace {

// How a child ends that does f() in the debug mode: 0 if f says so, a signal's number plus 128.
template <class F>
int in_child(F const& f) {
    pid_t const child = fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
        memory_debugging() = true;
        _exit(f() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

TEST_CASE("what nobody has written is a signalling NaN, or bytes that are easily seen") {
    float x[5];
    fill_unwritten(x, 5);
    for (float const v : x) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &v, sizeof bits);
        CHECK((bits & 0x7F800000U) == 0x7F800000U);
        CHECK((bits & 0x007FFFFFU) != 0);
        CHECK((bits & 0x00400000U) == 0);
    }
    unsigned char n[3];
    fill_unwritten(n, 3);
    CHECK(n[2] == unwritten);
    double d[2];
    fill_unwritten_bytes(d, sizeof d);
    CHECK(std::isnan(d[1]));
    float f[3];
    fill_unwritten_bytes(f, sizeof f);
    CHECK(std::isnan(f[2]));
}

TEST_CASE("a fresh tensor is not numbers until it is written") {
    CHECK(in_child([] {
              felt::Tensor<float, 2> x({3, 5}, felt::uninitialized);
              return std::isnan(x(2, 4));
          }) == 0);
}

TEST_CASE("a write behind a tensor, or a piece of scratch, ends the program") {
    CHECK(in_child([] {
              felt::Tensor<float, 1> x({7});
              float volatile* const p = x.data();
              p[6] = 1;
              return true;
          }) == 0);
    CHECK(in_child([] {
              felt::Tensor<float, 1> x({7});
              float volatile* const p = x.data();
              p[7] = 1;
              return true;
          }) == 128 + SIGABRT);
    CHECK(in_child([] {
              felt::host::arena a;
              felt::host::scratch_scope const scope(a);
              char volatile* const p = a.take<char>(100);
              p[128 + 64] = 1;  // pieces are rounded up to lines, and have one more
              return true;
          }) == 128 + SIGABRT);
}

TEST_CASE("statements compute the same in the debug mode") {
    CHECK(in_child([] {
              felt::Tensor<float, 2> x({37, 53}), w({53, 29}), y({37, 29}), z({37, 29});
              x = felt::normal<float>(x.extents(), 1), w = felt::normal<float>(w.extents(), 2);
              auto const e = felt::softmax<1>(matmul(x, w)) - felt::mean<0>(matmul(x, w));
              felt::run(felt::fused, assign(y, e));
              felt::run(felt::unfused, assign(z, e));
              return all_close(y, z, 1e-4, 1e-5);
          }) == 0);
}
