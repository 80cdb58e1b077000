// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of tensors on the device: from a pool, in the order of this thread's stream, counted.
#pragma once
#include <felt/device/stream.hpp>
#include <felt/tensor/storage.hpp>

namespace felt::inline FELT_ABI {

// A GPU, or what stands for one under a host compiler. The host reads no element of it.
struct Device {
    static constexpr bool element_access = false;
};

template <class T>
class storage<T, Device> {
public:
    storage() = default;
    storage(index_t n, bool zero) : size_(n) {
        if (n == 0) return;
        data_ = static_cast<T*>(device::allocate(bytes(), stream()));
        detail::counters().tensor(bytes());
        detail::owner_begins(data_, static_cast<std::size_t>(bytes()));
        if (zero) device::clear_bytes(data_, bytes(), stream());
    }
    storage(storage&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {
        detail::owner_changes(data_);
    }
    storage& operator=(storage&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        detail::owner_changes(data_);
        detail::owner_changes(other.data_);
        return *this;
    }
    ~storage() {
        if (data_ == nullptr) return;
        detail::owner_ends(data_);
        device::release(data_, bytes(), stream());
    }

    T* data() const { return data_; }
    index_t size() const { return size_; }

    storage copy() const {
        storage made(size_, false);
        if (size_ > 0) device::copy_within(made.data_, data_, bytes(), stream());
        return made;
    }

private:
    static device::stream_handle stream() { return device::stream_of_this_thread(); }
    index_t bytes() const { return size_ * static_cast<index_t>(sizeof(T)); }

    T* data_ = nullptr;
    index_t size_ = 0;
};

}  // namespace felt::inline FELT_ABI
