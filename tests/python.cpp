// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays with the members of nb::ndarray in Felt's expressions. examples/python and check.py in
// tests/other_libraries do the same with nanobind and NumPy.
#include <felt/python.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

namespace {

using felt::Tensor, felt::View;

template <class T, int Rank>
struct ndarray {
    using Scalar = T;
    struct Config {
        static constexpr int N = Rank;
    };

    T* memory;
    std::vector<std::size_t> extents;
    std::vector<std::int64_t> strides;
    int device = 1;

    T* data() const { return memory; }
    std::size_t ndim() const { return extents.size(); }
    std::size_t shape(std::size_t r) const { return extents[r]; }
    std::int64_t stride(std::size_t r) const { return strides[r]; }
    int device_type() const { return device; }
    int device_id() const { return 0; }
};

}  // namespace

TEST_CASE("an array is an operand and a destination, by any strides") {
    std::vector<float> memory = {1, 2, 3, 4, 5, 6};
    ndarray<float, 2> const a{memory.data(), {2, 3}, {3, 1}};
    ndarray<float const, 2> const back{memory.data() + 5, {2, 3}, {-3, -1}};
    static_assert(std::same_as<decltype(felt::view(a)), View<float, 2>>);
    static_assert(!felt::foreign_destination<decltype(back)&>);
    Tensor<float, 2> const y = felt::view(a) - back;
    CHECK(y(0, 0) == -5);
    felt::fuse(felt::assign(a, back + felt::view(a)));
    CHECK(memory == std::vector<float>(6, 7.f));
    felt::noalias(a) = y;
    CHECK(memory[5] == 5);
    ndarray<float, 2> const none{nullptr, {0, 3}, {3, 1}};
    CHECK(float(felt::sum(none)) == 0);
}

TEST_CASE("a temporary array is copied: it holds its memory") {
    float memory[2] = {1, 2};
    auto const e = felt::abs(ndarray<float, 1>{memory, {2}, {1}});
    memory[0] = 9;
    CHECK(felt::eval(e)(0) == 1);
    static_assert(!felt::foreign_destination<ndarray<float, 1>>);
}

TEST_CASE("what does not fit is named") {
    float memory[4] = {1, 2, 3, 4};
    ndarray<float, -1> const any{memory, {2, 2}, {2, 1}};
    CHECK(felt::view<2>(any)(1, 1) == 4);
    CHECK_THROWS_WITH_AS((void)felt::view<3>(any), "view: an array of 2 axes, not 3",
                         felt::shape_error);
    static_assert(!felt::foreign_array_has_its_rank_in_its_type<decltype(any)&>);
    static_assert(!felt::operand<ndarray<long double, 1>&>);
    ndarray<float, 1> const device{memory, {2}, {1}, 2};
    CHECK_THROWS_WITH_AS((void)felt::view(device),
                         "view: elements lie on cuda:0, not in the host's memory",
                         felt::foreign_error);
    ndarray<float, 1> const same{memory, {4}, {0}};
    CHECK_THROWS_AS((void)felt::view(same), felt::shape_error);
    ndarray<float const, 1> const read{memory, {4}, {0}};
    CHECK(float(felt::sum(read)) == 4);
}
