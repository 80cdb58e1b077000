// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <felt/host/pack.hpp>
#include <vector>

using felt::index_t;
using felt::host::batch_size;
using felt::host::box;
using felt::host::strips;

namespace {

// Element (i, k, l) is 10000 i + 100 k + l; rows are handed out along `lane`.
template <class T>
struct numbered {
    int lane;

    felt::host::row_source<T> rows() {
        auto const line = [](void const* self, index_t const* at, index_t lo, index_t hi, T* room) {
            int const along = static_cast<numbered const*>(self)->lane;
            index_t i[3] = {at[0], at[1], at[2]};
            for (index_t j = lo; j < hi; ++j) {
                i[along] = j;
                room[j - lo] = static_cast<T>(10000 * i[0] + 100 * i[1] + i[2]);
            }
            return static_cast<T const*>(room);
        };
        return {this, [](void*, box const&) {}, line,
                [](void const*, index_t const**) { return static_cast<T const*>(nullptr); },
                [](void const*, int, index_t) { return false; }};
    }
};

// to[s * pitch + k * width + i] = x[neighbour s * width + i, term k], neighbours (0, 2), terms 1.
template <class T>
void check_pack(index_t rows, index_t runs, index_t terms, int width, bool narrow, int lane) {
    felt::planning::graph g;
    index_t const extent[3] = {rows + 2, terms + 3, runs};
    auto const sp = g.add_space(extent, 3);
    felt::planning::schedule decided(g);
    decided[sp].lane = felt::planning::loop_id(lane);
    felt::host::loop_view const in(g[sp], decided[sp]);
    box b = felt::planning::whole_box(extent, 3);
    b.lo[0] = 2;
    b.lo[1] = 3;
    using felt::planning::label_id;
    label_id const neighbour[2] = {label_id(0), label_id(2)}, shared[1] = {label_id(1)};
    felt::host::pack_axes const axes{neighbour, 2, shared, 1};
    index_t const count = rows * runs;
    strips const layout{width, width * terms + batch_size<T>, narrow};
    index_t const number = (count + width - 1) / width;
    std::vector<T> to(static_cast<std::size_t>(number * layout.pitch + 2 * width + batch_size<T>),
                      T(-1));
    numbered<T> x{lane};
    auto const source = x.rows();
    felt::host::arena scratch;
    felt::host::packer<T>(source, in, axes, b, layout).pack(to.data(), scratch);
    bool right = true;
    for (index_t f = 0; f < count; ++f) {
        index_t const s = f / width, left = count - s * width;
        index_t const w = narrow && left < width ? left : width;
        for (index_t k = 0; k < terms; ++k) {
            index_t const at = s * layout.pitch + k * w + f % width;
            auto const expected = static_cast<T>(10000 * (f / runs + 2) + 100 * (k + 3) + f % runs);
            right = right && to[static_cast<std::size_t>(at)] == expected;
        }
    }
    INFO(rows << " by " << runs << ", " << terms << " terms, width " << width << ", lane " << lane);
    CHECK(right);
}

}  // namespace

TEST_CASE_TEMPLATE("strips of neighbours, whole and narrow, along lanes and across", T, float,
                   double, std::int64_t) {
    for (index_t rows : {1, 3, 16}) {
        for (index_t runs : {1, 7, 33}) {
            for (index_t terms : {1, 2, 17, 40}) {
                for (int width : {1, 6, 9, 14, 2 * batch_size<T>}) {
                    for (int lane : {1, 2}) {
                        check_pack<T>(rows, runs, terms, width, width < 16, lane);
                    }
                }
            }
        }
    }
}
