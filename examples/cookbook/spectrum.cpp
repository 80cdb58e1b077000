// SPDX-License-Identifier: BSD-3-Clause
//
// A low-pass filter: what is above 1 kHz is taken out of the spectrum of a noisy signal.
#include "recipe.hpp"
#include <felt/fft.hpp>
#include <numbers>

using felt::index_t, felt::Tensor;

int main(int argc, char** argv) {
    recipe const r(argc, argv,
                   {.does = "Filters a signal", .size = 262144, .unit = "samples", .least = 2});
    index_t const n = r.size();
    double const rate = 44100, cut = 1000;  // per second

    auto const phase = 2 * std::numbers::pi / rate * felt::iota<double>(n);
    Tensor<float, 1> const clean = cast<float>(sin(440 * phase) + 0.5 * sin(660 * phase));
    Tensor<float, 1> const x = clean + felt::normal<float>({n}, 1);

    auto const filtered = [&] {
        auto const f = felt::rfftfreq<float>(n, float(1 / rate));
        auto const spectrum = felt::rfft(x);
        auto const low = felt::irfft(where(f <= cut, spectrum, 0), {.n = n});
        index_t const peak = argmax(abs(spectrum));
        return std::pair(double(peak) * rate / double(n), low);
    };
    auto const [loudest, y] = r.best_of(filtered);

    std::cout << "loudest at: " << loudest << " Hz\n";
    std::cout << "noise: " << stddev(x - clean) << ", after: " << stddev(y - clean) << '\n';
}
