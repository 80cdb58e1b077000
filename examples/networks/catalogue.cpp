// SPDX-License-Identifier: BSD-3-Clause
//
// All blocks of all networks are compiled here, each type once.
#include <networks/catalogue.hpp>
#include <networks/convolutional.hpp>
#include <networks/dense.hpp>
#include <networks/residual.hpp>

namespace networks {

namespace {

// Document 001: "Hardware and Software for Deep Learning" (Kaiser), one thread of an i7-3820 and of
// a Xeon E5-2630, and a K80. Document 003: "Deep Learning Suite" (CORAL-2), a K20X of Titan.
// convnet-benchmarks: TensorFlow on a Titan X.
std::vector<entry> all() {
    return {
        {"fcn5",
         "26752-2048-2048-2048-26752, sigmoid",
         {26752},
         64,
         [] { return fcn(3); },
         true,
         {{"CNTK, i7", 0, 2.351},
          {"Torch, i7", 0, 1.227},
          {"CNTK, Xeon", 0, .828},
          {"Torch, Xeon", 0, .536},
          {"Torch, K80", 0, .055}}},
        {"fcn8",
         "six hidden layers of 2048",
         {26752},
         64,
         [] { return fcn(6); },
         true,
         {{"CNTK, i7", 0, 2.641},
          {"CNTK, Xeon", 0, .885},
          {"Torch, Xeon", 0, .560},
          {"Torch, K80", 0, .057}}},
        {"fcn5-r", "784-2048-4096-1024-10, sigmoid", {784}, 1024, [] { return fcn5_r(); }},
        {"alexnet",
         "One weird trick, 224 x 224",
         {3, 224, 224},
         128,
         [] { return alexnet(); },
         true,
         {{"Titan (document 003)", .0715, .2116}, {"TF, Titan X", .026, .081}}},
        {"alexnet-s",
         "96, 256, 384, 384, 256 filters",
         {3, 224, 224},
         16,
         [] { return alexnet_s(); },
         true,
         {{"CNTK, i7", 0, 6.541},
          {"TF, i7", 0, 3.935},
          {"Torch, i7", 0, 4.621},
          {"Torch, Xeon", 0, 1.312},
          {"Torch, K80", 0, .081}}},
        {"alexnet-r", "of CIFAR-10", {3, 32, 32}, 1024, [] { return alexnet_r(); }},
        {"vgg-a",
         "11 layers",
         {3, 224, 224},
         64,
         [] { return vgg_a(); },
         true,
         {{"Titan (document 003)", .4264, 1.6375}, {"TF, Titan X", .158, .540}}},
        {"vgg-16", "16 layers", {3, 224, 224}, 16, [] { return vgg16(); }},
        {"vgg-19", "19 layers", {3, 224, 224}, 16, [] { return vgg19(); }},
        {"overfeat",
         "the fast one, 231 x 231",
         {3, 231, 231},
         128,
         [] { return overfeat(); },
         true,
         {{"Titan (document 003)", .2112, .6434}, {"TF, Titan X", .090, .279}}},
        {"googlenet",
         "v1",
         {3, 224, 224},
         128,
         [] { return googlenet(); },
         true,
         {{"Titan (document 003)", .3428, 1.1633}, {"TF, Titan X", .135, .445}}},
        {"resnet-50",
         "224 x 224",
         {3, 224, 224},
         16,
         [] { return resnet50(); },
         true,
         {{"Torch, i7", 0, 12.101},
          {"TF, i7", 0, 26.707},
          {"Torch, Xeon", 0, 5.145},
          {"Torch, K80", 0, .435}}},
        {"resnet-20", "of CIFAR-10", {3, 32, 32}, 128, [] { return resnet_cifar(20); }},
        {"resnet-56", "of CIFAR-10", {3, 32, 32}, 128, [] { return resnet_cifar(56); }},
        {"study", "conv 9 x 9, sigmoid, mean pool", {1, 28, 28}, 256, [] { return study(); }},
        {"trial", "two convolutions, two dense layers", {1, 28, 28}, 50, [] { return trial(); }},
        {"keras-cnn", "Keras' mnist_cnn", {1, 28, 28}, 128, [] { return keras_cnn(); }},
        {"caffe-conv", "conv 5 x 5, maximum pool", {1, 28, 28}, 64, [] { return caffe_conv(); }},
        {"keras-dense", "100-64-10, relu", {100}, 32, [] { return keras_dense(); }},
        {"softmax", "784-10", {784}, 100, [] { return softmax_regression(); }},
        {"yacht", "6-8-1, tanh", {6}, 32, [] { return yacht(); }, false},
        {"p1b1", "60483-2000-600-2-600-2000-60483", {60483}, 100, [] { return p1b1(); }, false},
    };
}

}  // namespace

std::vector<entry> const& catalogue() {
    static std::vector<entry> const list = all();
    return list;
}

entry const& find(std::string const& name) {
    std::string names;
    for (entry const& e : catalogue()) {
        if (e.name == name) return e;
        names += " " + e.name;
    }
    throw felt::error("there is no network '" + name + "'. There are:" + names);
}

}  // namespace networks
