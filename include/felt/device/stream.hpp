// SPDX-License-Identifier: BSD-3-Clause
//
// Streams: what is asked of one is done in order, and not waited for.
//
//     felt::stream s;
//     {
//         felt::use_stream const here(s);  // statements of this thread go to s
//         y = sigmoid(x);
//     }
//     s.wait();                            // throws device_error if something failed
#pragma once
#include <felt/device/config.hpp>
#include <utility>

namespace felt::inline FELT_ABI {

class stream {
public:
    stream() : handle_(device::make_stream()) {}
    stream(stream&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
    stream& operator=(stream&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~stream() { device::destroy(handle_); }

    void wait() const { device::wait_for(handle_, "stream"); }
    device::stream_handle handle() const { return handle_; }

private:
    device::stream_handle handle_;
};

namespace device {
inline stream_handle& stream_of_this_thread() {
    thread_local stream_handle s{};
    return s;
}
}  // namespace device

// While this lives, what this thread does on the device goes to that stream, after all that it has
// asked of the stream that it used before. The other way there is no order: wait for this stream
// before another one reads or writes what this one writes, and before what it uses is destroyed.
class use_stream {
public:
    explicit use_stream(stream const& s) : before_(device::stream_of_this_thread()) {
        if (!(before_ == s.handle())) device::order(before_, s.handle());
        device::stream_of_this_thread() = s.handle();
    }
    use_stream(use_stream const&) = delete;
    ~use_stream() { device::stream_of_this_thread() = before_; }

private:
    device::stream_handle before_;
};

// Waits for all that this thread has asked of its stream. Throws device_error if something failed.
inline void synchronize() { device::wait_for(device::stream_of_this_thread(), "synchronize"); }

}  // namespace felt::inline FELT_ABI
