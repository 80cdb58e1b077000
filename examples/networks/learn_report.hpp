// SPDX-License-Identifier: BSD-3-Clause
//
// What was learned: a table, learned.json, and a chart of each network; and such files added up,
// as seeds may be learned apart, here and elsewhere.
#pragma once
#include <networks/learn.hpp>
#include <support/outputs.hpp>

namespace networks {

// learned.json, and what torch_peer.py writes. `from` is named where it is something else.
std::string to_json(std::vector<learned> const& all);
std::vector<learned> learned_in(std::string const& json, std::string const& from);
// Puts the seeds of a network beside those that are there. Throws felt::error if it has learned
// something else, or if a seed is there already.
void add(std::vector<learned>& all, learned const& more, std::string const& from);
// How far Felt's mean is from PyTorch's, in standard deviations of the latter; "" without both.
std::string beside_torch(learned const& l);

class learned_files {
public:
    // Throws felt::io_error if one is there that must not be replaced.
    learned_files(job const& j, std::vector<std::string> const& networks);

    void write(std::vector<learned> const& all) const;
    void report(std::vector<learned> const& all) const;  // on the standard output

private:
    support::outputs out_;
    support::fs::path json_;
    std::vector<support::fs::path> charts_;
};

}  // namespace networks
