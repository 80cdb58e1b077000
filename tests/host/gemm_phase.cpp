// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <vector>

using felt::index_t;
using felt::host::gemm_phase;
using felt::planning::label_id;

namespace {

bool has(felt::host::box const& b, index_t const* term) {
    bool const first = term[2] >= b.lo[2] && term[2] < b.hi[2];
    return first && term[3] >= b.lo[3] && term[3] < b.hi[3];
}

}  // namespace

TEST_CASE("phases share out all rows, and those of one phase have the same terms") {
    // Rows (h, w) are labels 0 and 1, terms (r, s) labels 2 and 3.
    felt::planning::zero_axes const zeros{
        {{label_id(0), label_id(2), -1, 1, 1, 1, 8}, {label_id(1), label_id(3), 2, 1, -2, 3, 4}},
        2};
    felt::host::box all;
    all.rank = 4;
    all.lo[0] = 2, all.hi[0] = 9;
    all.lo[1] = 1, all.hi[1] = 12;
    all.hi[2] = all.hi[3] = 3;
    constexpr index_t strides[] = {100, 5}, to_strides[] = {13, 1};
    std::vector<float> left(1000), product(100);
    index_t stride[felt::planning::max_axes] = {strides[0], strides[1], 40, 1};
    felt::host::strided<float> const to{product.data(), {to_strides[0], to_strides[1]}};
    // Strips go along w: phases of h have to be found, or of w that is set apart.
    for (unsigned along_strips : {0U, 2U, 3U}) {
        std::vector<int> seen(7 * 11);
        felt::host::phase_walk walk;
        walk.over(
            zeros, all, along_strips, [&](felt::host::product_phase const& phase, bool again) {
                CHECK(!again);
                gemm_phase<float> const now(phase, all, {left.data(), stride}, to);
                CHECK(now.terms_apart() == 8);
                for (index_t i = 0; i < now.rows.extent(0); ++i)
                    for (index_t j = 0; j < now.rows.extent(1); ++j) {
                        index_t const at =
                            now.data + i * now.stride[0] + j * now.stride[1] - left.data();
                        index_t const h = at / strides[0], w = at % strides[0] / strides[1];
                        ++seen[static_cast<std::size_t>(h * 11 + w)];
                        CHECK(now.to.data + i * now.to.stride[0] + j * now.to.stride[1] -
                                  product.data() ==
                              h * to_strides[0] + w * to_strides[1]);
                        for (index_t t = 0; t < 9; ++t) {
                            index_t const term[] = {0, 0, t / 3, t % 3};
                            bool const of_row = along_strips == 3 || zeros[0].meets(2 + h, t / 3);
                            bool const is_met = of_row && zeros[1].meets(1 + w, t % 3);
                            CHECK((has(now.rows, term) && now.meets(term)) == is_met);
                        }
                    }
                CHECK(now.stride[2] == 40);
            });
        CHECK(seen == std::vector<int>(7 * 11, 1));
    }
}
