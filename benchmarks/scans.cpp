// SPDX-License-Identifier: BSD-3-Clause
//
// rows: y = cumsum<1>(x) of 4096 x 4096 floats, columns: cumsum<0>. Bound by memory: x is read and
// y is written; a plain scan of a row waits for one addition an element. paths:
// mean<1>(exp(cumsum(x 0.01))), whose sums are never written: x is read, n exponentials.
// Contestants: Felt fused and unfused, std::inclusive_scan of each row, and a plain loop that adds
// row to row.
#include "arrays.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include <numeric>

namespace {

using namespace bench;

constexpr index_t m = 4096, n = 4096;

struct arrays {
    felt::Tensor<float, 2> x = numbers<float>(felt::extents<2>{{m, n}}, 1);
    felt::Tensor<float, 2> y{{m, n}};
    felt::Tensor<float, 1> mean{{m}};
};
arrays& shared() {
    static arrays instance;
    return instance;
}

template <int A>
double exact(index_t i, index_t j) {
    double sum = 0;
    for (index_t k = 0; k <= (A == 1 ? j : i); ++k)
        sum += A == 1 ? shared().x(i, k) : shared().x(k, j);
    return sum;
}
double exact_mean(index_t i) {
    double sum = 0, all = 0;
    for (index_t j = 0; j < n; ++j) {
        sum += 0.01 * shared().x(i, j);
        all += std::exp(sum);
    }
    return all / n;
}

template <int A>
contestant timed(task run) {
    contestant c;
    c.run = std::move(run);
    c.of = copying(m * n);
    c.right = [] {
        return at_samples(
            m, n, [](index_t i, index_t j) { return near(shared().y(i, j), exact<A>(i, j), 64); });
    };
    shared().y = 9.f;
    return c;
}

template <int A>
void enter_axis(std::string const& name) {
    auto const ours = [](auto how) {
        return timed<A>([=] { felt::run(how, assign(shared().y, felt::cumsum<A>(shared().x))); });
    };
    enter(name + "/felt", [=] { return ours(felt::fused); });
    enter(name + "/unfused", [=] { return ours(felt::unfused); });
}

template <class How>
void enter_paths(std::string const& name, How how) {
    enter("scans/paths/" + name, [=] {
        contestant c;
        c.run = [=] {
            arrays& a = shared();
            felt::run(how, assign(a.mean, felt::mean<1>(felt::exp(felt::cumsum<1>(a.x * 0.01f)))));
        };
        c.of = reading(m * n);
        c.right = [] {
            return at_samples(
                m, 1, [](index_t i, index_t) { return near(shared().mean(i), exact_mean(i), 1); });
        };
        return c;
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_axis<1>("scans/rows");
        enter("scans/rows/std", [] {
            return timed<1>([] {
                for (index_t i = 0; i < m; ++i) {
                    float const* x = shared().x.data() + i * n;
                    std::inclusive_scan(x, x + n, shared().y.data() + i * n);
                }
            });
        });
        enter_axis<0>("scans/columns");
        enter("scans/columns/loop", [] {
            return timed<0>([] {
                float const* x = shared().x.data();
                float* y = shared().y.data();
                std::copy(x, x + n, y);
                for (index_t i = n; i < m * n; ++i) y[i] = y[i - n] + x[i];
            });
        });
        enter_paths("felt", felt::fused);
        enter_paths("unfused", felt::unfused);
    });
}
