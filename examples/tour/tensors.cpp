// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors, views of other people's memory, layouts, and views as destinations.
#include "check.hpp"
#include <felt/felt.hpp>
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <vector>

//[padded]
struct Padded {  // rows begin at multiples of 16 elements
    using shape = felt::extents<2>;
    static shape strides(shape const& e) { return {{(e[1] + 15) / 16 * 16, 1}}; }
    static felt::index_t required_span_size(shape const& e) { return e[0] * strides(e)[0]; }
};
//[padded]

namespace {

void making_tensors() {
    //[making]
    felt::Tensor<float, 2> w({3, 4});                         // zeros
    felt::Tensor<float, 2> raw({3, 4}, felt::uninitialized);  // whatever the memory held
    auto t = felt::Tensor<float, 2>::of({{1, 2}, {3, 4}});    // literals up to rank 4
    felt::Tensor<double, 1> v({5});                           // five zeros, not one five
    felt::Tensor<float, 2> copy = t;                          // tensors are values
    w(1, 2) = 7;                                              // elements, on the host
    felt::index_t const columns = w.extent(1);                // 4; also extents(), size(), data()
    //[making]
    check(w.size() == 12 && w(1, 2) == 7 && w(0, 0) == 0, "a new tensor is zero");
    check(raw.extents() == w.extents() && columns == 4 && v(4) == 0, "extents are as given");
    copy(0, 0) = 9;
    check(t(0, 0) == 1 && copy(0, 0) == 9, "a copy has elements of its own");
}

void halves() {
    //[bfloat16]
    felt::Tensor<felt::bfloat16, 2> a({64, 128}), b({128, 96});
    a = felt::normal<float>(a.extents(), 1);  // rounded
    b = felt::normal<float>(b.extents(), 2);
    felt::Tensor<float, 2> y = matmul(a, b) + 1;  // float sums
    //[bfloat16]
    felt::Tensor<float, 2> const fa = a, fb = b;
    felt::Tensor<float, 2> const z = matmul(fa, fb) + 1;
    check(all_close(y, z, 1e-4, 1e-3), "products of what was rounded");
}

void printing() {
    //[printing]
    auto t = felt::Tensor<float, 2>::of({{1, 2.5f}, {-3, 40}});
    std::cout << t << '\n' << transpose(t) * 2 << '\n' << sum(t) << '\n';
    //[printing]
    std::ostringstream text;
    text << t << std::setprecision(2) << t / 3;
    check(text.str() ==
              "[[ 1.   2.5]\n [-3.  40. ]]\nTensor<float, 2> (2, 2)"
              "[[ 0.33  0.83]\n [-1.   13.33]]\nTensor<float, 2> (2, 2)",
          "printed in columns");
}

void quantised() {
    //[bytes]
    felt::Tensor<std::uint8_t, 2> x({64, 128});
    felt::Tensor<std::int8_t, 2> w({128, 96});
    x = felt::cast<std::uint8_t>(255 * felt::uniform<float>(x.extents(), 1));
    w = felt::cast<std::int8_t>(127 * felt::uniform<float>(w.extents(), 2));
    auto const sums = matmul(felt::cast<std::int32_t>(x), felt::cast<std::int32_t>(w));
    felt::Tensor<float, 2> z = felt::cast<float>(sums) / (255 * 127);
    //[bytes]
    float sum = 0;
    for (felt::index_t k = 0; k < 128; ++k) sum += static_cast<float>(x(3, k) * w(k, 5));
    check(std::abs(z(3, 5) - sum / (255 * 127)) < 1e-3F, "sums of products of bytes are exact");
}

void ranges() {
    //[ranges]
    auto t = felt::Tensor<float, 2>::of({{3, 1}, {2, 4}});
    for (float& v : t) v += 1;            // all elements, in the order of memory
    std::ranges::sort(t);                 // algorithms take tensors
    auto const largest = *(t.end() - 1);  // and these are pointers
    //[ranges]
    check(t(0, 1) == 3 && t(1, 0) == 4 && largest == 5, "a tensor is a range");
}

void other_memory() {
    //[views]
    std::vector<float> memory(6);
    auto a = felt::view(memory.data(), {2, 3});                  // row by row
    auto f = felt::view<felt::ColMajor>(memory.data(), {2, 3});  // column by column
    auto s = felt::view(memory.data(), {2, 2}, {3, 2});          // strides, in elements
    a = felt::Tensor<float, 2>::of({{1, 2, 3}, {4, 5, 6}});      // writes into `memory`
    felt::Tensor<float, 2> const sum = a + f;                    // a view is an operand
    //[views]
    check(memory[5] == 6, "assigning to a view writes the elements it shows");
    check(f(1, 0) == 2 && s(1, 1) == 6 && s(0, 1) == 3, "strides are followed");
    check(sum(1, 0) == 4 + 2, "views of different order add by index");
}

void layouts() {
    //[layouts]
    using felt::Tensor, felt::Host, felt::ColMajor, felt::ChannelsLast;
    Tensor<float, 2, Host, ColMajor> f({300, 200});              // Fortran's and MATLAB's order
    Tensor<float, 4, Host, ChannelsLast> image({8, 3, 32, 32});  // indices are n, c, h, w
    f = felt::uniform<float>(f.extents(), 7);
    Tensor<float, 2> r = f;      // the same tensor, rows in memory
    Tensor<float, 2> y = f + r;  // layouts mix; results are the same
    //[layouts]
    Tensor<float, 2, Host, Padded> p = f;
    check(p.span_size() == 300 * 208 && p(299, 199) == f(299, 199), "a layout may leave gaps");
    check(all_close(y, 2.f * r, 0, 0), "layout is not in the meaning");
    check(f.strides()[0] == 1 && r.strides()[1] == 1, "layout is where elements lie");
    check(image.strides()[1] == 1, "channels are next to each other in ChannelsLast");
}

void destinations() {
    //[destinations]
    felt::Tensor<float, 2> y({4, 6});
    slice(y, felt::range(0, 2), felt::all()) = 1.f;  // the first two rows
    slice(y, -1, felt::range(0, 6, 2)) = 5.f;        // every second of the last row
    transpose(y) += felt::iota<float>(4);            // y(i, j) += i
    reshape(y, {2, 12}) *= 2.f;                      // the same memory, other extents
    //[destinations]
    check(y(0, 0) == 2 && y(1, 5) == 4 && y(2, 3) == 4, "views of tensors are destinations");
    check(y(3, 0) == 16 && y(3, 1) == 6, "an index in slice drops its axis");
}

}  // namespace

int main() {
    making_tensors();
    halves();
    printing();
    quantised();
    ranges();
    other_memory();
    layouts();
    destinations();
    return failures != 0;
}
