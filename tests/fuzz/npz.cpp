// SPDX-License-Identifier: BSD-3-Clause
#include <felt/npz.hpp>
#include <tests/fuzz/target.hpp>

namespace {

fuzz::files seeds() {
    felt::npz a;
    a.put("w", {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    a.put("n", std::int64_t{7}), a.put("none", {0, 5}, std::vector<double>{});
    fuzz::files both;
    for (auto how : {felt::npz_compression::stored, felt::npz_compression::deflated})
        both.push_back(
            fuzz::written([&](std::string const& file) { felt::save_npz(file, a, how); }));
    return both;
}

fuzz::target const npz("npz", seeds,
                       fuzz::file([](std::string const& file) { (void)felt::load_npz(file); }));

}  // namespace
