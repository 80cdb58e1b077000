// SPDX-License-Identifier: BSD-3-Clause
//
// Ctrl-C asks a loop to end: it looks at interrupted(), saves its state and leaves. A second
// Ctrl-C ends the program at once. A file that grows beyond `ulimit -f` is an error of who writes
// it, not the end of the program.
//
//   support::catch_interrupts();
//   for (; i < n && !support::interrupted(); ++i) ...
//   if (support::interrupted()) return support::interrupted_status();
#pragma once
#include <csignal>

namespace support {

namespace detail {
inline std::sig_atomic_t volatile interrupt_signal = 0;

extern "C" inline void note_interrupt(int signal) {
    interrupt_signal = signal;
    std::signal(signal, SIG_DFL);
}
}  // namespace detail

inline void catch_interrupts() {
    detail::interrupt_signal = 0;
    std::signal(SIGINT, detail::note_interrupt);
    std::signal(SIGTERM, detail::note_interrupt);
    std::signal(SIGXFSZ, SIG_IGN);
}

inline bool interrupted() { return detail::interrupt_signal != 0; }

// What a shell expects of a program that a signal has ended: 130 after Ctrl-C, also where another
// rank has seen it.
inline int interrupted_status() {
    return 128 + (interrupted() ? static_cast<int>(detail::interrupt_signal) : SIGINT);
}

}  // namespace support
