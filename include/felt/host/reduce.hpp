// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions. Along lanes that are kept, results accumulate lane by lane; along lanes that are
// reduced, a row is cut into pieces of 2048 elements whose results are combined pairwise, so
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

// M over n elements in four chains of lanes, so that operations do not wait for each other.
template <class M, class T>
T reduce_line(T const* x, index_t n) {
    constexpr int N = batch_size<T>;
    M const m;
    T all = M::template identity<T>();
    index_t j = 0;
    if (n >= 4 * N) {
        xsimd::batch<T> acc[4];
        for (int c = 0; c < 4; ++c) acc[c] = xsimd::batch<T>::load_unaligned(x + c * N);
        for (j = 4 * N; j + 4 * N <= n; j += 4 * N) {
            for (int c = 0; c < 4; ++c) {
                acc[c] = m(acc[c], xsimd::batch<T>::load_unaligned(x + j + c * N));
            }
        }
        alignas(64) T t[N];
        m(m(acc[0], acc[1]), m(acc[2], acc[3])).store_unaligned(t);
        for (int half = N / 2; half > 0; half /= 2) {
            for (int l = 0; l < half; ++l) t[l] = m(t[l], t[l + half]);
        }
        all = t[0];
    }
    for (; j < n; ++j) all = m(all, x[j]);
    return all;
}

// to[j] = m(to[j], x[j]).
template <class M, class T>
void reduce_into(T* to, T const* x, index_t n) {
    constexpr int N = batch_size<T>;
    M const m;
    index_t j = 0;
    for (; j + N <= n; j += N) {
        m(xsimd::batch<T>::load_unaligned(to + j), xsimd::batch<T>::load_unaligned(x + j))
            .store_unaligned(to + j);
    }
    for (; j < n; ++j) to[j] = m(to[j], x[j]);
}

// A row is taken in pieces that stay in the first-level cache.
inline constexpr index_t reduce_piece = 2048;

}  // namespace detail

// Everything of a reduction but its operand's type.
template <class M, class V, class T>
class reduction : public boxed<T> {
public:
    using boxed<T>::boxed;

protected:
    void prepare_values(box const& b, row_source<V> const& x) {
        this->ready(b, [&](box const& own) {
            loop_space const& in = this->inner();
            compute(own, planning::whole_box(in.extent, in.rank), true, x);
        });
    }

    void add_strip(strip_range const& strip, row_source<V> const& x) {
        int const l = this->facts().strip;
        if (l < 0) return;
        loop_space const& in = this->inner();
        box all = planning::whole_box(in.extent, in.rank);
        all.lo[l] = strip.lo;
        all.hi[l] = strip.hi;
        node_facts const& f = this->facts();
        compute(planning::whole_box(f.extent, f.rank), all, strip.first, x);
        this->complete();
    }

private:
    bool reduced(int l) const { return (this->facts().mask >> l & 1U) != 0; }

    // The values of box `own` from the operand's box `all`; `fresh`: not added to what is there.
    void compute(box const& own, box all, bool fresh, row_source<V> const& x) {
        loop_space const& in = this->inner();
        int axis_of[max_axes] = {}, last = this->lane_axis();
        for (int l = 0, a = 0; l < in.rank; ++l) {
            if (reduced(l)) continue;
            all.lo[l] = own.lo[a];
            all.hi[l] = own.hi[a];
            if (l == in.lane) last = a;
            axis_of[l] = a++;
        }
        T* const data = this->room(own, last);
        strided<T> to{data, {}};
        for (int l = 0; l < in.rank; ++l) {
            if (reduced(l)) continue;
            to.stride[l] = this->own().stride[axis_of[l]];
            to.data -= to.stride[l] * all.lo[l];
        }
        if constexpr (requires { &M::template better<V>; }) {
            positions(all, to, in, x);
        } else {
            if (fresh) std::fill(data, data + own.size(), M::template identity<T>());
            if (in.lane >= 0 && !reduced(in.lane)) along_rows(all, to, in, x);
            else along_lanes(all, to, in, x);
        }
    }

    static T* place(strided<T> const& to, index_t const* at, loop_space const& in) {
        T* p = to.data;
        for (int l = 0; l < in.rank; ++l) {
            if (l != in.lane) p += to.stride[l] * at[l];
        }
        return p;
    }

