// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of a device that is none.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("any number of threads writes the same") {
    Tensor<index_t, 1, Device> x({1000});
    for (int n : {3, 1, 2}) {
        device::use_threads(n);
        x = iota<index_t>({1000}) * n;
        CHECK(to<Host>(x)(999) == 999 * n);
    }
}

TEST_CASE("bytes are allocated, cleared and copied") {
    auto const s = device::make_stream();
    auto* const p = static_cast<char*>(device::allocate(100, s));
    char const text[] = "felt";
    device::clear_bytes(p, 100, s);
    device::copy_bytes(p, text, 4, s);
    device::wait_for(s, "test");
    CHECK(std::string(p) == "felt");
    device::release(p, 100, s);
    device::destroy(s);
}
