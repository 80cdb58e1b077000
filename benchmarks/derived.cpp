// SPDX-License-Identifier: BSD-3-Clause
//
// Cost and gradient of the examples' networks: backward passes that are derived, beside those
// written by hand (tests/examples/by_hand), in turns. Both are verified against each other before
// they are timed; a derived one is made again for each step, as training does.
#include "contest.hpp"
#include "program.hpp"
#include <tests/examples/by_hand/ae.hpp>
#include <tests/examples/by_hand/block.hpp>
#include <tests/examples/by_hand/cnn.hpp>
#include <tests/examples/by_hand/lstm.hpp>
#include <tests/examples/by_hand/resnet.hpp>
#include <tests/nn/by_hand/lstm.hpp>
#include <tests/nn/by_hand/rnn.hpp>
#include <felt/nn/rnn.hpp>
#include <resnet/training.hpp>

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
        if (!bool(any(b.h != 0))) return false;
        if constexpr (requires { b.are_close(); }) return b.are_close();
        else return bool(all_close(b.g, b.h, 1e-3, 1e-5));
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

template <class Shape, class Hand>
struct networks {
    felt::Tensor<float, 4> x;
    felt::Tensor<index_t, 1> y;
    cnn::net<float> net;
    Hand hand;
    vector theta, g, h;

    networks(Shape const& s, index_t n)
        : x({n, 1, s.side, s.side}),
          y({n}),
          net(s, n),
          hand(s, n),
          theta(net.layers().initial(1)),
          g(theta.extents()),
          h(theta.extents()) {
        x = felt::uniform<float>(x.extents(), 5);
        for (index_t i = 0; i < n; ++i) y(i) = i % s.classes;
    }
    cnn::batch<float> shown() const { return {felt::view(x), felt::view(y), 7}; }
    void derived() { net.cost_and_gradient(felt::fused, shown(), theta, g); }
    void by_hand() { hand.cost_and_gradient(felt::fused, shown(), theta, h); }
};

// A training step of a recurrent layer, with all its derivatives: [dW, db, dx].
template <class Layer>
struct layer_task {
    using series = felt::time_series<float>;
    felt::recurrent_shape s;
    series x, dy, dx;
    felt::Tensor<float, 2> W, dW;
    felt::Tensor<float, 1> b, db;
    Layer layer;

    explicit layer_task(felt::recurrent_shape const& of)
        : s(of),
          x(s.steps, s.batch, s.inputs, s.batch_last),
          dy(s.steps, s.batch, s.hidden, s.batch_last),
          dx(s.steps, s.batch, s.inputs, s.batch_last),
          W({s.inputs + s.hidden, Layer::gates * s.hidden}),
          dW(W.extents()),
          b({Layer::gates * s.hidden}),
          db(b.extents()),
          layer(s) {
        x.all() = 2.f * felt::uniform<float>({s.steps, s.batch, s.inputs}, 1) - 1.f;
        dy.all() = 2.f * felt::uniform<float>({s.steps, s.batch, s.hidden}, 2) - 1.f;
        W = (2.f * felt::uniform<float>(W.extents(), 3) - 1.f) *
            (1.f / std::sqrt(static_cast<float>(s.hidden)));
        b = felt::uniform<float>(b.extents(), 4) - 0.5f;
        layer.weights(felt::view(std::as_const(W)), felt::view(std::as_const(b)));
        layer.reset();
    }
    void step() {
        layer.forward(felt::fused, x.all());
        layer.backward(felt::fused, dy.all());
        layer.weight_gradients(felt::fused, x.all(), felt::view(dW), felt::view(db));
        layer.input_gradients(felt::fused, dx.all());
    }
    void gradient(vector& to) const { to = concat<0>(flatten(dW), db); }
};
template <class Layer, class Hand>
struct layers {
    layer_task<Layer> net;
    layer_task<Hand> hand;
    vector g, h;

    explicit layers(felt::recurrent_shape const& s) : net(s), hand(s) {}
    void derived() {
        net.step();
        if (g.size() == 0) net.gradient(g);
    }
    void by_hand() {
        hand.step();
        if (h.size() == 0) hand.gradient(h);
    }
};
template <class Layer, class Hand>
void enter_layers(char const* name) {
    struct size {
        index_t batch, units;
    };
    for (auto [batch, units] : {size{32, 128}, size{128, 256}, size{128, 1024}}) {
        auto const s = felt::recurrent_shape_for(30, batch, units, units);
        enter_pair(std::string("derived/") + name + "/" + std::to_string(batch) + "x" +
                       std::to_string(units) + "x30",
                   [=] { return std::make_shared<layers<Layer, Hand>>(s); });
    }
}

// A step of the language model.
struct language_models {
    felt::Tensor<int, 2> words, next;
    lstm::model<float> net;
    by_hand::language_model<float> hand;
    vector theta, g, h;

