// SPDX-License-Identifier: BSD-3-Clause
//
// What the programs of this folder share, here and in recipe.py: a command line, a stopwatch and a
// grey picture.
//
//   recipe const r(argc, argv, {.does = "Doubles numbers", .size = 1000, .unit = "numbers"});
//   auto const y = r.best_of([&] { return eval(2 * x); });  // prints "best of 5: 0.123 ms"
#pragma once
#include <felt/felt.hpp>
#include <chrono>
#include <iostream>
#include <optional>
#include <string>

class recipe {
public:
    struct purpose {
        char const* does;
        int size;  // --size, if nothing is said
        char const* unit;
        int least = 1;
        bool draws = false;  // offers --picture
    };

    recipe(int argc, char const* const* argv, purpose const& p);

    felt::index_t size() const { return size_; }

    // What f() returns; runs it --times times and prints the shortest.
    template <class F>
    auto best_of(F const& f) const {
        using clock = std::chrono::steady_clock;
        std::optional<decltype(f())> result;
        std::chrono::duration<double> best(1e9);
        for (int i = 0; i < times_; ++i) {
            result.reset();
            auto const start = clock::now();
            result.emplace(f());
            best = std::min<std::chrono::duration<double>>(best, clock::now() - start);
        }
        std::cout << "best of " << times_ << ": " << 1e3 * best.count() << " ms\n";
        return std::move(*result);
    }

    // Writes numbers from 0, black, to 1, white, to the PNG file of --picture.
    void draw(felt::Tensor<float, 2> const& grey) const;

private:
    int size_, times_ = 5;
    std::string picture_;
};
