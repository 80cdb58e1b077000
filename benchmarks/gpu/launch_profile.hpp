// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a task on a GPU goes, by events and no tool: an event is recorded before each
// operation that is asked of the stream; what passes until the next one is that operation's.
#pragma once
#include <felt/device.hpp>
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace bench {

// While it lives, operations of this thread are marked.
class launch_profile {
public:
    struct share {
        char const* operation;
        int launches;
        double seconds;
    };

    launch_profile() {
        felt::device::launch_watcher() = [](char const* operation) { current->mark(operation); };
        current = this;
        mark("before the first");
    }
    launch_profile(launch_profile const&) = delete;
    ~launch_profile() {
        felt::device::launch_watcher() = nullptr;
        for (auto const& m : marks_) (void)cudaEventDestroy(m.second);
    }

    // Of each operation, the longest first; waits for all.
    std::vector<share> shares() {
        mark("end");
        felt::device::check(cudaEventSynchronize(marks_.back().second), "profile");
        std::vector<share> all;
        for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
            float ms = 0;
            felt::device::check(cudaEventElapsedTime(&ms, marks_[i].second, marks_[i + 1].second),
                                "event");
            add(all, marks_[i].first, 1e-3 * static_cast<double>(ms));
        }
        std::sort(all.begin(), all.end(),
                  [](auto const& a, auto const& b) { return a.seconds > b.seconds; });
        return all;
    }

private:
    static void add(std::vector<share>& all, char const* operation, double seconds) {
        auto const is_it = [&](share const& s) { return !std::strcmp(s.operation, operation); };
        auto found = std::find_if(all.begin(), all.end(), is_it);
        if (found == all.end()) found = all.insert(found, {operation, 0, 0});
        ++found->launches;
        found->seconds += seconds;
    }
    void mark(char const* operation) {
        cudaEvent_t e;
        felt::device::check(cudaEventCreate(&e), "event");
        felt::device::check(cudaEventRecord(e, felt::device::stream_of_this_thread()), "event");
        marks_.emplace_back(operation, e);
    }

    static inline thread_local launch_profile* current = nullptr;
    std::vector<std::pair<char const*, cudaEvent_t>> marks_;
};

}  // namespace bench
