// SPDX-License-Identifier: BSD-3-Clause
//
// The planning that statements of any types call: compiled once where felt::compiled is linked.
#pragma once
#include <felt/expr/lifetimes.hpp>
#include <felt/plan/plan_page.hpp>
#include <felt/plan/print.hpp>
#include <felt/plan/cse_plan.hpp>

namespace felt::inline FELT_ABI::planning {

namespace detail {

FELT_ONCE void add_described(graph& g, described const& s) {
    felt::detail::check_owner(s.data, s.owner, "the destination", {s.extent, s.rank});
    for (node_id id : g.subtree(s.root)) {
        node const& f = g[id];
        felt::detail::check_owner(f.data, f.owner, "the operand", {f.extent, f.rank});
    }
    destination to;
    to.root = s.root;
    to.data = s.data;
    to.value_bytes = s.value_bytes;
    to.rank = s.rank;
    to.no_alias = s.no_alias;
    std::copy(s.extent, s.extent + s.rank, to.extent);
    std::copy(s.stride, s.stride + s.rank, to.stride);
    place_statement(g, to);
}
FELT_ONCE plan plan_all(any_statement const* s, std::size_t count) { return make_plan(s, count); }
FELT_ONCE std::optional<plan> plan_shared(any_statement const* s, std::size_t count) {
    return make_shared_plan(s, count);
}

}  // namespace detail

FELT_ONCE std::vector<intermediate> plan::intermediates() const {
    return detail::intermediates_of(*this);
}
FELT_ONCE index_t plan::flops() const { return detail::flops_of(*this); }
FELT_ONCE index_t plan::bytes() const { return detail::bytes_of(*this); }
FELT_ONCE index_t plan::bytes_unfused() const { return detail::bytes_unfused_of(*this); }

FELT_ONCE std::string plan::json() const { return detail::json_writer(*this, nullptr).text(); }
FELT_ONCE std::string plan::html() const { return detail::page_writer(*this, nullptr).text(); }

FELT_ONCE std::ostream& operator<<(std::ostream& out, plan const& p) {
    detail::printer(out, p).print();
    return out;
}

}  // namespace felt::inline FELT_ABI::planning
