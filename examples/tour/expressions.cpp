// SPDX-License-Identifier: BSD-3-Clause
//
// What is lazy, what an expression keeps, in which type it is computed, and what may overlap.
#include "check.hpp"
#include <felt/felt.hpp>

namespace {

using felt::Tensor;

Tensor<float, 1> make() { return Tensor<float, 1>::of({1, 2, 3}); }

void laziness() {
    //[lazy]
    auto a = Tensor<float, 1>::of({1, 4, 9});
    auto e = sqrt(a) + 1.f;  // a description: nothing is computed
    a(0) = 16;               // a is named, so e looks at it
    Tensor<float, 1> y = e;  // now it runs: 5, 3, 4
    auto z = eval(e);        // the same, as a tensor of e's type and extents
    //[lazy]
    check(y(0) == 5 && z(1) == 3 && z(2) == 4, "an expression runs when it meets a destination");
}

void lifetimes() {
    //[lifetimes]
    Tensor<float, 1> a({3});
    auto safe = a + make();  // the temporary is moved in, and shared by copies of `safe`
    auto scaled = [&](float by) { return by * (a + 1.f); };  // scalars are kept by value
    Tensor<float, 1> y = safe + scaled(2);
    //[lifetimes]
    check(y(0) == 3 && y(2) == 5, "temporaries live in the expression");
}

void lost() {
    bool refused = false;
    try {
        //[swapped]
        Tensor<float, 1> t({3}), u({3});
        auto before = t + 1.f;
        std::swap(t, u);
        u = before;  // throws: the operand (3) was destroyed, moved or swapped after it was named
        //[swapped]
    } catch (felt::error const&) {
        refused = true;
    }
    check(refused == FELT_CHECKED, "an expression over memory that was given away is refused");
}

void broadcasting() {
    //[broadcast]
    Tensor<float, 2> x({3, 4}), column({3, 1});
    Tensor<float, 1> row({4});
    x = 1.f;  // a scalar broadcasts to its destination
    row = felt::iota<float>(4);
    column = expand_dims<1>(felt::iota<float>(3));
    Tensor<float, 2> y = x + row * column;  // (3, 4) + (4) * (3, 1)
    //[broadcast]
    check(y(2, 3) == 7 && y(0, 3) == 1, "shapes are aligned at the last axis");
}

void promotion() {
    //[promotion]
    Tensor<float, 1> x({3});
    Tensor<int, 1> n({3});
    Tensor<bool, 1> flag({3});
    static_assert(std::is_same_v<felt::value_of<decltype(x * 0.5)>, float>);   // scalars are weak
    static_assert(std::is_same_v<felt::value_of<decltype(n * 0.5)>, double>);  // unless they must
    static_assert(std::is_same_v<felt::value_of<decltype(n / 2)>, int>);       // 7 / 2 is 3
    static_assert(std::is_same_v<felt::value_of<decltype(n / 2.f)>, float>);   // 7 / 2.f is 3.5
    static_assert(std::is_same_v<felt::value_of<decltype(sqrt(n))>, double>);
    static_assert(std::is_same_v<felt::value_of<decltype(flag + flag)>, int>);
    static_assert(std::is_same_v<felt::value_of<decltype(sum(n))>, felt::index_t>);
    static_assert(std::is_same_v<felt::value_of<decltype(mean(n))>, double>);
    //[promotion]
    check(float(sum(x)) == 0, "a tensor is born zero");
    auto const bytes = Tensor<unsigned char, 1>::of({0, 51, 255});
    check(all_close(bytes / 255, Tensor<int, 1>::of({0, 0, 1})), "integers divide as integers");
    check(all_close(bytes / 255.f, Tensor<float, 1>::of({0, 0.2f, 1})), "a fraction wants a float");
}

void aliasing() {
    //[aliasing]
    Tensor<float, 2> x({3, 3}), w({3, 3}), y({3, 3});
    x = reshape(felt::iota<float>(9), {3, 3});
    x = 2.f * x + 1.f;          // in place: each element is read before it is written
    x = x + transpose(x);       // reads by other indices: computed aside, then copied
    noalias(y) = matmul(w, x);  // your promise that y is not read: never computed aside
    //[aliasing]
    check(x(0, 1) == 10 && x(1, 0) == 10 && x(2, 2) == 34, "aliasing never changes the result");
    check(y(1, 1) == 0, "a product with zeros is zero");
}

}  // namespace

int main() {
    laziness();
    lifetimes();
    lost();
    broadcasting();
    promotion();
    aliasing();
    return failures != 0;
}
