// SPDX-License-Identifier: BSD-3-Clause
//
// One call for every index.
#include "tests/device/same.hpp"

using namespace felt;
using test::same;

struct mark {
    int* seen;
    FELT_FN void operator()(index_t i) const { seen[i] += 1; }
};

TEST_CASE("every index once") {
    for (index_t n : {0, 1, 1000, 100003}) {
        Tensor<int, 1, Device> x({n});
        device::launch(n, mark{x.data()}, "mark");
        CHECK(index_t(sum(x)) == n);
        if (n > 0) CHECK(int(max(x)) == 1);
    }
}