    language_models(lstm::shape const& s, index_t steps, index_t batch)
        : words({steps, batch}),
          next({steps, batch}),
          net(s, steps, batch),
          hand(s, steps, batch),
          theta(lstm::model<float>::initial_parameters(s, 1)),
          g(theta.extents()),
          h(theta.extents()) {
        auto const some = [&](std::uint64_t seed) {
            auto const top = static_cast<float>(s.vocabulary);
            return felt::cast<int>(felt::uniform<float>(words.extents(), seed) * top);
        };
        words = some(1), next = some(2);
        net.reset(), hand.reset();
    }
    lstm::batch<> shown() const { return {felt::view(words), felt::view(next)}; }
    void derived() { net.cost_and_gradient(felt::fused, shown(), theta, g); }
    void by_hand() { hand.cost_and_gradient(felt::fused, shown(), theta, h); }
};

// A training step of a residual block.
struct blocks {
    by_hand::residual_block<float> a, b;
    by_hand::derived_block<float> net;
    by_hand::block_by_hand<float> hand;
    vector &g = a.gradient, &h = b.gradient;

    blocks(felt::extents<4> const& e, index_t inner, bool bottleneck)
        : a(e, inner, bottleneck), b(e, inner, bottleneck), net(a), hand(b) {}
    blocks(blocks const&) = delete;
    bool are_close() const { return float(norm2(g - h)) < 1e-4f * float(norm2(h)); }
    void derived() { net.step(felt::fused); }
    void by_hand() { hand.step(felt::fused); }
};

// Cost and gradient of a residual network. A relu of what is 0 to rounding may fall either way in
// the one or the other: theirs are compared in double, in the tests.
struct residual_networks {
    resnet::shape shape;
    resnet::layers<> layers;
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x;
    felt::Tensor<index_t, 1> y;
    vector other, theta, g, h;
    resnet::net<float> net;
    by_hand::residual::net<float> hand;

    residual_networks(resnet::shape const& s, index_t n)
        : shape(s),
          layers(s),
          x({n, 3, s.side, s.side}),
          y({n}),
          other(resnet::initial_running<float>(layers)),
          theta(resnet::initial_parameters<float>(s, layers, 1)),
          g(theta.extents()),
          h(theta.extents()),
          net(s, n),
          hand(s, layers, n, other) {
        x = felt::normal<float>(x.extents(), 2);
        for (index_t i = 0; i < n; ++i) y(i) = i % s.classes;
    }
    residual_networks(residual_networks const&) = delete;
    resnet::batch<float> shown() const { return {felt::view(x), felt::view(y)}; }
    bool are_close() const { return float(norm2(g - h)) < 0.1f * float(norm2(h)); }
    void derived() { net.cost_and_gradient(felt::fused, shown(), theta, g); }
    void by_hand() { hand.cost_and_gradient(felt::fused, shown(), theta, h); }
};

void enter_all() {
    using images = felt::extents<4>;
    enter_pair("derived/resnet20/128",
               [] { return std::make_shared<residual_networks>(resnet::cifar(20), index_t{128}); });
    enter_pair("derived/resnet50/4",
               [] { return std::make_shared<residual_networks>(resnet::resnet50(), index_t{4}); });
    enter_pair("derived/block/basic/32x16x32x32",
               [] { return std::make_shared<blocks>(images{{32, 16, 32, 32}}, 16, false); });
    enter_pair("derived/block/basic/32x64x8x8",
               [] { return std::make_shared<blocks>(images{{32, 64, 8, 8}}, 16, false); });
    enter_pair("derived/block/bottleneck/4x256x56x56",
               [] { return std::make_shared<blocks>(images{{4, 256, 56, 56}}, 64, true); });
    for (index_t vocabulary : {200, 10000}) {
        enter_pair("derived/language/" + std::to_string(vocabulary), [=] {
            lstm::shape s;
            s.vocabulary = vocabulary, s.hidden = 128;
            return std::make_shared<language_models>(s, index_t{20}, index_t{32});
        });
    }
    enter_layers<felt::lstm<float>, by_hand::lstm<float>>("lstm");
    enter_layers<felt::rnn<float>, by_hand::rnn<float>>("rnn");
    enter_pair("derived/ae/64x25x10000",
               [] { return std::make_shared<autoencoders>(ae::shape{}, index_t{10000}); });
    enter_pair("derived/ae/784x196x2000", [] {
        return std::make_shared<autoencoders>(ae::shape{784, 196, 0.1, 3e-3, 3}, index_t{2000});
    });
    using softmax = networks<cnn::softmax_shape, by_hand::softmax_regression<float>>;
    enter_pair("derived/softmax/500",
               [] { return std::make_shared<softmax>(cnn::softmax_shape{}, index_t{500}); });
    using study = networks<cnn::study_shape, by_hand::study<float>>;
    enter_pair("derived/study/250",
               [] { return std::make_shared<study>(cnn::study_shape{}, index_t{250}); });
    using trial = networks<cnn::trial_shape, by_hand::trial<float>>;
    enter_pair("derived/trial/50",
               [] { return std::make_shared<trial>(cnn::trial_shape{}, index_t{50}); });
}

}  // namespace

int main(int argc, char** argv) { return bench::run(argc, argv, enter_all); }
