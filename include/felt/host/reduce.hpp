// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions. Along lanes that are kept, results accumulate lane by lane; along lanes that are
// reduced, a row is cut into pieces of 4096 elements whose results are combined pairwise, so
// that rounding grows with the logarithm of the length.
#pragma once
#include <felt/host/boxed.hpp>

namespace felt::host {

namespace detail {

// Partial results, combined as a binary counter carries: equal amounts meet.
template <class M, class T>
class pairwise {
public:
    void add(T value) {
        int level = 0;
        for (; (count_ >> level & 1) != 0; ++level) value = M{}(part_[level], value);
        part_[level] = value;
        ++count_;
    }
    T total() const {
        T all = M::template identity<T>();
        bool some = false;
        for (int level = 0; level < 48; ++level) {
            if ((count_ >> level & 1) == 0) continue;
            all = some ? M{}(part_[level], all) : part_[level];
            some = true;
        }
        return all;
    }

private:
    T part_[48];
    index_t count_ = 0;
};

template <class M, class T, int N>
T across_lanes(lanes<T, N> const& x, int count) {
    alignas(64) T t[N];
    x.store(t, full{});
    T all = t[0];
    for (int l = 1; l < count; ++l) all = M{}(all, t[l]);
    return all;
}

// Lanes lo .. hi-1 of one row in four chains, so that additions do not wait for each other.
template <class M, int N, class B, class S>
auto reduce_piece(B const& x, S const& state, index_t lo, index_t hi) {
    using T = typename B::value_type;
    using batch_lanes = lanes<T, N>;
    M const m;
    auto step = [&](batch_lanes& acc, index_t j) {
        batch_lanes const v = x.template run<N>(state, j, full{});
        for (int k = 0; k < acc.count; ++k) acc.b[k] = m(acc.b[k], v.b[k]);
    };
    batch_lanes acc[4];
    for (auto& a : acc) a = batch_lanes::broadcast(M::template identity<T>());
    index_t j = lo;
    for (; j + 4 * N <= hi; j += 4 * N) {
        step(acc[0], j);
        step(acc[1], j + N);
        step(acc[2], j + 2 * N);
        step(acc[3], j + 3 * N);
    }
    for (; j + N <= hi; j += N) step(acc[0], j);
    for (int k = 0; k < acc[0].count; ++k) {
        acc[0].b[k] = m(m(acc[0].b[k], acc[1].b[k]), m(acc[2].b[k], acc[3].b[k]));
    }
    T all = across_lanes<M>(acc[0], N);
    if (j < hi) {
        first const part{static_cast<int>(hi - j)};
        all = m(all, across_lanes<M>(x.template run<N>(state, j, part), part.count));
    }
    return all;
}

}  // namespace detail

template <class M, unsigned Mask, class X>
class bound<reduce_node<M, Mask, X>>
    : public boxed<typename reduce_node<M, Mask, X>::value_type> {
    using T = typename reduce_node<M, Mask, X>::value_type;
    static constexpr int rank = static_cast<int>(X::rank);

public:
    bound(reduce_node<M, Mask, X> const& n, environment& env, int id)
        : boxed<T>(env, id), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) {
        this->ready(b, [&](box const& own) { compute(own); });
    }

private:
    static bool reduced(int l) { return (Mask >> l & 1U) != 0; }

    void compute(box const& own) {
        loop_space const& in = this->inner();
        box all = planning::whole_box(in.extent, in.rank);
        int axis_of[max_axes] = {}, last = this->lane_axis();
        for (int l = 0, a = 0; l < rank; ++l) {
            if (reduced(l)) continue;
            all.lo[l] = own.lo[a];
            all.hi[l] = own.hi[a];
            if (l == in.lane) last = a;
            axis_of[l] = a++;
        }
        T* const data = this->room(own, last);
        slot const& s = this->own();
        strided<T> to{data, {}};
        for (int l = 0; l < rank; ++l) {
            if (reduced(l)) continue;
            to.stride[l] = s.stride[axis_of[l]];
            to.data -= to.stride[l] * all.lo[l];
        }
        if constexpr (requires { &M::template better<T>; }) {
            positions(all, to, in);
        } else {
            std::fill(data, data + own.size(), M::template identity<T>());
            if (in.lane >= 0 && !reduced(in.lane)) along_rows(all, to, in);
            else along_lanes(all, to, in);
        }
    }

    T* place(strided<T> const& to, index_t const* at, int skip) const {
        T* p = to.data;
        for (int l = 0; l < rank; ++l) {
            if (l != skip) p += to.stride[l] * at[l];
        }
        return p;
    }

