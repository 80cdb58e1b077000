// SPDX-License-Identifier: BSD-3-Clause
//
// watch: how many elements each node of a plan computes when it runs, counted. What a plan says of
// how often something is computed can so be compared with what happens.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/plan/ids.hpp>

namespace felt::host {

// Counts while it lives, for statements that this thread runs, on one thread.
class watch {
public:
    watch() : before_(current()) { current() = this; }
    ~watch() { current() = before_; }
    watch(watch const&) = delete;

    // Elements that node `id` has computed.
    double elements(planning::node_id id) const {
        return id < elements_.end_id() ? elements_[id] : 0;
    }

    static void count(planning::node_id id, index_t n) {
        watch* const w = current();
        if (w == nullptr) return;
        while (w->elements_.end_id() <= id) w->elements_.add(0);
        w->elements_[id] += static_cast<double>(n);
    }

private:
    static watch*& current() {
        thread_local watch* w = nullptr;
        return w;
    }

    watch* before_;
    planning::table<planning::node_id, double> elements_;
};

}  // namespace felt::host
