// SPDX-License-Identifier: BSD-3-Clause
#include "scratch.hpp"
#include <doctest/doctest.h>
#include <networks/candle.hpp>
#include <networks/measure.hpp>

using felt::index_t;

namespace {

index_t parameters(char const* name) {
    return networks::subject(networks::find(name), 1).net().parameters().size();
}

}  // namespace

// Published, or the sum over published layers.
TEST_CASE("networks of the suites have as many parameters as they say") {
    CHECK(parameters("fcn5") == 117997696);
    CHECK(parameters("fcn8") == 130586752);
    CHECK(parameters("fcn5-r") == 14205962);
    CHECK(parameters("softmax") == 7850);
    CHECK(parameters("keras-dense") == 7114);
    CHECK(parameters("yacht") == 65);
    CHECK(parameters("p1b1") == 244400085);
    CHECK(parameters("alexnet") == 61100840);
    CHECK(parameters("alexnet-s") == 62378344);
    CHECK(parameters("alexnet-227") == 61100840);
    CHECK(parameters("alexnet-s-caffe") == 62378344);
    CHECK(parameters("alexnet-s-same") == 62378344 + (12544 - 9216) * 4096);
    CHECK(parameters("alexnet-r") == 85098);
    CHECK(parameters("vgg-a") == 132863336);
    CHECK(parameters("vgg-16") == 138357544);
    CHECK(parameters("vgg-19") == 143667240);
    CHECK(parameters("overfeat") == 145920872);
    CHECK(parameters("googlenet") == 6998552);
    CHECK(parameters("resnet-50") == 25557032);
    CHECK(parameters("resnet-20") == 269722);
    CHECK(parameters("resnet-56") == 853018);
    CHECK(parameters("lstm-32") == 6180624);
    CHECK(parameters("basic-lstm") == 8392704);
    CHECK(parameters("basic-rnn") == 2098176);
    CHECK(parameters("study") == 21650);
    CHECK(parameters("trial") == 3274634);
    CHECK(parameters("keras-cnn") == 600810);
    CHECK(parameters("caffe-conv") == 520 + 28810);
}

TEST_CASE("P3B1's tasks have one layer in common") {
    index_t const shared = 401 * 1200;
    index_t all = shared;
    std::vector<index_t> each;
    for (index_t classes : networks::p3b1_classes) {
        auto net = networks::make_p3b1(classes);
        net.prepare({1, networks::p3b1_features});
        each.push_back(net.parameters().size());
        all += each.back() - shared;
    }
    CHECK(each == std::vector<index_t>{3379213, 3366002, 3368404});
    CHECK(all == 9151219);
}

TEST_CASE("a network is measured after its gradients were compared") {
    networks::job j;
    j.steps = 2, j.batch = 3, j.layers = true;
    for (char const* name : {"study", "alexnet-r", "resnet-20", "yacht", "keras-dense"}) {
        CAPTURE(name);
        auto const m = networks::measure(networks::find(name), j);
        CHECK(m.batch == 3);
        CHECK(m.apart < 0.05);
        REQUIRE(m.ways.size() == 2);
        for (auto const& f : m.ways) {
            CHECK(f.step.seconds.size() == 2);
            CHECK(f.step.best() <= f.step.mean());
            CHECK(f.step.best() > 0);
        }
        CHECK(m.layers.size() > 1);
        for (auto const& l : m.layers) CHECK(l.forward + l.backward > 0);
    }
}

TEST_CASE("a report has its figures in a file, and an unknown name is an error that lists all") {
    test::scratch_folder const folder;
    networks::job j;
    j.steps = 1, j.batch = 2, j.names = {"yacht"};
    j.out = (folder / "report").string(), j.out_given = true;
    CHECK(networks::suite(j) == 0);
    CHECK_THROWS_AS(networks::suite(j), felt::io_error);  // what is there is not replaced
    CHECK(std::filesystem::file_size(folder / "report/figures.json") > 100);
    CHECK(std::filesystem::exists(folder / "report/steps.svg"));
    j.batches = {1, 2}, j.force = true;
    CHECK(networks::sweep(j) == 0);
    CHECK(std::filesystem::exists(folder / "report/yacht-batches.svg"));
    j.names = {"lenet"};
    CHECK_THROWS_WITH_AS(networks::suite(j),
                         doctest::Contains("no network 'lenet'. There are: fcn5"), felt::error);
    j.names = {"yacht"}, j.python = "/nonexistent/python";
    CHECK_THROWS_WITH_AS(networks::sweep(j), doctest::Contains("has it PyTorch?"), felt::error);
}
