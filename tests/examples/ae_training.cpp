// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <ae/training.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;

// Training of a small net; the cost is the example's own.
struct small {
    ae::shape net{16, 5, 0.05, 1e-4, 3};
    felt::Tensor<double, 2> x = felt::uniform<double>({16, 200}, 4);
    ae::model<double> model{net, x};
    ae::training<double> t{
        felt::lbfgs<double>(ae::initial_parameters<double>(net, 1), {}), {}, 7, ae::fingerprint(x)};

    auto cost_function() {
        return [this](auto const& theta, auto& g) {
            return model.cost_and_gradient(felt::fused, theta, g);
        };
    }
    // As a trainer.
    void start() { t.optimiser.start(cost_function()); }
    bool step() { return t.optimiser.step(cost_function()); }
    double cost() const { return t.optimiser.cost(); }

    void iterate(int n) {
        t.start(*this);
        for (int i = 0; i < n; ++i) REQUIRE(t.step(*this));
    }
    std::string bytes(test::scratch_folder const& folder) {
        felt::save_npz((folder / "state.npz").string(), to_npz(t, "mnist"));
        return test::read_bytes(folder / "state.npz");
    }
};

}  // namespace

TEST_CASE("a run that was saved and resumed equals an unbroken one, byte for byte") {
    test::scratch_folder const folder;
    small whole, broken, resumed;
    whole.iterate(14);
    broken.iterate(6);
    broken.bytes(folder);
    ae::from_npz(felt::load_npz((folder / "state.npz").string()), resumed.t);
    CHECK(resumed.t.optimiser.iteration() == 6);
    CHECK(resumed.t.costs.size() == 7);
    resumed.iterate(8);
    CHECK(resumed.bytes(folder) == whole.bytes(folder));
}

TEST_CASE("the cost falls, and every iteration is on record") {
    small s;
    s.iterate(12);
    CHECK(s.t.costs.size() == 13);
    for (std::size_t i = 1; i < s.t.costs.size(); ++i) CHECK(s.t.costs[i] < s.t.costs[i - 1]);
}

TEST_CASE("a state knows its setting and its data") {
    test::scratch_folder const folder;
    small s, other;
    s.iterate(1);
    auto const file = to_npz(s.t, "patches");
    CHECK(ae::setting_of(file) == "patches");
    other.t.data += 1;
    CHECK(test::has(test::message_of([&] { ae::from_npz(file, other.t); }), "other data"));
    CHECK(test::has(test::message_of([&] { ae::setting_of(felt::npz{}); }), "no saved state"));
}

TEST_CASE("one changed element is other data") {
    felt::Tensor<double, 2> x({3, 4});
    auto const before = ae::fingerprint(x);
    x(2, 1) = 1e-300;
    CHECK(ae::fingerprint(x) != before);
}

TEST_CASE("parameters are saved by their names and shapes") {
    ae::shape const s{6, 2, 0.1, 0, 0};
    felt::Tensor<double, 1> theta({s.parameters()});
    for (index_t i = 0; i < theta.size(); ++i) theta(i) = static_cast<double>(i);
    auto const file = ae::parameters_npz(theta, s);
    CHECK(file.array("W1").extents == std::vector<index_t>{2, 6});
    CHECK(file.array("W2").extents == std::vector<index_t>{6, 2});
    CHECK(file.values<double>("b1") == std::vector<double>{24, 25});
    CHECK(file.values<double>("b2").back() == 31);
}

TEST_CASE("the settings are those of the tutorial") {
    ae::setting const& patches = ae::settings[0];
    ae::setting const& mnist = ae::settings[1];
    CHECK(patches.net.parameters() == 3289);
    CHECK(mnist.net.parameters() == 308308);
    CHECK(mnist.side * mnist.side == mnist.net.visible);
    CHECK(patches.side * patches.side == patches.net.visible);
}

TEST_CASE("samples are pixels by pictures, in [0, 1], and follow from the seed") {
    ae::setting few = ae::settings[1];
    few.samples = 30;
    test::scratch_folder const nothing;
    setenv("FELT_DATA", nothing.path.c_str(), 1);
    auto const a = ae::load_samples<float>(few, "", 1), b = ae::load_samples<float>(few, "", 2);
    unsetenv("FELT_DATA");
    CHECK(a.source == "generated digits");
    CHECK(a.x.extents() == felt::extents<2>{{784, 30}});
    CHECK(float(felt::min(a.x)) >= 0);
    CHECK(float(felt::max(a.x)) == 1);
    CHECK(ae::fingerprint(a.x) != ae::fingerprint(b.x));
}

TEST_CASE("patches for a convolution's filters are 9 x 9 parts of digits, normalised") {
    ae::setting few = ae::settings[2];
    REQUIRE(few.name == std::string("filters"));
    CHECK(few.side * few.side == few.net.visible);
    few.samples = 300;
    test::scratch_folder const nothing;
    setenv("FELT_DATA", nothing.path.c_str(), 1);
    auto const a = ae::load_samples<float>(few, "", 1);
    unsetenv("FELT_DATA");
    CHECK(a.source == "generated digits");
    CHECK(a.x.extents() == felt::extents<2>{{81, 300}});
    CHECK(float(felt::min(a.x)) >= doctest::Approx(0.1));
    CHECK(float(felt::max(a.x)) <= doctest::Approx(0.9));
    CHECK(float(felt::max(a.x)) > 0.7f);
}

TEST_CASE("too few images are an error that names the file") {
    test::scratch_folder const folder;
    std::string const images("\0\0\x08\x03\0\0\0\x01\0\0\0\x1c\0\0\0\x1c", 16);
    std::string const labels("\0\0\x08\x01\0\0\0\x01\x05", 9);
    test::write_bytes(folder / "train-images-idx3-ubyte", images + std::string(784, '\x10'));
    test::write_bytes(folder / "train-labels-idx1-ubyte", labels);
    auto const said = test::message_of(
        [&] { ae::load_samples<float>(ae::settings[1], folder.path.string(), 1); });
    CHECK(test::has(said, "train-images-idx3-ubyte: fewer than 10000 images of 28 x 28"));
}
