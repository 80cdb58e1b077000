// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions. Along lanes that are kept, results accumulate lane by lane, up to 128 rows one after
// the other, more of them by eights. Along lanes that are reduced, a row is cut into pieces of 2048
// elements whose results are combined pairwise. Where more than 128 sums meet in a result, what
// each step rounds is carried to the next (carried.hpp). So the error of a sum is at most
//
//     (128 + 512 / lanes + log2(n)) u sum |x| + O(n u^2)    u: half an ulp of 1
//
// whatever the axis; mostly it is much less.
#pragma once
#include <felt/host/materialized.hpp>
#include <felt/host/combine_partials.hpp>
#include <felt/host/positions.hpp>
#include <felt/host/short_rows.hpp>

namespace felt::inline FELT_ABI::host {

namespace detail {
// A row is taken in pieces that stay in the first-level cache.
inline constexpr index_t reduce_piece = 2048;
}  // namespace detail

// Everything of a reduction but its operand's type.
template <class M, class V, class T>
class reduction : public materialized<T> {
public:
    using materialized<T>::materialized;

protected:
    [[gnu::noinline]] void prepare_values(box const& b, row_source<V> const& x);
    [[gnu::noinline]] void add_strip(strip_range const& strip, row_source<V> const& x);

private:
    using value = detail::comparable<V>;

    static void merge(slot& into, slot const& other) {
        if constexpr (seeks) detail::combine_positions<typename M::best, value, T>(into, other);
        else detail::combine_values<M, T>(into, other);
    }

    box all_terms() const { return planning::whole_box(this->inner().extent, this->inner().rank); }
    bool reduced(int l) const { return (this->described().mask >> l & 1U) != 0; }

    index_t terms(loop_view const& in) const {
        index_t n = 1;
        for (int l = 0; l < in.rank; ++l) n *= reduced(l) ? in.extent[l] : 1;
        return n;
    }

    // The values of box `own` from the operand's box `all`; `fresh`: not added to what is there.
    void compute(box const& own, box all, bool fresh, row_source<V> const& x) {
        loop_view const in = this->inner();
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
        if constexpr (seeks) {
            find_positions(all, to, in, fresh, x);
        } else {
            results_ = {data, room_beside(own.size(), fresh)};
            if constexpr (std::is_same_v<V, T>) {  // of one term each, as in windows side by side
                if (fresh && terms(in) == 1) return evaluate(x, in, all, to, this->scratch());
            }
            if (fresh) std::fill(data, data + own.size(), M::template identity<T>());
            if (in.lane >= 0 && !reduced(in.lane)) along_rows(all, to, in, x);
            else along_lanes(all, to, in, x);
        }
    }

    static constexpr bool seeks = requires { &M::template better<V>; };
    // The rows of a block, as long as they get; where a position is sought along them, as they are.
    long_rows rows_in(box const& b, loop_view const& in, row_source<V> const& x,
                      strided<T> const& to) const {
        if (in.lane < 0) return {b, 1};
        if (!reduced(in.lane)) return join_rows(x, in.lane, b, to.stride);
        return join_summed({b, b.extent(in.lane)}, in, seeks ? 0U : this->described().mask, x);
    }

    // Calls f(at, lo, hi, values) for pieces of rows, begin(is_block) before a block and a row.
    template <class B, class F>
    void pieces(box const& all, strided<T> const& to, loop_view const& in, row_source<V> const& x,
                B&& begin, F&& f) {
        take_line();
        for_each_block(in, all, [&](box const& b) {
            x.prepare(b);
            begin(true);
            long_rows const rows = rows_in(b, in, x, to);
            index_t const lo = in.lane < 0 ? 0 : b.lo[in.lane], hi = lo + rows.length;
            planning::for_each_row(rows.at, in.lane, [&](index_t const* at) {
                begin(false);
                for (index_t j = lo; j < hi; j += detail::reduce_piece) {
                    index_t const end = std::min(hi, j + detail::reduce_piece);
                    f(at, j, end, x.line(at, j, end, line_));
                }
            });
        });
    }

    void take_line() {
        if (line_ == nullptr) line_ = this->scratch().template take<V>(detail::reduce_piece);
    }

    // Room for what the sums are too large by, while they grow; null if that is not carried.
    T* room_beside(index_t size, bool fresh) {
        if (!this->placed().carries_rounding) return nullptr;
        if (size > beside_capacity_) {
            beside_ = this->scratch().template take<T>(size);
            beside_capacity_ = size;
        }
        if (fresh) std::fill(beside_, beside_ + size, T(0));
        return beside_;
    }

    summed_loops loops_over_rows(loop_view const& in) const {
        summed_loops of;
        for (int l = in.rank - 1; l >= 0 && of.around < 0; --l) {
            if (l == in.lane || !reduced(l) || in.extent[l] <= 1) continue;
            (of.loop < 0 ? of.loop : of.around) = l;
        }
        return of;
    }

    // Lanes are kept: f(at, rows of summed_rows) for all that goes to the results of row `at`.
    template <class F>
    void each_summed(box const& all, strided<T> const& to, loop_view const& in,
                     row_source<V> const& x, F&& f) {
        using rows_summed = summed_rows<V>;
        if (rows_ == nullptr) rows_ = this->scratch().template take<V>(rows_summed::room_size);
        summed_loops const of = loops_over_rows(in);
        for_each_block(in, all, [&](box const& b) {
            x.prepare(b);
            rows_summed const rows(x, b, join_rows(x, in.lane, b, to.stride), to.stride, in.lane,
                                   of, rows_, results_.rest != nullptr);
            planning::for_each_row(rows.others(), in.lane, [&](index_t const* at) { f(at, rows); });
        });
    }

