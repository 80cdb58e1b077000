// SPDX-License-Identifier: BSD-3-Clause
//
// Logits, costs, gradients and running statistics are PyTorch's. The files were made so:
//
//   torch_golden.py --layers 8 --width 4 --images 3 --out resnet_basic.npz
//   torch_golden.py --blocks 1 2 --width 4 --images 3 --out resnet_bottleneck.npz
//   torch_golden.py --blocks 1 2 --width 4 --images 3 --stride-first --out resnet_stride_first.npz
//   torch_golden.py --layers 8 --width 4 --images 3 --projected --out resnet_projected.npz
#include <felt/npz.hpp>
#include <resnet/learner.hpp>
#include <resnet/training.hpp>
#include <doctest/doctest.h>
#include <filesystem>
#include <source_location>

namespace {

using felt::index_t;

struct golden {
    felt::npz file;
    resnet::shape s;
    resnet::layers<> l;
    resnet::vector_f theta, running;
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x;
    felt::Tensor<index_t, 1> y;

    explicit golden(std::string const& name)
        : file(felt::load_npz(
              (std::filesystem::path(std::source_location::current().file_name()).parent_path() /
               "data" / (name + ".npz"))
                  .string())),
          s(shape_in(file)),
          l(s),
          theta({l.trained.size()}),
          running({l.running.size()}),
          x({file.array("x").extents.at(0), 3, s.side, s.side}),
          y({x.extent(0)}) {
        l.trained.get(file, theta);
        l.running.get(file, running);
        file.get("x", x);
        file.get("labels", y);
    }

    resnet::batch_f batch() const { return {felt::view(x), felt::view(y)}; }

    static resnet::shape shape_in(felt::npz const& f) {
        auto const number = [&](char const* name) { return f.scalar<std::int64_t>(name); };
        resnet::shape s{number("side"), number("classes"), number("width"), {}, {}, {}, {}, {}};
        for (std::int64_t n : f.values<std::int64_t>("blocks")) s.blocks.push_back(n);
        s.bottleneck = number("bottleneck") != 0, s.large_images = number("large") != 0;
        s.stride_first = number("stride_first") != 0;
        s.change = number("padded") != 0 ? resnet::shortcut::padded : resnet::shortcut::projected;
        return s;
    }
};

// The farthest element of `own` from the array, by its largest.
double apart(std::vector<float> const& right, std::vector<float> const& own) {
    REQUIRE(right.size() == own.size());
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        difference = std::max(difference, std::abs(double{right[i]} - double{own[i]}));
        size = std::max(size, std::abs(double{right[i]}));
    }
    return difference / size;
}

// All arrays of `own` against those whose names begin so.
void check_against(golden const& g, std::string const& begin, felt::npz const& own) {
    CHECK_FALSE(own.arrays.empty());
    for (auto const& [name, array] : own.arrays) {
        CAPTURE(name);
        CHECK(g.file.array(begin + name).extents == array.extents);
        CHECK(apart(g.file.values<float>(begin + name), own.values<float>(name)) < 1e-3);
    }
}

auto const names = {"resnet_basic", "resnet_bottleneck", "resnet_stride_first", "resnet_projected"};

}  // namespace

TEST_CASE("logits are those of PyTorch") {
    for (char const* name : names) {
        for (resnet::way const w : {resnet::way(felt::fused), resnet::way(felt::unfused)}) {
            CAPTURE(name);
            golden const g(name);
            auto const by = resnet::host().read(g.s, g.y.size());
            by->start(g.theta, g.running);
            resnet::matrix_f const y = by->logits(w, g.batch());
            felt::npz own;
            own.put("logits", y);
            check_against(g, "", own);
        }
    }
}

TEST_CASE("the cost and all gradients are those of PyTorch") {
    for (char const* name : names) {
        for (resnet::way const w : {resnet::way(felt::fused), resnet::way(felt::unfused)}) {
            CAPTURE(name);
            golden const g(name);
            resnet::vector_f gradient(g.theta.extents());
            double const cost =
                resnet::host().cost_and_gradient(w, g.s, g.batch(), g.theta, g.running, gradient);
            CHECK(cost == doctest::Approx(g.file.scalar<double>("cost")).epsilon(1e-5));
            felt::npz own;
            g.l.trained.put(own, gradient);
            check_against(g, "gradient.", own);
        }
    }
}

TEST_CASE("the running statistics after a step are those of PyTorch") {
    for (char const* name : names) {
        CAPTURE(name);
        golden const g(name);
        auto const by = resnet::host().train(
            g.s, g.y.size(), felt::sgd<float>(resnet::vector_f(g.theta)), g.running, {});
        by->step(felt::fused, g.batch(), {});
        felt::npz own;
        g.l.running.put(own, by->running());
        check_against(g, "after.", own);
    }
}
