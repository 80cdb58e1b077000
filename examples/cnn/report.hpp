// SPDX-License-Identifier: BSD-3-Clause
//
// What a run leaves: pictures, tables, files.
#pragma once
#include <cnn/learner.hpp>
#include <cnn/training.hpp>
#include <support/files.hpp>
#include <iosfwd>

namespace cnn {

using support::fs::path;

// Test images by what they are and what the network says: counts(is, said).
struct confusion {
    felt::Tensor<index_t, 2> counts{{10, 10}};

    double accuracy() const;  // in per cent
};

// Of the first n images, which the ranks share.
confusion tested(learner& net, way w, vector_f const& theta, digits const& d, index_t n,
                 felt::communicator& ranks = felt::alone);

void print(confusion const& c, std::ostream& out);
void draw_confusion(path const& file, confusion const& c);
void draw_filters(path const& file, learner const& net, vector_f theta);
void draw_cost(path const& file, training const& t);
void draw_accuracy(path const& file, training const& t);

// The first n images as a batch.
batch<float> first_batch(digits const& d, index_t n);

// Times a step and a forward pass, fused and unfused; false if they do not agree.
bool report_comparison(learner& net, std::string const& place, training const& t,
                       digits const& train, digits const& test, std::ostream& out);

// Puts features that an autoencoder learned in the place of theta's filters, each with the root
// mean square that the usual start has, 0.1.
void use_features(path const& file, learner const& net, vector_f& theta);

// Where the time of a step goes: tables, and the pictures of it.
struct profile_files {
    path blocks, bars, operations;
};
void report_blocks(profile_files const& to, learner& net, training const& t, batch<float> const& b,
                   std::ostream& out);
void report_operations(profile_files const& to, training const& t, batch<float> const& b,
                       std::ostream& out);  // of the study's network on the host: profile.cpp

}  // namespace cnn
