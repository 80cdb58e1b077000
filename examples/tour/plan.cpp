// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan says, what fusion saves, and statements that share a pass.
#include "check.hpp"
#include <felt/felt.hpp>
#include <cmath>
#include <sstream>

namespace {

using felt::Tensor;

void explaining() {
    std::cout << "# perceptron\n";
    //[explain]
    Tensor<float, 2> w1({256, 64}), b1({256, 1}), w2({64, 256}), b2({64, 1});
    Tensor<float, 2> x({64, 20000}), y({64, 20000});
    auto const e = sigmoid(matmul(w2, sigmoid(matmul(w1, x) + b1)) + b2);
    std::cout << explain(assign(y, e));
    //[explain]
    auto const s = assign(y, e);
    auto const plan = explain(s);
    check(plan.intermediates().empty(), "two layers need no intermediate");
    check(plan.flops() == 2 * 2 * 64 * 256 * 20000 + 2 * (256 + 64) * 20000, "a count by hand");
    check(plan.bytes() == 4 * (2 * 64 * 256 + 256 + 64 + 2 * 64 * 20000), "bytes by hand");
    check(plan.bytes_unfused() > 5 * plan.bytes(), "unfused, the hidden layer is moved");
    static_assert(felt::fully_fused<decltype(e)>);
}

void an_intermediate() {
    std::cout << "# in place\n";
    //[intermediate]
    Tensor<float, 2> x({1024, 1024});
    std::cout << explain(assign(x, x + transpose(x)));
    //[intermediate]
    auto const s = assign(x, x + transpose(x));
    check(explain(s).intermediates().size() == 1, "the plan names what it keeps aside");
}

void profiling() {
    //[profile]
    Tensor<float, 2> x({64, 512}), w({512, 256}), y({64, 256});
    x = 0.5f, w = 0.5f;
    auto const measured = felt::profile(assign(y, softmax<1>(matmul(x, w))));
    std::ostringstream text;
    text << measured;                          // the plan, and what share each stage took
    std::string const page = measured.html();  // the tree, to be looked at
    std::string const data = measured.json();  // for programs
    //[profile]
    check(text.str().find("%  matmul (64, 256)") != std::string::npos, "stages have names");
    check(page.find("<meter") != std::string::npos, "and bars");
    check(data.find("\"seconds\": ") != std::string::npos, "and seconds");
    auto const plan = explain(assign(y, softmax<1>(matmul(x, w))));
    check(plan.json().find("\"root\": ") != std::string::npos, "a plan alone has no seconds");
}

void measuring_allocation() {
    std::cout << "# allocations\n";
    //[allocations]
    Tensor<float, 2> w({64, 64}), x({64, 4096}), y({64, 4096});
    auto const before = felt::allocations();
    y = softmax<0>(matmul(w, x));
    auto const after = felt::allocations();
    std::cout << "tensors allocated: " << after.tensors - before.tensors << '\n';  // 0
    //[allocations]
    check(after.tensors == before.tensors, "a fused assignment allocates no tensor");
    check(after.scratch_peak < 4 << 20, "scratch is bounded");
}

void fused_and_unfused() {
    //[unfused]
    Tensor<float, 2> x({256, 1024}), y({256, 1024}), z({256, 1024});
    x = felt::normal<float>(x.extents(), 3);
    auto const e = x - mean<1>(x, felt::keepdims);
    run(felt::fused, assign(y, e));    // what y = e does
    run(felt::unfused, assign(z, e));  // node by node, each into a tensor of its own
    //[unfused]
    check(all_close(y, z, 1e-5, 1e-6), "fused and unfused agree to rounding");
}

void groups() {
    //[groups]
    Tensor<float, 2> c({128, 512}), f({128, 512}), i({128, 512}), g({128, 512}), o({128, 512});
    Tensor<float, 2> h;  // empty: it takes its extents from the statement
    f = 0.5f, i = 0.25f, g = 2.f, o = 1.f, c = 1.f;
    felt::fuse(assign(c, f * c + i * g),  // an LSTM cell: both statements in one pass,
               assign(h, o * tanh(c)));   // h reads c's block while it is in cache
    //[groups]
    bool const close = std::abs(h(127, 511) - std::tanh(1.f)) < 1e-6f;
    check(c(0, 0) == 1 && close, "statements run in order");
    auto const s1 = assign(c, f * c + i * g);
    auto const s2 = assign(h, o * tanh(c));
    check(explain(s1, s2).passes().size() == 1, "the two statements share a pass");
}

void packing_weights() {
    //[packed]
    Tensor<float, 2, felt::Host, felt::ColMajor> w({256, 256});
    Tensor<float, 2> x({256, 32}), h({256, 32});
    w = felt::normal<float>(w.extents(), 7) * 0.05f;
    auto const p = packed(w);  // nothing is copied yet
    for (int step = 0; step < 10; ++step) {
        h = tanh(matmul(p, h) + x);  // the first step lays w out, the others find it there
    }
    w = w * 0.9f;
    p.rebuild();  // now p has the new values
    //[packed]
    felt::Tensor<float, 2> const a = matmul(p, x + h), b = matmul(w, x + h);
    check(all_close(a, b, 1e-5, 1e-5), "a product of what is packed is that of w");
}

void sharing_threads() {
    //[threads]
    Tensor<float, 1> x({1 << 20});
    x = felt::uniform<float>(x.extents(), 5);
    float const one = sum(x);
    felt::threads(4);           // or FELT_NUM_THREADS=4; the default is one
    float const four = sum(x);  // the same bits
    felt::threads(1);
    //[threads]
    check(one == four, "results do not depend on the number of threads");
}

}  // namespace

void exactly() {
    using pictures = Tensor<float, 4, felt::Host, felt::ChannelsLast>;
    pictures images({4, 32, 28, 28}), filters({32, 32, 3, 3}), features({4, 32, 26, 26});
    images = felt::normal<float>(images.extents(), 4);
    filters = felt::normal<float>(filters.extents(), 5);
    //[exact]
    run(felt::exact, assign(features, conv2d(images, filters)));  // the sums that are written
    {
        felt::exact_scope const here;  // all of this thread, unfused ones and networks too
        features = conv2d(images, filters);
    }
    //[exact]
    pictures fast(features.extents());
    fast = conv2d(images, filters);
    float const apart = max(abs(fast - features));
    check(apart > 0 && apart < 1e-3F, "both round, and agree");
}

int main() {
    explaining();
    an_intermediate();
    profiling();
    measuring_allocation();
    fused_and_unfused();
    exactly();
    groups();
    packing_weights();
    sharing_threads();
    return failures != 0;
}
