// SPDX-License-Identifier: BSD-3-Clause
//
// A library of two functions: twice() says its rule, half() fails in its own body.
#pragma once

template <class T>
concept number = requires(T x) { x + x; };

template <number T>
T twice(T x) {
    return x + x;
}

template <class T>
T half(T x) {
    return x / 2;
}
