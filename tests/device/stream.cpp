// SPDX-License-Identifier: BSD-3-Clause
//
// Streams of a thread.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

TEST_CASE("statements go to the stream that is in use") {
    stream s;
    Tensor<float, 1, Device> x({1000});
    {
        use_stream const here(s);
        CHECK(device::stream_of_this_thread() == s.handle());
        x = iota<float>({1000});
        x = x * 2;
    }
    s.wait();
    CHECK(float(sum(x)) == 999000);
    stream t = std::move(s);
    t.wait();
    synchronize();
}
