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
#include <felt/plan/product_schedule.hpp>
#include <cstdlib>
#include <utility>

namespace felt::inline FELT_ABI {

namespace planning {

struct algorithm_choice {
    bool exact = false;
    // For all convolutions that it suits, whatever it is expected to take: benchmarks compare.
    convolution_algorithm const* only = nullptr;
};

inline bool is_exact_everywhere() {
    static bool const exact = [] {
        char const* const text = std::getenv("FELT_EXACT");
        return text != nullptr && *text != '\0' && *text != '0';
    }();
    return exact;
}
// Of statements that this thread plans from now on.
inline algorithm_choice& choice_of_this_thread() {
    thread_local algorithm_choice here{is_exact_everywhere()};
    return here;
}

class choice_scope {
public:
    explicit choice_scope(algorithm_choice c)
        : before_(std::exchange(choice_of_this_thread(), c)) {}
    choice_scope(choice_scope const&) = delete;
    ~choice_scope() { choice_of_this_thread() = before_; }

private:
    algorithm_choice before_;
};

}  // namespace planning

// Within it statements of its thread run as by run(exact, ..), unfused ones and networks too.
class exact_scope {
    planning::choice_scope here_{{true}};
};

}  // namespace felt::inline FELT_ABI
