// SPDX-License-Identifier: BSD-3-Clause
//
// rows: y = softmax<1>(x) of 4096 x 1024 floats, beside y = exp(x) of the same arrays: each row is
// in cache when it is read again, so the maximum, the sum and the division should add little to the
// exponentials. columns: y = softmax<0>(x) of the same. product: softmax<1>(a w), over 10,000 words
// for 4096 samples of 256; "two" is the product in one statement, its softmax in another.
// Contestants: Felt fused and unfused, oneDNN's softmax of rows (of columns it has a reference
// only).
#include "peers/onednn.hpp"
#include "program.hpp"
#include "roofs.hpp"

namespace {

using namespace bench;

constexpr index_t m = 4096, n = 1024;

struct arrays {
    felt::Tensor<float, 2> x = numbers<float>(felt::extents<2>{{m, n}}, 1);
    felt::Tensor<float, 2> y{{m, n}};
};
arrays& shared() {
    static arrays instance;
    return instance;
}

double exact_exp(index_t i, index_t j) { return std::exp(static_cast<double>(shared().x(i, j))); }
template <int A>
double exact_softmax(index_t i, index_t j) {
    double sum = 0;
    for (index_t k = 0; k < (A == 0 ? m : n); ++k)
        sum += A == 0 ? exact_exp(k, j) : exact_exp(i, k);
    return exact_exp(i, j) / sum;
}

contestant timed(task run, double (*exact)(index_t, index_t), double scale) {
    contestant c;
    c.run = std::move(run);
    c.of = copying(m * n);
    c.right = [=] {
        return at_samples(
            m, n, [&](index_t i, index_t j) { return near(shared().y(i, j), exact(i, j), scale); });
    };
    shared().y = 9.f;
    return c;
}

template <int A>
void enter_axis(std::string const& name) {
    auto const ours = [](auto how) {
        return timed(
            [=] { felt::run(how, felt::assign(shared().y, felt::softmax<A>(shared().x))); },
            exact_softmax<A>, 1e-3);
    };
    enter(name + "/exp",
          [] { return timed([] { shared().y = felt::exp(shared().x); }, exact_exp, 1); });
    enter(name + "/felt", [=] { return ours(felt::fused); });
    enter(name + "/unfused", [=] { return ours(felt::unfused); });
}

// y = softmax<1>(a w): the last layer of a language model.
struct words {
    static constexpr index_t samples = 4096, inner = 256, count = 10000;
    felt::Tensor<float, 2> a = numbers<float>(felt::extents<2>{{samples, inner}}, 3);
    felt::Tensor<float, 2> w = numbers<float>(felt::extents<2>{{inner, count}}, 4);
    felt::Tensor<float, 2> y{{samples, count}};

    double exact(index_t i, index_t j) const {
        double sum = 0, mine = 0;
        for (index_t c = 0; c < count; ++c) {
            double score = 0;
            for (index_t k = 0; k < inner; ++k) score += double(a(i, k)) * double(w(k, c));
            sum += std::exp(score / 16);
            if (c == j) mine = std::exp(score / 16);
        }
        return mine / sum;
    }
};

template <class Run>
void enter_words(char const* name, Run run) {
    enter(name, [=] {
        static auto const shared = std::make_shared<words>();
        contestant c;
        c.run = [=] { run(*shared); };
        c.of = arithmetic<float>(2. * words::samples * words::inner * words::count);
        c.right = [] {
            for (index_t i : {index_t{0}, words::samples - 1}) {
                if (!near(shared->y(i, 17), shared->exact(i, 17), 1e-3)) return false;
            }
            return true;
        };
        shared->y = 9.f;
        return c;
    });
}
void enter_products() {
    auto const scores = [](words& v) { return felt::matmul(v.a, v.w) / 16.f; };
    enter_words("softmax/product/felt", [=](words& v) {
        felt::run(felt::fused, felt::assign(v.y, felt::softmax<1>(scores(v))));
    });
    enter_words("softmax/product/unfused", [=](words& v) {
        felt::run(felt::unfused, felt::assign(v.y, felt::softmax<1>(scores(v))));
    });
    enter_words("softmax/product/two", [=](words& v) {
        v.y = scores(v);
        v.y = felt::softmax<1>(v.y);
    });
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_axis<1>("softmax/rows");
        enter("softmax/rows/onednn", [] {
            arrays& a = shared();
            return timed(onednn::softmax(a.x.data(), a.y.data(), m, n), exact_softmax<1>, 1e-3);
        });
        enter_axis<0>("softmax/columns");
        enter_products();
    });
}
