// SPDX-License-Identifier: BSD-3-Clause
//
// pool: one piece of memory that holds the operands of an expression and its destination, each
// in a layout of its own. The destination may lie on top of operands; every byte beside its
// elements is compared with what it was.
#pragma once
#include "tests/differential/memory.hpp"
#include <memory>
#include <stdexcept>
#include <utility>

// There if the address sanitizer is.
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(void const volatile* from, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(void const volatile* from, std::size_t bytes);
}

namespace test {

class pool {
public:
    explicit pool(dice& d) : dice_(d), bytes_(new char[capacity]) {}

    // Along axes of which `stored` has one index, x repeats what it has there.
    template <class T, std::size_t R>
    felt::View<T, R> place(plain::array const& x, shape const& stored) {
        layout at = make_layout(any_order(), stored);
        for (std::size_t r = 0; r < R; ++r) at.stride[r] *= stored[r] == x.e[r] ? 1 : 0;
        auto const v = take<T, R>(x.e, at, used_);
        use<T>(at);
        places_.push_back({reinterpret_cast<char*>(v.data()) - bytes_.get(), x.e, at.stride,
                           bytes<T>, stored != x.e});
        std::size_t i = 0;
        plain::each(x.e, [&](shape const& at_) { *element(v, at_) = static_cast<T>(x.v[i++]); });
        return v;
    }

    // Room for a destination over operands, so that it does not reach into what comes after them.
    template <class T>
    void leave_room(shape const& e) {
        used_ += 5 * (plain::size(e) + e[0] + e[1] + 16) * bytes<T>;
    }

    // In memory of its own.
    template <class T, std::size_t R>
    felt::View<T, R> apart(shape const& e) {
        layout const at = make_layout(any_order(), e);
        auto const v = take<T, R>(e, at, used_);
        use<T>(at);
        return v;
    }

    // Three in five times in free memory, else where an operand is.
    template <class T, std::size_t R>
    felt::View<T, R> destination(shape const& e) {
        index_t const mode = dice_.between(0, 4);
        layout at = make_layout(any_order(), e);
        index_t offset = used_;
        if (mode >= 3 && !places_.empty()) {
            placement const& p = places_[static_cast<std::size_t>(
                dice_.between(0, static_cast<index_t>(places_.size()) - 1))];
            offset = p.offset / bytes<T> * bytes<T>;
            bool const same = mode == 3 && p.e == e && p.bytes == bytes<T> && !p.repeats;
            if (same) at = {p.stride, 0, 0};
            else offset += dice_.between(0, 3) * bytes<T>;
            how_ = same ? ", in place" : ", over an operand";
        } else {
            use<T>(at);
        }
        return take<T, R>(e, at, offset);
    }

    // v is to be written, and nothing else but what is marked too.
    template <class T, std::size_t R>
    void mark(felt::View<T, R> const& v, shape const& e) {
        written_.resize(static_cast<std::size_t>(end_), 0);
        plain::each(e, [&](shape const& at) {
            auto const p = reinterpret_cast<char*>(element(v, at)) - bytes_.get();
            std::fill_n(written_.begin() + p, bytes<T>, char(1));
        });
    }

    // While f runs, the address sanitizer knows that nothing lies around operands and destinations.
    template <class F>
    void guarded(F&& f) {
        if (&__asan_poison_memory_region == nullptr) return f();
        auto const all = static_cast<std::size_t>(end_);
        __asan_poison_memory_region(bytes_.get(), all);
        for (auto const& [from, to] : spans_) {
            __asan_unpoison_memory_region(bytes_.get() + from, static_cast<std::size_t>(to - from));
        }
        f();
        __asan_unpoison_memory_region(bytes_.get(), all);
    }

    // Call before the expression runs, and again before it runs anew.
    void remember() { before_.assign(bytes_.get(), bytes_.get() + end_); }
    void restore() { std::copy(before_.begin(), before_.end(), bytes_.get()); }

    template <class T, std::size_t R>
    plain::array read(felt::View<T, R> const& v, shape const& e) const {
        plain::array x(e);
        std::size_t i = 0;
        plain::each(e, [&](shape const& at) { x.v[i++] = static_cast<double>(*element(v, at)); });
        return x;
    }
    bool rest_is_untouched() const {
        for (std::size_t i = 0; i < before_.size(); ++i) {
            if (!written_[i] && bytes_[i] != before_[i]) return false;
        }
        return true;
    }
    std::string const& how() const { return how_; }

private:
    static constexpr index_t capacity = index_t{1} << 26;  // of which most is never touched
    template <class T>
    static constexpr index_t bytes = static_cast<index_t>(sizeof(T));

    struct placement {
        index_t offset;
        shape e, stride;
        index_t bytes;
        bool repeats;
    };

    order any_order() {
        return static_cast<order>(dice_.between(0, static_cast<index_t>(order::count) - 1));
    }

    template <class T>
    void use(layout const& at) {
        used_ += (at.size + dice_.between(0, 20) + 16) / 16 * 16 * bytes<T>;
    }

    template <class T, std::size_t R>
    felt::View<T, R> take(shape const& e, layout const& at, index_t offset) {
        index_t const end = offset + (at.size + 16) * bytes<T>;
        if (end > capacity) throw std::runtime_error("the pool is too small");
        if (end > end_) std::fill(bytes_.get() + end_, bytes_.get() + end, char(0x5b));
        end_ = std::max(end_, end);
        felt::extents<R> extent, stride;
        for (std::size_t r = 0; r < R; ++r) {
            extent[r] = e[r];
            stride[r] = at.stride[r];
        }
        auto* const first = bytes_.get() + offset;
        index_t lo = at.first, hi = at.first;
        for (std::size_t r = 0; r < R; ++r) (stride[r] < 0 ? lo : hi) += stride[r] * (e[r] - 1);
        spans_.emplace_back(offset + lo * bytes<T>, offset + (hi + 1) * bytes<T>);
        return {reinterpret_cast<T*>(first) + at.first, extent, stride};
    }

    template <class T, std::size_t R>
    static T* element(felt::View<T, R> const& v, shape const& i) {
        T* p = v.data();
        for (std::size_t r = 0; r < R; ++r) p += i[r] * v.strides()[r];
        return p;
    }

    dice& dice_;
    std::unique_ptr<char[]> bytes_;
    std::vector<char> before_, written_;
    std::vector<placement> places_;
    std::vector<std::pair<index_t, index_t>> spans_;
    index_t used_ = 1024, end_ = 0;
    std::string how_;
};

}  // namespace test
