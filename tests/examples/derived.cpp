// SPDX-License-Identifier: BSD-3-Clause
//
// The examples' derived backward passes beside those written by hand: values to 1e-12 in double,
// fused and unfused, and how many more bytes.
#include "tests/examples/by_hand/ae.hpp"
#include "tests/examples/by_hand/cnn.hpp"
#include "tests/examples/by_hand/compare.hpp"
#include "tests/examples/by_hand/lstm.hpp"
#include <cnn/instances.hpp>
#include <doctest/doctest.h>

namespace cnn {
extern template nn::basic_net<double> network(trial_shape const&);  // in cnn_trial.cpp
}

namespace {

using by_hand::compare;
using by_hand::more_bytes;
using by_hand::vector;
using felt::index_t;

struct pictures {
    felt::Tensor<double, 4> x;
    felt::Tensor<index_t, 1> y;

    pictures(index_t n, index_t side, index_t classes) : x({n, 1, side, side}), y({n}) {
        x = felt::uniform<double>(x.extents(), 3);
        for (index_t i = 0; i < n; ++i) y(i) = i % classes;
    }
    cnn::batch<double> all() const { return {felt::view(x), felt::view(y), 7}; }
};

void compare_autoencoders(ae::shape const& s, index_t samples) {
    felt::Tensor<double, 2> x({s.visible, samples}), same;
    x = felt::uniform<double>(x.extents(), 4);
    same = x;
    ae::model<double> derived(s, std::move(x));
    by_hand::autoencoder<double> by_hand(s, std::move(same));
    auto const theta = ae::initial_parameters<double>(s, 1);
    compare(derived, by_hand, theta);
    CHECK(more_bytes(derived, by_hand, theta) < 1.01);
}

}  // namespace

TEST_CASE("the sparse autoencoder, both settings") {
    compare_autoencoders({}, 500);
    compare_autoencoders({784, 196, 0.1, 3e-3, 3}, 60);
    compare_autoencoders({6, 5}, 1);
    compare_autoencoders({7, 3}, 17);
}

TEST_CASE("softmax regression: what goes back from cross-entropy") {
    pictures const shown(33, 28, 10);
    cnn::net<double> derived(cnn::softmax_shape{}, 33);
    by_hand::softmax_regression<double> by_hand({}, 33);
    auto theta = derived.layers().initial(1);
    theta = 0.1 * felt::normal<double>(theta.extents(), 5);
    compare(derived, by_hand, theta, shown.all());
    CHECK(more_bytes(derived, by_hand, theta, shown.all()) < 1.01);
}

TEST_CASE("the study's network") {
    for (index_t n : {1, 7, 20}) {
        cnn::study_shape const s;
        pictures const shown(n, s.side, s.classes);
        cnn::net<double> derived(s, n);
        by_hand::study<double> by_hand(s, n);
        auto const theta = derived.layers().initial(1);
        compare(derived, by_hand, theta, shown.all());
        CHECK(more_bytes(derived, by_hand, theta, shown.all()) < 1.5);  // dz, which two read
    }
}

TEST_CASE("the trial network") {
    for (index_t n : {1, 6, 17}) {
        cnn::trial_shape const s{8, 3, 3, 4, 6, 5};
        pictures const shown(n, s.side, s.classes);
        cnn::net<double> derived(s, n);
        by_hand::trial<double> by_hand(s, n);
        auto const theta = derived.layers().initial(5);
        compare(derived, by_hand, theta, shown.all());
        CHECK(more_bytes(derived, by_hand, theta, shown.all()) < 1.6);
    }
}

TEST_CASE("a language model of two layers of LSTM") {
    lstm::shape s;
    s.vocabulary = 31, s.hidden = 12;
    felt::Tensor<int, 2> words({6, 5}), next({6, 5});
    for (index_t i = 0; i < words.size(); ++i) {
        words.data()[i] = static_cast<int>(i * i % 31),
        next.data()[i] = static_cast<int>(i * 7 % 31);
    }
    lstm::batch<> const shown{felt::view(std::as_const(words)), felt::view(std::as_const(next)), 7};
    lstm::model<double> derived(s, 6, 5);
    by_hand::language_model<double> by_hand(s, 6, 5);
    derived.reset(), by_hand.reset();
    auto const theta = lstm::model<double>::initial_parameters(s, 1);
    compare(derived, by_hand, theta, shown);
    CHECK(more_bytes(derived, by_hand, theta, shown) < 1.01);
}
