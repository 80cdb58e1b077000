// SPDX-License-Identifier: BSD-3-Clause
//
// What a plan knows of its statements, and of the passes that these share.
#pragma once
#include <felt/plan/box.hpp>
#include <string>
#include <vector>

namespace felt::planning {

struct special_case;

struct statement_facts {
    int root = 0;
    int space = 0;
    void* data = nullptr;
    int rank = 0;
    index_t extent[max_axes] = {};
    index_t stride[max_axes] = {};
    index_t by_loop[max_axes] = {};
    int value_bytes = 0;
    bool no_alias = false;
    bool temporary = false;  // evaluated aside first, because it reads what it writes
    char const* why = "";
    int strip = -1;            // the loop along which its pass advances; -1: it accumulates
    bool accumulates = false;  // complete only after the last strip
    bool streaming = false;    // results go past the caches
    std::vector<special_case const*> special;
};

// Statements first .. last-1 in one pass, strip by strip. One statement alone has no strips.
struct pass_facts {
    int first = 0, last = 1;
    index_t extent = 0;           // of the axis that all of them share
    index_t strip = 0;            // how much of it at a time
    std::string why;              // the reason why the next statement is not in this pass
    index_t part = 0;             // strips are shared out by so much of the axis; 0: all of it
    std::vector<int> sums = {};   // the nodes that grow strip by strip
    std::vector<int> ahead = {};  // sums that are computed before the pass, in this order

    long parts() const { return part > 0 ? static_cast<long>((extent + part - 1) / part) : 1; }
};

}  // namespace felt::planning
