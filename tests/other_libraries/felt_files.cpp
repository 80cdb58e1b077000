// SPDX-License-Identifier: BSD-3-Clause
//
// Files that NumPy is to read, and those that it wrote, in a folder: for check_files.py.
#include <felt/felt.hpp>
#include <felt/npy.hpp>
#include <felt/npz.hpp>
#include <complex>
#include <iostream>

namespace {

using felt::ColMajor, felt::Host, felt::Tensor;

// 0 1 2 / 3 4 5
template <class T, class Layout = felt::RowMajor>
Tensor<T, 2, Host, Layout> numbers() {
    Tensor<T, 2, Host, Layout> x({2, 3});
    x = felt::cast<T>(felt::iota<int>({2, 3}));
    return x;
}

void write(std::string const& folder) {
    auto const x = numbers<float>();
    felt::save_npy(folder + "c.npy", x);
    felt::save_npy(folder + "f.npy", numbers<double, ColMajor>());
    felt::save_npy(folder + "reversed.npy", felt::flip<1>(x));
    felt::save_npy(folder + "mask.npy", x > 2.f);
    felt::save_npy(folder + "bytes.npy", numbers<std::uint8_t>());
    felt::save_npy(folder + "complex.npy", numbers<std::complex<float>>());
    felt::save_npy(folder + "empty.npy", Tensor<int, 3>({2, 0, 3}));
    Tensor<std::int64_t, 0> one;
    one() = 7;
    felt::save_npy(folder + "one.npy", one);
    felt::npz all;
    all.put("w", numbers<float, ColMajor>());
    all.put("k", numbers<std::int64_t>());
    all.put("rate", 0.5);
    felt::save_npz(folder + "stored.npz", all);
    felt::save_npz(folder + "deflated.npz", all, felt::npz_compression::deflated);
}

int wrong = 0;
void expect(bool holds, char const* what) {
    if (!holds) std::cerr << "wrong: " << what << '\n', ++wrong;
}

void read(std::string const& folder) {
    auto const x = numbers<float>();
    auto const same = [&](auto const& y) { return all(felt::cast<float>(y) == x); };
    expect(same(felt::load_npy<float, 2>(folder + "c.npy")), "c.npy");
    expect(same(felt::load_npy<double, 2>(folder + "f.npy")), "f.npy");
    expect(same(felt::load_npy<double, 2, ColMajor>(folder + "f.npy")), "f.npy by columns");
    expect(same(felt::load_npy<std::uint8_t, 2>(folder + "bytes.npy")), "bytes.npy");
    expect(all(felt::load_npy<bool, 2>(folder + "mask.npy") == (x > 2.f)), "mask.npy");
    auto const z = felt::load_npy<std::complex<float>, 2>(folder + "complex.npy");
    expect(same(felt::real(z)), "complex.npy");
    expect(felt::load_npy<std::int64_t, 0>(folder + "one.npy")() == 7, "one.npy");
    expect(felt::load_npy<int, 3>(folder + "empty.npy").extent(2) == 3, "empty.npy");
    for (char const* name : {"stored.npz", "deflated.npz"}) {
        felt::npz const all = felt::load_npz(folder + name);
        Tensor<float, 2> w({2, 3});
        Tensor<std::int64_t, 2> k({2, 3});
        all.get("w", w);
        all.get("k", k);
        expect(same(w) && same(k) && all.scalar<double>("rate") == 0.5, name);
    }
    try {
        (void)felt::load_npy<float, 2>(folder + "swapped.npy");
        expect(false, "swapped.npy was read");
    } catch (felt::io_error const& e) {
        expect(std::string(e.what()).ends_with("elements are >f4, not <f4"), e.what());
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    std::string const folder = std::string(arguments[2]) + "/";
    std::string(arguments[1]) == "write" ? write(folder) : read(folder);
    return wrong == 0 ? 0 : 1;
}
