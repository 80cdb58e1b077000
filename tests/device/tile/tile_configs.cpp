// SPDX-License-Identifier: BSD-3-Clause
//
// Small products take small tiles; each precision its own way.
#include "tests/device/tile/emulated.hpp"
#include <felt/device/tile/tile_configs.hpp>

using namespace felt;

namespace {

struct recorder {
    int* rows;
    template <class Work>
    void operator()(Work const& work) const {
        *rows = Work::way::rows;
        test::emulate<test::block>(work, 1);
    }
};

template <class How>
void check_how(double tolerance) {
    auto const a = test::random<RowMajor>({70, 65}, 1), b = test::random<RowMajor>({65, 30}, 2);
    Tensor<float, 2, Device> y({70, 30}), want({70, 30});
    auto const s = lower(assign(y, matmul(a, b)));
    int rows = 0;
    auto const where = [&](auto... x) { device::by_a_way<How>(recorder{&rows}, x...); };
    device::for_each_product(s.expression, device::own_loops<2>(), [&](auto& p, auto& m) {
        CHECK(device::multiply(where, test::target_of(s), test::product_at(p, m)));
    });
    CHECK(rows == 64);
    want = matmul(a, b);
    CHECK(all_close(to<Host>(y), to<Host>(want), tolerance, 30 * tolerance));
    CHECK((tolerance < 1e-4) == all_close(to<Host>(y), to<Host>(want), 1e-5, 1e-4));
}

}  // namespace

TEST_CASE("each precision") {
    check_how<fused_t>(1e-6);
    check_how<tf32x3_t>(1e-6);
    check_how<tf32_t>(1e-3);
    check_how<bf16_t>(8e-3);
}
