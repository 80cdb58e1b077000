// SPDX-License-Identifier: BSD-3-Clause
#include <felt/felt.hpp>
#include <felt/npy.hpp>
#include <tests/fuzz/target.hpp>

namespace {

template <felt::element T>
std::string saved() {
    felt::Tensor<T, 2, felt::Host, felt::ColMajor> x({2, 3});
    for (int i = 0; i < 6; ++i) x.data()[i] = static_cast<T>(i % 2);
    return fuzz::written([&](std::string const& file) { felt::save_npy(file, x); });
}

template <felt::element T>
void read(std::string const& file) {
    (void)felt::load_npy<T, 2>(file);
}

fuzz::target const floats(
    "npy", [] { return fuzz::files{saved<float>()}; }, fuzz::file(read<float>));
fuzz::target const bools(
    "npy_bool", [] { return fuzz::files{saved<bool>()}; }, fuzz::file(read<bool>));

}  // namespace
