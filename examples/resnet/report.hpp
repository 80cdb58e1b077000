// SPDX-License-Identifier: BSD-3-Clause
//
// What a run leaves: pictures, tables, files.
#pragma once
#include <resnet/learner.hpp>
#include <resnet/training.hpp>
#include <support/files.hpp>
#include <iosfwd>

namespace resnet {

using support::fs::path;

// In per cent: images whose label is the first answer, and is among the first five.
struct accuracy {
    double top1 = 0, top5 = 0;

    void add(index_t rank) { top1 += rank == 0, top5 += rank < 5; }
    accuracy of(index_t count) const {
        double const percent = 100 / static_cast<double>(std::max<index_t>(1, count));
        return {percent * top1, percent * top5};
    }
};
// Of the first n pictures, or of all; the ranks share them.
accuracy tested(reader& by, way w, pictures const& p, felt::communicator& ranks = felt::alone);
accuracy tested(reader& by, way w, pictures const& p, index_t n,
                felt::communicator& ranks = felt::alone);
accuracy ranked(matrix_f const& y, pictures const& p);  // a row for each

// Of a batch, by what the network gave in training; of all ranks' parts of it.
double percent_right(matrix_f const& y, batch_f const& b, felt::communicator& ranks = felt::alone);

void draw_cost(path const& file, training const& t);
void draw_accuracy(path const& file, training const& t);
void draw_filters(path const& file, training& t);

// Where the time of a step goes: a table, and a picture of it.
void report_stages(path const& to, place const& at, training const& t, pictures const& train,
                   std::ostream& out);

// Times a step and a forward pass, fused and unfused; false if they do not agree.
bool report_comparison(place const& at, training const& t, pictures const& train,
                       std::ostream& out);

}  // namespace resnet
