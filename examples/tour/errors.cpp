// SPDX-License-Identifier: BSD-3-Clause
//
// What is found at run time: an exception that names the operation and the shapes.
#include "check.hpp"
#include <felt/felt.hpp>
#include <string>

namespace {

using felt::Tensor;

template <class F>
std::string message_of(F&& f) {
    try {
        f();
    } catch (felt::error const& e) {
        std::cout << e.what() << '\n';
        return e.what();
    }
    return "";
}

void shapes() {
    Tensor<float, 2> a({2, 3}), b({4, 5}), y({2, 3});
    Tensor<float, 1> v({4});
    auto says = [](std::string const& message, char const* words) {
        check(message == words, words);  // as docs/91_errors.md has it
    };
    says(message_of([&] { y = matmul(a, b); }), "matmul: (2, 3) by (4, 5): 3 is not 4");
    says(message_of([&] { y = a + v; }), "+: shapes (2, 3) and (4) do not broadcast");
    says(message_of([&] { y = transpose(a); }), "assign: (3, 2) does not fit (2, 3)");
    says(message_of([&] { Tensor<float, 2> z = sum<1>(Tensor<float, 2>({3, 4})); }),
         "assign: (3) does not fit (0, 0): it is empty, and of another rank");
    says(message_of([&] { y = reshape(a, {4, 2}); }),
         "reshape: (2, 3) has 6 elements, (4, 2) has 8");
    says(message_of([&] { v = slice(a, 5, felt::all()); }),
         "slice: 5 is outside axis 0 of extent 2");
    says(message_of([&] {
             float const m = max(Tensor<float, 1>());
             check(m != m, "max");
         }),
         "max: nothing along axis 0 of (0)");
}

void nothing_written() {
    //[catch]
    Tensor<float, 2> table({10, 4});
    auto rows = Tensor<int, 1>::of({3, 12});  // there is no row 12
    auto y = Tensor<float, 2>::of({{1, 2, 3, 4}, {5, 6, 7, 8}});
    try {
        y = gather<0>(table, rows);
    } catch (felt::shape_error const& e) {
        std::cout << e.what() << '\n';
    }
    check(y(1, 3) == 8, "an assignment that throws has written nothing");
    //[catch]
    check(message_of([&] { y = gather<0>(table, rows); }) ==
              "gather: index 12 is outside axis 0 of extent 10",
          "gather names the index");
}

}  // namespace

int main() {
    shapes();
    nothing_written();
    return failures != 0;
}
