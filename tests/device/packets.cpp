// SPDX-License-Identifier: BSD-3-Clause
//
// Streaming expressions by packets: where operands and results let it, and nowhere else.
#include "tests/device/same.hpp"

using namespace felt;

namespace {

template <class T>
using matrix_there = Tensor<T, 2, Device>;

template <std::size_t R>
device::walk over(extents<R> const& e) {
    device::walk w;
    w.rank = R;
    for (std::size_t l = 0; l != R; ++l) w.extent[l] = e[l], w.axis[l] = static_cast<int>(l);
    return w;
}

// Whether a statement runs by packets over the axes of its destination; if so, it did.
template <class T, std::size_t R, class E>
bool runs_by_packets(statement<T, R, Device, E> const& s) {
    auto const n = lower(s.expression);
    device::target<T, R, std::remove_const_t<decltype(n)>> const to{s.data, s.stride, n};
    return device::write_packets(over(s.e), writer(to, device::own_loops<R>()));
}

template <class T>
matrix_there<T> numbers(index_t m, index_t n, int first = 1) {
    Tensor<T, 2> x({m, n});
    for (index_t i = 0; i < m; ++i)
        for (index_t j = 0; j < n; ++j) x(i, j) = static_cast<T>((i * n + j + first) % 23);
    return to<Device>(x);
}

}  // namespace

TEST_CASE_TEMPLATE("rows of packets, with what is the same along them or for each of them", T,
                   std::int8_t, std::int16_t, int, float, double, index_t) {
    for (index_t m : {1, 2, 7}) {
        for (index_t n : {4, 12, 60}) {
            auto const x = numbers<T>(m, n), down = numbers<T>(m, 1, 5), row = numbers<T>(1, n, 7);
            auto const X = to<Host>(x), D = to<Host>(down), R = to<Host>(row);
            matrix_there<T> y({m, n});
            CHECK(runs_by_packets(assign(y, x * down + row)));
            Tensor<T, 2> const want = X * D + R;
            CHECK(all_close(to<Host>(y), want, 0, 0));
            CHECK(runs_by_packets(assign(y, y + T(3))));
            CHECK(all_close(to<Host>(y), want + T(3), 0, 0));
            CHECK(runs_by_packets(assign(y, T(7))));
            CHECK(bool(felt::all(to<Host>(y) == T(7))));
        }
    }
}

TEST_CASE(
    "results of other types than their operands, one of whose packets are aligned otherwise") {
    auto const x = numbers<float>(5, 8);
    matrix_there<double> wide({5, 8});
    matrix_there<bool> large({5, 8});
    CHECK(runs_by_packets(assign(wide, x * 2.0)));
    CHECK(all_close(to<Host>(wide), to<Host>(x) * 2.0, 0, 0));
    CHECK(runs_by_packets(assign(large, x > 11)));
    CHECK(bool(felt::all(to<Host>(large) == (to<Host>(x) > 11))));
}

TEST_CASE("what does not lie in packets is read and written element by element") {
    auto const x = numbers<float>(6, 24), square = numbers<float>(24, 24);
    matrix_there<float> y({6, 24}), z({6, 9}), other({24, 24});
    matrix_there<float> const even({6, 10});
    auto const part = [](auto& of, index_t first, index_t past) {
        return slice(of, all(), range(first, past));
    };
    CHECK(runs_by_packets(assign(part(y, 4, 12), part(x, 8, 16))));
    CHECK_FALSE(runs_by_packets(assign(part(y, 4, 12), part(x, 9, 17))));  // its first address
    CHECK_FALSE(runs_by_packets(assign(part(y, 2, 10), part(x, 8, 16))));
    CHECK_FALSE(runs_by_packets(assign(part(y, 4, 10), part(x, 8, 14))));  // its extent
    CHECK_FALSE(runs_by_packets(assign(part(z, 0, 8), part(x, 0, 8))));    // its next row
    CHECK_FALSE(runs_by_packets(assign(part(y, 0, 8), part(z, 0, 8))));
    CHECK_FALSE(runs_by_packets(assign(part(y, 0, 8), part(even, 0, 8))));
    CHECK_FALSE(runs_by_packets(assign(other, transpose(square) + 1)));
    CHECK_FALSE(runs_by_packets(assign(part(y, 0, 12), slice(x, all(), range(0, 24, 2)))));
    CHECK_FALSE(runs_by_packets(assign(y, flip<1>(x))));
    CHECK_FALSE(runs_by_packets(assign(y, pad(part(x, 0, 16), {{0, 0}, {4, 4}}))));
    CHECK_FALSE(runs_by_packets(assign(y, uniform<float>({6, 24}, 1))));
    matrix_there<float> rows({12, 9});
    CHECK(runs_by_packets(assign(slice(rows, range(2, 3), range(2, 6)),  // one row: 20 numbers on
                                 slice(x, range(3, 4), range(4, 8)))));
}

TEST_CASE("statements over slices of any places and lengths are those of the host") {
    Tensor<float, 2> const x = normal<float>({9, 40}, 1), v = normal<float>({1, 40}, 2);
    auto const there = to<Device>(x), row = to<Device>(v);
    for (index_t first : {0, 1, 4}) {
        for (index_t length : {1, 4, 7, 8, 32}) {
            for (index_t at : {0, 3, 4}) {
                auto const from = range(first, first + length), to_place = range(at, at + length);
                Tensor<float, 2> want({9, 40});
                want = 0;
                auto found = to<Device>(want);
                slice(want, all(), to_place) = relu(slice(x, all(), from) * slice(v, all(), from)) -
                                               slice(x, all(), range(2, 3));
                slice(found, all(), to_place) =
                    relu(slice(there, all(), from) * slice(row, all(), from)) -
                    slice(there, all(), range(2, 3));
                CHECK(all_close(to<Host>(found), want, 0, 1e-6));
            }
        }
    }
}