    // Lanes are kept: out[j] = m(out[j], x[j]).
    void along_rows(box const& all, strided<T> const& to, loop_space const& in) {
        constexpr int N = step_lanes<T, bound<X>>;
        M const m;
        for_each_block(in, all, [&](box const& b) {
            x_.prepare(b);
            planning::for_each_row(b, in.lane, [&](index_t const* at) {
                auto const state = x_.row(at);
                T* const p = place(to, at, in.lane);
                auto step = [&](index_t j, auto part) {
                    auto acc = lanes<T, N>::load(p + j, part);
                    lanes<T, N> const v = x_.template run<N>(state, j, part);
                    for (int k = 0; k < acc.count; ++k) acc.b[k] = m(acc.b[k], v.b[k]);
                    acc.store(p + j, part);
                };
                index_t j = b.lo[in.lane];
                for (; j + N <= b.hi[in.lane]; j += N) step(j, full{});
                if (j < b.hi[in.lane]) step(j, first{static_cast<int>(b.hi[in.lane] - j)});
            });
        });
    }

    // Lanes are reduced. Results of one kept point over its rows meet pairwise.
    void along_lanes(box const& all, strided<T> const& to, loop_space const& in) {
        constexpr int N = step_lanes<T, bound<X>>;
        constexpr index_t piece = 4096;
        constexpr bool one_result = reduce_node<M, Mask, X>::rank == 0;
        detail::pairwise<M, T> total;
        for_each_block(in, all, [&](box const& b) {
            x_.prepare(b);
            index_t const lo = in.lane < 0 ? 0 : b.lo[in.lane], hi = in.lane < 0 ? 1 : b.hi[in.lane];
            planning::for_each_row(b, in.lane, [&](index_t const* at) {
                auto const state = x_.row(at);
                detail::pairwise<M, T> row;
                for (index_t j = lo; j < hi; j += piece) {
                    T const part = detail::reduce_piece<M, N>(x_, state, j, std::min(hi, j + piece));
                    if (one_result) total.add(part);
                    else row.add(part);
                }
                if (!one_result) {
                    T* const p = place(to, at, in.lane);
                    *p = M{}(*p, row.total());
                }
            });
        });
        if (one_result) *to.data = M{}(*to.data, total.total());
    }

    // The first position of the best value; a NaN beats every number.
    void positions(box const& all, strided<T> const& to, loop_space const& in) {
        using V = typename X::value_type;
        constexpr int N = step_lanes<V, bound<X>>;
        index_t weight[max_axes] = {}, total = 1, points = 1;
        for (int l = rank - 1; l >= 0; --l) {
            if (reduced(l)) {
                weight[l] = total;
                total *= in.extent[l];
            } else {
                points *= all.extent(l);
            }
        }
        scratch_scope const scope(this->scratch());
        V* const best = this->scratch().template take<V>(points);
        strided<V> value{best, {}};
        T* const first_place = to.data;
        index_t lowest = 0;
        for (int l = 0; l < rank; ++l) {
            value.stride[l] = to.stride[l];
            if (!reduced(l)) lowest += to.stride[l] * all.lo[l];
        }
        std::fill(first_place + lowest, first_place + lowest + points, index_t{-1});
        value.data -= lowest;
        for_each_block(in, all, [&](box const& b) {
            x_.prepare(b);
            planning::for_each_row(b, in.lane, [&](index_t const* at) {
                auto const state = x_.row(at);
                index_t base = 0, where = 0;
                for (int l = 0; l < rank; ++l) {
                    index_t const i = l == in.lane ? 0 : at[l];
                    base += weight[l] * i;
                    where += to.stride[l] * i;
                }
                alignas(64) V t[N];
                for (index_t j = b.lo[in.lane]; j < b.hi[in.lane]; j += N) {
                    int const count = static_cast<int>(std::min<index_t>(N, b.hi[in.lane] - j));
                    if (count == N) x_.template run<N>(state, j, full{}).store(t, full{});
                    else x_.template run<N>(state, j, first{count}).store(t, full{});
                    for (int k = 0; k < count; ++k) {
                        index_t const o = where + to.stride[in.lane] * (j + k);
                        index_t const position = base + weight[in.lane] * (j + k);
                        bool const better = first_place[o] < 0 ||
                                            M::better(t[k], value.data[o]) ||
                                            (position < first_place[o] &&
                                             !M::better(value.data[o], t[k]));
                        if (better) {
                            value.data[o] = t[k];
                            first_place[o] = position;
                        }
                    }
                }
            });
        });
    }

    bound<X> x_;
};

}  // namespace felt::host
