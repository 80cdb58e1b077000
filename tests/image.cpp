// SPDX-License-Identifier: BSD-3-Clause
//
// Images with gaps between their rows, as operands and destinations.
#include <felt/image.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <cstdint>
#include <vector>

namespace {

using felt::Tensor, felt::View;

// What is asked of OpenCV's cv::Mat.
struct image_of_others {
    int rows = 2, columns = 3;
    std::size_t step = 16;
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(32, 200);

    std::uint8_t* data() { return memory.data(); }
    std::uint8_t& at(int i, int j, int c) {
        return memory[static_cast<std::size_t>(i) * step + static_cast<std::size_t>(3 * j + c)];
    }
};

}  // namespace

TEST_CASE("an image with gaps between rows is read and written where it lies") {
    image_of_others m;
    for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) {
            for (int c = 0; c < 3; ++c)
                m.at(i, j, c) = static_cast<std::uint8_t>(9 * i + 3 * j + c);
        }
    }
    //[image]
    auto const x = felt::image(
        m.data(), {.rows = m.rows, .columns = m.columns, .channels = 3, .bytes_per_row = m.step});
    felt::Tensor<float, 2> const grey = felt::mean<2>(felt::cast<float>(x));  // rows, columns
    slice(x, felt::all(), felt::all(), 0) = 0;                                // one channel
    //[image]
    CHECK(grey(1, 2) == 16);
    CHECK(m.at(1, 2, 0) == 0);
    CHECK(m.at(1, 2, 1) == 16);
    CHECK(&x(1, 2, 1) == &m.at(1, 2, 1));
    felt::fuse(felt::assign(x, felt::cast<std::uint8_t>(felt::cast<int>(x) + 1)));
    CHECK(m.at(1, 2, 2) == 18);
    for (std::size_t gap : std::initializer_list<std::size_t>{9, 15, 25, 31})
        CHECK(m.memory[gap] == 200);
}

TEST_CASE("the pitch counts bytes, the strides elements") {
    std::vector<std::uint16_t> memory(20);
    auto const x = felt::image(memory.data(), {.rows = 4, .columns = 4, .bytes_per_row = 10});
    CHECK(x.extents() == felt::extents<3>{{4, 4, 1}});
    CHECK(x.strides() == felt::extents<3>{{5, 1, 1}});
    auto const constant = felt::image(static_cast<std::uint16_t const*>(memory.data()),
                                      {.rows = 2, .columns = 2, .channels = 2, .bytes_per_row = 8});
    static_assert(std::same_as<decltype(constant), View<std::uint16_t const, 3> const>);
}

TEST_CASE("rows that are stored from the last one on have a negative pitch") {
    std::vector<float> memory = {4, 5, 6, -1, 1, 2, 3, -1};
    auto const x = felt::image(memory.data() + 4, {.rows = 2, .columns = 3, .bytes_per_row = -16});
    CHECK(x(0, 0, 0) == 1);
    CHECK(x(1, 2, 0) == 6);
    Tensor<float, 3> const y =
        felt::image(memory.data() + 4, {.rows = 2, .columns = 3, .bytes_per_row = -16}) * 2.f;
    CHECK(y(1, 1, 0) == 10);
}

TEST_CASE("a pitch that cannot be is refused") {
    float memory[64] = {};
    CHECK_THROWS_WITH_AS((void)felt::image(memory, {.rows = 2, .columns = 3, .bytes_per_row = 14}),
                         "image: 14 bytes per row, which is no multiple of the 4 of an element",
                         felt::shape_error);
    CHECK_THROWS_WITH_AS((void)felt::image(memory, {.rows = 2, .columns = 3, .bytes_per_row = -8}),
                         "image: rows of 12 bytes, 8 from one to the next: they overlap",
                         felt::shape_error);
    CHECK(felt::image(memory, {.rows = 1, .columns = 3, .bytes_per_row = 0}).size() == 3);
    CHECK_THROWS_WITH_AS(
        (void)felt::image(memory, {.rows = 2, .columns = 3, .channels = -1, .bytes_per_row = 16}),
        "image: negative extent in (2, 3, -1)", felt::shape_error);
    CHECK_THROWS_AS((void)felt::image(static_cast<float*>(nullptr),
                                      {.rows = 1, .columns = 3, .bytes_per_row = 12}),
                    felt::foreign_error);
    auto const none =
        felt::image(static_cast<float*>(nullptr), {.rows = 0, .columns = 3, .bytes_per_row = 12});
    CHECK(float(felt::sum(none)) == 0);
}
