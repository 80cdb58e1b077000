// SPDX-License-Identifier: BSD-3-Clause
//
// What fusion is worth, as a table.
#include <fista/report.hpp>
#include <iostream>

namespace fista {

bool report_comparison(trainer const& by, std::string const& place, index_t samples, double lambda,
                       index_t columns, std::ostream& out) {
    contest const c = by.compared(lambda, columns);
    if (c.width == 0) {
        out << "fused and unfused differ by " << c.apart << ": not timed\n\n";
        return false;
    }
    support::table t =
        support::comparison_table("per step of " + std::to_string(samples) + ", " + place);
    support::add_rows(t, c.steps);
    t.row({"fused, by " + std::to_string(c.width) + " columns", "",
           support::three_digits(1e3 * c.blocked)});
    t.row({"unfused / fused by columns", "",
           support::three_digits(c.steps.unfused.best() / c.blocked)});
    t.print(out);
    out << "\n";
    return true;
}

}  // namespace fista
