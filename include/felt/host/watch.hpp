// SPDX-License-Identifier: BSD-3-Clause
//
// watch: how many elements each node of a plan computes when it runs, counted. What a plan says of
// how often something is computed can so be compared with what happens.
#pragma once
#include <felt/core/extents.hpp>
#include <vector>

namespace felt::host {

// Counts while it lives, for statements that this thread runs, on one thread.
class watch {
public:
    watch() : before_(current()) { current() = this; }
    ~watch() { current() = before_; }
    watch(watch const&) = delete;

    // Elements that node `id` has computed.
    double elements(int id) const {
        auto const i = static_cast<std::size_t>(id);
        return i < elements_.size() ? elements_[i] : 0;
    }

    static void count(int id, index_t n) {
        watch* const w = current();
        if (w == nullptr) return;
        auto const i = static_cast<std::size_t>(id);
        if (w->elements_.size() <= i) w->elements_.resize(i + 1, 0.0);
        w->elements_[i] += static_cast<double>(n);
    }

private:
    static watch*& current() {
        thread_local watch* w = nullptr;
        return w;
    }

    watch* before_;
    std::vector<double> elements_;
};

}  // namespace felt::host
