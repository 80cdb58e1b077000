// SPDX-License-Identifier: BSD-3-Clause
//
// Cost and gradient of the examples' networks: backward passes that are derived, beside those
// written by hand (tests/examples/by_hand), in turns. Both are verified against each other before
// they are timed; a derived one is made again for each step, as training does.
#include "contest.hpp"
#include "program.hpp"
#include <tests/examples/by_hand/ae.hpp>
#include <tests/examples/by_hand/cnn.hpp>

namespace {

using namespace bench;
using felt::index_t;
using vector = felt::Tensor<float, 1>;

// Derived and by hand, of what make() makes when it is first asked for.
template <class F>
void enter_pair(std::string const& name, F make) {
    auto const both = std::make_shared<decltype(make())>();
    auto const made = [=]() -> auto& {
        if (*both == nullptr) *both = make();
        return **both;
    };
    auto const right = [=] {
        auto& b = made();
        b.derived();
        b.by_hand();
        return bool(all_close(b.g, b.h, 1e-3, 1e-5)) && bool(any(b.h != 0));
    };
    enter(name + "/derived", [=] { return contestant{[=] { made().derived(); }, right, {}, ""}; });
    enter(name + "/by_hand", [=] { return contestant{[=] { made().by_hand(); }, right, {}, ""}; });
}

struct autoencoders {
    ae::model<float> net;
    by_hand::autoencoder<float> hand;
    vector theta, g, h;

    static felt::Tensor<float, 2> samples(ae::shape const& s, index_t m) {
        felt::Tensor<float, 2> x({s.visible, m});
        x = felt::uniform<float>(x.extents(), 3);
        return x;
    }
    autoencoders(ae::shape const& s, index_t m)
        : net(s, samples(s, m)),
          hand(s, samples(s, m)),
          theta(ae::initial_parameters<float>(s, 1)),
          g(theta.extents()),
          h(theta.extents()) {}
    void derived() { net.cost_and_gradient(felt::fused, theta, g); }
    void by_hand() { hand.cost_and_gradient(felt::fused, theta, h); }
};

template <class Net, class Hand>
struct networks {
    felt::Tensor<float, 4> x;
    felt::Tensor<index_t, 1> y;
    Net net;
    Hand hand;
    vector theta, g, h;

    networks(typename Net::shape const& s, index_t n)
        : x({n, 1, s.side, s.side}),
          y({n}),
          net(s, n),
          hand(s, n),
          theta(Net::initial_parameters(s, 1)),
          g(theta.extents()),
          h(theta.extents()) {
        x = felt::uniform<float>(x.extents(), 5);
        for (index_t i = 0; i < n; ++i) y(i) = i % s.classes;
    }
    cnn::batch<float> shown() const { return {felt::view(x), felt::view(y), 7}; }
    void derived() { net.cost_and_gradient(felt::fused, shown(), theta, g); }
    void by_hand() { hand.cost_and_gradient(felt::fused, shown(), theta, h); }
};

void enter_all() {
    enter_pair("derived/ae/64x25x10000",
               [] { return std::make_shared<autoencoders>(ae::shape{}, index_t{10000}); });
    enter_pair("derived/ae/784x196x2000", [] {
        return std::make_shared<autoencoders>(ae::shape{784, 196, 0.1, 3e-3, 3}, index_t{2000});
    });
    using softmax = networks<cnn::softmax_regression<float>, by_hand::softmax_regression<float>>;
    enter_pair("derived/softmax/500",
               [] { return std::make_shared<softmax>(cnn::softmax_shape{}, index_t{500}); });
    using study = networks<cnn::study<float>, by_hand::study<float>>;
    enter_pair("derived/study/250",
               [] { return std::make_shared<study>(cnn::study_shape{}, index_t{250}); });
    using trial = networks<cnn::trial<float>, by_hand::trial<float>>;
    enter_pair("derived/trial/50",
               [] { return std::make_shared<trial>(cnn::trial_shape{}, index_t{50}); });
}

}  // namespace

int main(int argc, char** argv) { return bench::run(argc, argv, enter_all); }
