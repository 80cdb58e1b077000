// SPDX-License-Identifier: BSD-3-Clause
//
// What a run leaves: perplexities, a sample, pictures, tables, files.
#pragma once
#include <lstm/training.hpp>
#include <support/files.hpp>
#include <iosfwd>

namespace lstm {

using support::fs::path;

// Of the first n windows of a text, read from its beginning; the ranks share the sequences.
double perplexity(reader& m, vector_f const& theta, corpus& text, index_t n,
                  felt::communicator& ranks = felt::alone);

// What the model writes, token by token, by its probabilities.
std::string sample(place const& at, shape const& s, vector_f const& theta, vocabulary const& v,
                   bool words, int count, std::uint64_t seed);

void draw_cost(path const& file, training const& t);
void draw_perplexity(path const& file, training const& t, double unigram);

// A step and a forward pass, fused and unfused, of the sizes that the study timed, or of the
// setting's own; false if the two ways do not agree.
bool report_comparison(place const& at, shape s, setting const& how, std::ostream& out);

// Where the time of a training step goes: tables, and the pictures of it.
struct profile_files {
    path stages, operations;
};
void report_stages(profile_files const& to, place const& at, shape const& s, setting const& how,
                   std::ostream& out);
void report_operations(profile_files const& to, shape const& s, setting const& how,
                       std::ostream& out);  // on the host: profile.cpp

}  // namespace lstm
