// SPDX-License-Identifier: BSD-3-Clause
//
// Products on the device by the tile program, alone or with the statement that they stand in. Under
// a host compiler the host's loops do that; FELT_TILE_RUNNER names a header that runs the program
// there all the same: the emulator of the tests.
#pragma once
#include <felt/device/memory.hpp>
#include <felt/device/product_kept.hpp>
#include <felt/device/tile/tile_configs.hpp>

#if THRUST_DEVICE_SYSTEM == THRUST_DEVICE_SYSTEM_CUDA
#include <felt/device/tile/kernel.hpp>
namespace felt::inline FELT_ABI::device {
inline constexpr bool has_tiles = true;
}
#elif defined(FELT_TILE_RUNNER)
#include FELT_TILE_RUNNER
namespace felt::inline FELT_ABI::device {
inline constexpr bool has_tiles = true;
}
#else
namespace felt::inline FELT_ABI::device {
inline constexpr bool has_tiles = false;
template <class Work>
void launch_tiles(Work const&, char const*);
}  // namespace felt::inline FELT_ABI::device
#endif

namespace felt::inline FELT_ABI::device {

// Runs the program in the way that suits a product.
template <class How>
struct by_tiles {
    char const* name;

    template <class A, class B, class E>
    void operator()(index_t batches, index_t rows, index_t columns, index_t terms, A const& a,
                    B const& b, E const& e) const {
        by_a_way<How>([this](auto const& work) { launch_tiles(work, name); }, batches, rows,
                      columns, terms, a, b, e);
    }
};

// Products of targets at their places: one, or slices in equal steps.
template <class How, class Runner, class... T, std::size_t R, class... N, class P>
bool multiply_plain(Runner const& runner, tuple<tile_target<T, R, N>...> const& to, P const& p,
                    axes<P::rank, R> const& m) {
    if constexpr ((0 + ... + plain_products<N>) > 1) {
        using all = ways<How, typename P::value_type>;
        std::vector<axes<P::rank, R>> places;
        auto const find = [&](auto const& each) {
            auto const own = broadcast(own_loops<R>(), each.n.extents());
            for (auto const& at : places_of<P>(each.n, own)) places.push_back(at);
        };
        spread([&](auto const&... each) { (find(each), ...); }, to);
        auto const slots = shared_sums(p, places);
        if (slots && slots->step > 0) {
            tile_product<P, R, 1> const four{&p, with_members(m, *slots), {{4}}, *slots};
            return multiply<columns_in_fours<all::gates::column_run>>(runner, to, four) ||
                   multiply<rows_in_fours<all::large::row_run>>(runner, to, four);
        }
    }
    return multiply(runner, to, tile_product<P, R>{&p, m, {}, {}});
}

[[noreturn]] inline void has_no_forms(char const* name) {
    throw device_error(std::string(name) +
                       ": an operand has a border along more axes than products on a device "
                       "read through: assign it to a tensor first");
}

// Targets hold what becomes of products that share their sums.
template <class How, class Target, class... Next>
void multiply_for(tuple<Target, Next...> const& to) {
    auto const& n = to.head.n;
    constexpr std::size_t R = Target::rank;
    auto const own = broadcast(own_loops<R>(), n.extents());
    using N = typename Target::node;
    static_assert(plain_products<N> + pooled_products<N> > 0);
    bool done = false;
    for_each_product(n, own, [&]<class P, class M>(P const& p, M const& m) {
        if (std::exchange(done, true)) return;
        using all = ways<How, typename P::value_type>;
        by_tiles<How> const runner{p.name};
        bool fits = false;
        if constexpr (std::is_same_v<M, axes<P::rank, R + 2>>) {
            using fours = rows_in_fours<all::large::row_run>;
            fits = multiply<fours>(runner, to, tile_product<P, R, 2>{&p, m, {{2, 2}}, {}});
        } else {
            fits = multiply_plain<How>(runner, to, p, m);
        }
        if (!fits) has_no_forms(p.name);
    });
}
// y, of these extents and strides, holds n.
template <class How, class T, std::size_t R, class N>
void multiply_for(T* y, extents<R> const& e, extents<R> const& stride, N const& n) {
    multiply_for<How>(tuple<tile_target<T, R, N>>{{y, e, stride, n}});
}

}  // namespace felt::inline FELT_ABI::device
