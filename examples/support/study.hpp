// SPDX-License-Identifier: BSD-3-Clause
//
// The operations of "Deep Learning Benchmarks" (Vauhkonen, Vohra, Madaan, with Coates) under that
// study's names: what its autoencoder, its convolutional network and its sparse coding call. Each
// is one line of Felt and gives an expression, so that calls nest without intermediate tensors.
//
//     study::filter_convolve(x, W, b)  is  sigmoid(conv2d(x, W) + b)
//
// Call them with their namespace: felt::reshape and felt::softmax have the same names.
#pragma once
#include <support/study/arrays.hpp>
#include <support/study/matrices.hpp>
#include <support/study/networks.hpp>
#include <support/study/ways.hpp>
