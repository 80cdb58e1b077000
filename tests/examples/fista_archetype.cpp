// SPDX-License-Identifier: BSD-3-Clause
//
// Dictionary learning is one template over the space: it is instantiated, and computes the same,
// where no element can be read.
#include <doctest/doctest.h>
#include <fista/learner.hpp>
#include <fista/solve.hpp>
#include <tests/support/remote.hpp>

namespace {

using felt::index_t;
using test::remote;

// The dense solves are the host's: small matrices go there and back.
struct solver {
    template <class Space>
    std::vector<index_t> dictionary(felt::Tensor<double, 2, Space> const& A,
                                    felt::Tensor<double, 2, Space> const& B, double ridge,
                                    felt::Tensor<double, 2, Space>& W) const {
        auto here = test::fetched(W);
        auto const unused =
            fista::host_solver{}.dictionary(test::fetched(A), test::fetched(B), ridge, here);
        put(here, W);
        return unused;
    }
    template <class Space>
    void pseudo_inverse(felt::Tensor<double, 2, Space> const& W,
                        felt::Tensor<double, 2, Space>& P) const {
        auto here = test::fetched(P);
        fista::host_solver{}.pseudo_inverse(test::fetched(W), here);
        put(here, P);
    }

private:
    template <class Space>
    static void put(felt::Tensor<double, 2> const& from, felt::Tensor<double, 2, Space>& to) {
        double* p = to.data();
        if constexpr (std::same_as<Space, remote>) p = test::moved(p);
        std::copy(from.data(), from.data() + from.size(), p);
    }
};

template <class Space>
felt::Tensor<double, 2> learned(fista::learning const& how) {
    felt::Tensor<double, 2, Space> x({9, 150});
    x = felt::normal<double>({9, 150}, 3);
    fista::learner<double, Space> learner(how, fista::random_dictionary<double, Space>(9, 12, 4));
    for (index_t round = 0; round < 3; ++round) {
        learner.code(felt::fused, x, solver{});
        learner.update(felt::fused, x, solver{}, round);
    }
    return test::fetched(learner.W());
}

}  // namespace

TEST_CASE("the learned dictionary is that of the host, bit for bit") {
    for (fista::learning const& how :
         {fista::learning{.lambda = 0.4, .steps = 10, .columns = 64},
          fista::learning{.lambda = 0.4, .ridge = 1e-2, .steps = 10, .columns = 0},
          fista::learning{.lambda = 1, .steps = 10, .study = true}}) {
        auto const here = learned<felt::Host>(how), there = learned<remote>(how);
        CHECK(bool(felt::all(here == there)));
        CHECK(bool(felt::any(here != fista::random_dictionary<double>(9, 12, 4))));
    }
}
