// SPDX-License-Identifier: BSD-3-Clause
//
// Whether plans may have products computed by an algorithm that rounds otherwise than the sum of
// products that is written (2_orientation/fast_convolution.hpp): they may, unless
//
//     run(felt::exact, assign(y, conv2d(x, w)));
//
// says no for these statements, exact_scope for all that its thread runs while it lives, or the
// environment variable FELT_EXACT, set to anything but 0, for the whole program.
#pragma once
#include <cstdlib>
#include <utility>

namespace felt {

namespace planning {

inline bool is_exact_everywhere() {
    static bool const exact = [] {
        char const* const text = std::getenv("FELT_EXACT");
        return text != nullptr && *text != '\0' && *text != '0';
    }();
    return exact;
}
inline bool& is_exact_here() {
    thread_local bool exact = false;
    return exact;
}

}  // namespace planning

// Within it statements of its thread run as by run(exact, ..), unfused ones and networks too.
class exact_scope {
public:
    exact_scope() : before_(std::exchange(planning::is_exact_here(), true)) {}
    exact_scope(exact_scope const&) = delete;
    ~exact_scope() { planning::is_exact_here() = before_; }

private:
    bool before_;
};

}  // namespace felt
