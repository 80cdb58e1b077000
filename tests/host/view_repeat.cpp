// SPDX-License-Identifier: BSD-3-Clause
//
// Rows in which each element comes several times, against integer division. Nothing before, after
// or between the elements is read or written: sources have no more memory than their elements.
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <memory>

using felt::index_t;

namespace {

template <class T>
T element(index_t k) {
    if constexpr (std::is_same_v<T, bool>) return k % 3 == 0;
    else return static_cast<T>(static_cast<int>(k * k % 101));
}

// `count` elements, `stride` apart.
template <class T>
class source {
public:
    source(index_t count, index_t stride)
        : size_((count - 1) * std::abs(stride) + 1),
          memory_(new T[static_cast<std::size_t>(size_)]()),
          first_(stride < 0 ? size_ - 1 : 0) {
        for (index_t k = 0; k < count; ++k) memory_[place(k * stride)] = element<T>(k);
    }
    T const* data() const { return memory_.get() + first_; }

private:
    std::size_t place(index_t i) const { return static_cast<std::size_t>(first_ + i); }

    index_t size_;
    std::unique_ptr<T[]> memory_;
    index_t first_;
};

// A row of n elements, and whether all around it stays as it is.
template <class T>
class row {
public:
    explicit row(index_t n) : n_(n), memory_(new T[static_cast<std::size_t>(n + 2 * guard)]) {
        std::fill(memory_.get(), memory_.get() + n + 2 * guard, mark);
    }
    T* data() { return memory_.get() + guard; }

    // How many elements are not those expected, f(j), or were not to be touched.
    template <class F>
    int wrong(F const& f) const {
        int count = 0;
        for (index_t j = -guard; j < n_ + guard; ++j) {
            T const expected = j < 0 || j >= n_ ? mark : f(j);
            count += memory_[static_cast<std::size_t>(j + guard)] != expected;
        }
        return count;
    }
    int untouched() const {
        return wrong([](index_t) { return mark; });
    }

private:
    static constexpr index_t guard = 70;
    static constexpr T mark = T(102);

    index_t n_;
    std::unique_ptr<T[]> memory_;
};

template <class T>
int wrong_of_repeat(index_t n, index_t stride, index_t start, index_t times) {
    source<T> const from((start + std::max<index_t>(n, 1) - 1) / times + 1, stride);
    row<T> to(n);
    felt::host::detail::repeat(to.data(), n, from.data(), stride, start, times);
    return to.wrong([&](index_t j) { return from.data()[(start + j) / times * stride]; });
}

}  // namespace

TEST_CASE("a quotient by one, and by others") {
    for (index_t i = 0; i < 70; ++i)
        for (index_t d = 1; d < 20; ++d) CHECK(felt::host::detail::quotient(i, d) == i / d);
}

TEST_CASE_TEMPLATE("each element as often as it is to come, from the middle of one on", T, float,
                   double, std::int16_t, std::uint8_t, bool, std::complex<double>) {
    for (index_t times : {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 64})
        for (index_t stride : {1, -1, 0, 2, 5, -3})
            for (index_t start : {index_t{0}, index_t{1}, index_t{2}, times - 1, times + 1,
                                  2 * times, 5 * times - 1}) {
                int wrong = 0;
                for (index_t n = 0; n <= 97; ++n)
                    wrong += wrong_of_repeat<T>(n, stride, start, times);
                CAPTURE(times);
                CAPTURE(stride);
                CAPTURE(start);
                CHECK(wrong == 0);
            }
}

TEST_CASE_TEMPLATE("each element twice, where two registers are full at least", T, float, double,
                   std::int16_t, std::uint8_t, bool, std::int64_t) {
    for (index_t n = 0; n <= 300; ++n) {
        source<T> const from(std::max<index_t>((n + 1) / 2, 1), 1);
        row<T> to(n);
        bool const done = felt::host::detail::twice(to.data(), n, from.data());
        CAPTURE(n);
        CHECK(done == (n * static_cast<index_t>(sizeof(T)) >= 32));
        if (done) CHECK(to.wrong([](index_t j) { return element<T>(j / 2); }) == 0);
        else CHECK(to.untouched() == 0);
    }
}