    // Calls f(at, lo, hi, values) for pieces of the rows of all blocks.
    template <class F>
    void pieces(box const& all, loop_space const& in, row_source<V> const& x, F&& f) {
        if (line_ == nullptr) line_ = this->scratch().template take<V>(detail::reduce_piece);
        for_each_block(in, all, [&](box const& b) {
            x.prepare(b);
            index_t const lo = in.lane < 0 ? 0 : b.lo[in.lane];
            index_t const hi = in.lane < 0 ? 1 : b.hi[in.lane];
            planning::for_each_row(b, in.lane, [&](index_t const* at) {
                for (index_t j = lo; j < hi; j += detail::reduce_piece) {
                    index_t const end = std::min(hi, j + detail::reduce_piece);
                    f(at, j, end, x.line(at, j, end, line_));
                }
            });
        });
    }

    // Lanes are kept: out[j] = m(out[j], x[j]).
    void along_rows(box const& all, strided<T> const& to, loop_space const& in,
                    row_source<V> const& x) {
        pieces(all, in, x, [&](index_t const* at, index_t lo, index_t hi, V const* line) {
            detail::reduce_into<M>(place(to, at, in) + lo, line, hi - lo);
        });
    }

    // Lanes are reduced. Pieces of one result meet pairwise.
    void along_lanes(box const& all, strided<T> const& to, loop_space const& in,
                     row_source<V> const& x) {
        T* current = nullptr;
        detail::pairwise<M, T> parts;
        auto flush = [&] {
            if (current != nullptr) *current = M{}(*current, parts.total());
            parts = {};
        };
        pieces(all, in, x, [&](index_t const* at, index_t lo, index_t hi, V const* line) {
            T* const p = place(to, at, in);
            if (p != current) flush();
            current = p;
            parts.add(detail::reduce_line<M>(line, hi - lo));
        });
        flush();
    }

    // The first position of the best value; a NaN beats every number.
    void positions(box const& all, strided<T> const& to, loop_space const& in,
                   row_source<V> const& x) {
        index_t weight[max_axes] = {}, total = 1, points = 1, lowest = 0;
        for (int l = in.rank - 1; l >= 0; --l) {
            if (reduced(l)) {
                weight[l] = total;
                total *= in.extent[l];
            } else {
                points *= all.extent(l);
                lowest += to.stride[l] * all.lo[l];
            }
        }
        if (points > best_capacity_) {
            best_ = this->scratch().template take<V>(points);
            best_capacity_ = points;
        }
        V* const best = best_ - lowest;
        std::fill(to.data + lowest, to.data + lowest + points, T(-1));
        index_t const lane_weight = in.lane < 0 ? 0 : weight[in.lane];
        index_t const lane_step = in.lane < 0 ? 0 : to.stride[in.lane];
        pieces(all, in, x, [&](index_t const* at, index_t lo, index_t hi, V const* line) {
            index_t base = 0;
            for (int l = 0; l < in.rank; ++l) base += l == in.lane ? 0 : weight[l] * at[l];
            index_t const where = place(to, at, in) - to.data;
            for (index_t j = lo; j < hi; ++j) {
                index_t const o = where + lane_step * j, position = base + lane_weight * j;
                V const v = line[j - lo];
                if (to.data[o] < 0 || M::better(v, best[o]) ||
                    (position < to.data[o] && !M::better(best[o], v))) {
                    best[o] = v;
                    to.data[o] = position;
                }
            }
        });
    }

    // Taken once and kept: what the operand takes while it is made ready lives as long.
    V* line_ = nullptr;
    V* best_ = nullptr;
    index_t best_capacity_ = 0;
};

template <class M, unsigned Mask, class X>
class bound<reduce_node<M, Mask, X>>
    : public reduction<M, typename X::value_type,
                       typename reduce_node<M, Mask, X>::value_type> {
    using base =
        reduction<M, typename X::value_type, typename reduce_node<M, Mask, X>::value_type>;

public:
    bound(reduce_node<M, Mask, X> const& n, environment& env, int id)
        : base(env, id), x_(n.x.head, env, id + 1) {}

    void prepare(box const& b) { this->prepare_values(b, rows_of(x_)); }
    void accumulate(strip_range const& strip) { this->add_strip(strip, rows_of(x_)); }

private:
    bound<X> x_;
};

}  // namespace felt::host
