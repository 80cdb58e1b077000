// SPDX-License-Identifier: BSD-3-Clause
//
// watch: how many elements each node of a plan computes when it runs, and how long that takes. What
// a plan says of how often something is computed can so be compared with what happens, and
// profile() says what stages of it cost.
#pragma once
#include <felt/core/extents.hpp>
#include <felt/plan/ids.hpp>
#include <ctime>
#include <vector>

namespace felt::inline FELT_ABI::host {

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

    // Seconds that node `id` took, without what it has asked other nodes for.
    double seconds(planning::node_id id) const { return id < seconds_.end_id() ? seconds_[id] : 0; }

    // While it lives, time is node id's.
    class stage {
    public:
        explicit stage(planning::node_id id) : of_(current()) {
            if (of_ != nullptr) of_->begin(id);
        }
        stage(stage const&) = delete;
        ~stage() {
            if (of_ != nullptr) of_->end();
        }

    private:
        watch* of_;
    };

    static double now() {
        std::timespec t = {};
        std::timespec_get(&t, TIME_UTC);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

    static void count(planning::node_id id, index_t n) {
        watch* const w = current();
        if (w == nullptr) return;
        while (w->elements_.end_id() <= id) w->elements_.add(0);
        w->elements_[id] += static_cast<double>(n);
    }

private:
    void begin(planning::node_id id) {
        charge();
        running_.push_back(id);
    }
    void end() {
        charge();
        running_.pop_back();
    }
    // The time since a stage last began or ended is of the innermost one.
    void charge() {
        double const time = now();
        if (!running_.empty()) {
            planning::node_id const id = running_.back();
            while (seconds_.end_id() <= id) seconds_.add(0);
            seconds_[id] += time - since_;
        }
        since_ = time;
    }

    static watch*& current() {
        thread_local watch* w = nullptr;
        return w;
    }

    watch* before_;
    planning::table<planning::node_id, double> elements_, seconds_;
    std::vector<planning::node_id> running_;  // stages inside of each other
    double since_ = 0;
};

}  // namespace felt::inline FELT_ABI::host