    // out[j] = m(out[j], x[j]), several rows of x at a time.
    void along_rows(box const& all, strided<T> const& to, loop_view const& in,
                    row_source<V> const& x) {
        each_summed(all, to, in, x, [&](index_t const* at, summed_rows<V> const& rows) {
            T* const out = row_begin(to, at, in);
            rows.each(at, [&](index_t, index_t j, V const* const* lines, int count, index_t n) {
                results_.combine(out + j, lines, count, n);
            });
        });
    }

    // Whether each row of the lanes is one result.
    bool only_lanes(loop_view const& in) const {
        return in.lane >= 0 && this->described().mask == 1U << in.lane &&
               in.block[in.lane] >= in.extent[in.lane];
    }

    // Each row is one piece and one result.
    void short_rows(box const& all, strided<T> const& to, loop_view const& in,
                    row_source<V> const& x) {
        take_line();
        for_each_block(in, all, [&](box const& b) {
            each_rows(x, b, in.lane, line_, [&](index_t const* at, V const* rows, row_list of) {
                T* p = row_begin(to, at, in);
                index_t const step = of.along < 0 ? 0 : to.stride[of.along];
                for (index_t r = 0; r < of.count; ++r, p += step, rows += of.length)
                    results_.combine(p, detail::reduce_line<M>(rows, of.length));
            });
        });
    }

    // Pieces of one result are combined pairwise within a row, a block or all blocks: as far as
    // they come one after the other whatever other results the box has, on which no value may
    // depend.
    enum class within { row, block, all };
    within together(loop_view const& in) const {
        bool inner = false, one = true, first = true, summed = false;
        for (int l = 0; l < in.rank; ++l) {
            if (reduced(l)) inner = inner || (l != in.lane && in.block[l] > 1);
            else if (in.block[l] > 1) one = false, first = first && !inner;
        }
        for (int i = 0; i < in.rank; ++i) {
            int const l = in.order[i];
            if (reduced(l)) summed = true;
            else one = one && !(summed && in.extent[l] > 1);
        }
        return one ? within::all : first ? within::block : within::row;
    }

    void along_lanes(box const& all, strided<T> const& to, loop_view const& in,
                     row_source<V> const& x) {
        T* current = nullptr;
        detail::pairwise<M, T> parts;
        auto const flush = [&] {
            if (current != nullptr) results_.combine(current, parts.total());
            current = nullptr;
            parts = {};
        };
        if (only_lanes(in) && in.extent[in.lane] <= detail::reduce_piece) {
            return short_rows(all, to, in, x);
        }
        within const run = together(in);
        auto const begin = [&](bool block) {
            if (run == within::row || (block && run == within::block)) flush();
        };
        pieces(all, to, in, x, begin,
               [&](index_t const* at, index_t lo, index_t hi, V const* line) {
                   T* const p = row_begin(to, at, in);
                   if (p != current) flush();
                   current = p;
                   parts.add(detail::reduce_line<M>(line, hi - lo));
               });
        flush();
    }

    void find_positions(box const& all, strided<T> const& to, loop_view const& in, bool fresh,
                        row_source<V> const& x) {
        using best_of = positions<typename M::best, V, T>;
        best_of found(all, in, this->described().mask, to);
        slot& own = this->own();
        if (found.points() > own.best_capacity) {
            own.best = this->lasting().template take<value>(found.points());
            own.best_capacity = found.points();
        }
        found.keep_in(own.best);
        if (fresh) found.clear();
        if (found.takes_rows()) {
            each_summed(all, to, in, x, [&](index_t const* at, summed_rows<V> const& rows) {
                rows.each(at, [&](index_t r, index_t j, V const* const* lines, int count,
                                  index_t n) { found.rows(at, r, j, lines, count, n); });
            });
        } else {
            pieces(
                all, to, in, x, [](bool) {},
                [&](index_t const* at, index_t lo, index_t hi, V const* elements) {
                    found.piece(at, lo, hi, elements);
                });
        }
    }

    // Taken once and kept: what the operand takes while it is made ready lives as long.
    V *line_ = nullptr, *rows_ = nullptr;
    T* beside_ = nullptr;
    index_t beside_capacity_ = 0;
    results<M, T> results_;
};

template <class M, class V, class T>
void reduction<M, V, T>::prepare_values(box const& b, row_source<V> const& x) {
    this->ready(b, [&](box const& own) { compute(own, all_terms(), true, x); });
}

template <class M, class V, class T>
void reduction<M, V, T>::add_strip(strip_range const& strip, row_source<V> const& x) {
    compute(this->growing(&merge).held, this->strip_of(strip, all_terms()), strip.first, x);
}

template <class M, unsigned Mask, class X>
class bound<reduce_node<M, Mask, X>>
    : public reduction<M, typename X::value_type, typename reduce_node<M, Mask, X>::value_type> {
    using base = reduction<M, typename X::value_type, typename reduce_node<M, Mask, X>::value_type>;

public:
    bound(reduce_node<M, Mask, X> const& n, environment& env, node_id id)
        : base(env, id), x_(n.x.head, env, id + 1) {
        this->offer(*this);
    }

    void prepare(box const& b) { this->prepare_values(b, rows_of(x_)); }
    void accumulate(strip_range const& strip) {
        if (this->adds(strip)) this->add_strip(strip, rows_of(x_));
        else if (strip.only) x_.accumulate(strip);
    }

private:
    bound<X> x_;
};

}  // namespace felt::inline FELT_ABI::host
