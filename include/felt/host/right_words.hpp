// SPDX-License-Identifier: BSD-3-Clause
//
// The right operand of a product of words (gemm_words.hpp): strips of nr columns, of each word
// after word of its terms, all of one run behind those of another. From memory where its elements
// lie there, else as they are computed.
#pragma once
#include <felt/host/gemm_packing.hpp>
#include <felt/host/transpose.hpp>
#include <felt/host/word_dots.hpp>

namespace felt::inline FELT_ABI::host {

// The shared terms of a box: runs of the innermost axis of more than one, each of whole words, of
// which the last is filled with zeros.
struct word_runs {
    int outer;  // so many shared labels are outside of a run
    index_t length, words, count;

    word_runs(box const& part, label_list const& k, int terms_of_word) : outer(k.count - 1) {
        while (outer > 0 && part.extent(k[outer]) == 1) --outer;
        length = part.extent(k[outer]);
        words = (length + terms_of_word - 1) / terms_of_word;
        count = host::count(part, k) / length;
    }
    index_t all_words() const { return count * words; }
};

// The elements of an operand of product id, if they lie in memory below a conversion: bytes of
// either kind as those with a sign.
template <class T, class E = typename word_terms<T>::element>
in_memory<E> narrow_memory(environment const& env, node_id id, int side, box const& own) {
    planning::graph const& g = env.p.g;
    node_id const x = g.operand(id, side);
    bool const without_sign = env.p.s[g[id].product].factor[side] == planning::narrow_type::uint8;
    if (!without_sign) return find_below_conversion<E>(g, x, own);
    auto const found = find_below_conversion<std::uint8_t>(g, x, own);
    return {reinterpret_cast<E const*>(found.data), found.stride};
}

template <class T>
class right_words {
    using how = word_terms<T>;
    using element = typename how::element;
    using narrow = planning::narrow_type;
    static constexpr int nr = tile<T>::nr, terms = how::count;

public:
    right_words(environment& env, node_id id)
        : env_(&env), id_(id), how_(&env.p.s[env.p.g[id].product]), packing_(env, id) {}

    // The left operand gets an offset, which is taken off the sums.
    bool both_signed() const {
        return how_->factor[0] == narrow::int8 && how_->factor[1] == narrow::int8;
    }

    // Over a box of labels, where it stays until another box is asked for.
    word_strips<T> over(row_source<T> const& b, box const& part, word_runs const& runs) {
        box const own = without(part, axes().m);
        if (!words_.holds(own)) pack(b, own, runs);
        bool const swapped = how_->factor[side()] == narrow::uint8;
        return {words_.data, runs.all_words() * nr, start_.data, swapped};
    }

private:
    planning::contraction_axes const& axes() const { return how_->axes; }
    int side() const { return 1 - how_->rows_from; }
    int lane() const { return env_->loops(env_->described(id_).inner + side()).lane; }

    void pack(row_source<T> const& b, box const& own, word_runs const& runs) {
        index_t const strips = (count(own, axes().n) + nr - 1) / nr;
        words_.take(env_->scratch, strips * runs.all_words() * nr);
        start_.take(env_->scratch, strips * nr);
        std::fill(start_.data, start_.data + strips * nr, T(0));
        words_.hold(own);
        auto const lies = narrow_memory<T>(*env_, id_, side(), own);
        int const term = axes().k[runs.outer];
        bool const one = axes().n.count == 1;
        if (lies.data != nullptr && one && lies.stride[axes().n[0]] == 1) {
            pack_rows(rows_in_memory{lies, own}, own, runs);
        } else if (lies.data != nullptr && lies.stride[term] == 1) {
            pack_columns(lies, own, runs);
        } else if (one && lane() == axes().n[0]) {
            b.prepare(own);  // what it takes stays
            pack_rows(computed_rows{b, own.lo[lane()]}, own, runs);
        } else {
            pack_packed(packing_.right(b, own), runs, strips);
        }
    }
    // Elements lo .. lo+n-1 along the columns of the row at a point of labels.
    struct computed_rows {
        row_source<T> const& from;
        index_t first;
        using type = T;

        T const* operator()(index_t const* at, index_t lo, index_t n, T* room) const {
            return from.line(at, first + lo, first + lo + n, room);
        }
    };
    struct rows_in_memory {
        in_memory<element> lies;
        box const& own;
        using type = element;

        element const* operator()(index_t const* at, index_t lo, index_t, element*) const {
            element const* p = lies.data + lo;
            for (int l = 0; l < own.rank; ++l) p += lies.stride[l] * (at[l] - own.lo[l]);
            return p;
        }
    };

    // Rows along the columns become words strip by strip.
    template <class Rows, class S = typename Rows::type>
    void pack_rows(Rows const& rows, box const& own, word_runs const& runs) {
        int const column = axes().n[0], term = axes().k[runs.outer];
        index_t const n = own.extent(column), wide = (n + nr - 1) / nr * nr;
        scratch_scope const scope(env_->scratch);
        S* const room = env_->scratch.template take<S>((terms + 1) * wide);
        S* const none = room + terms * wide;
        std::fill(none, none + wide, S(0));
        term_word* to = words_.data;
        for_each_point(own, axes().k.label, runs.outer, -1, [&](index_t const* point) {
            index_t at[max_axes];
            std::copy(point, point + own.rank, at);
            for (index_t k = own.lo[term]; k < own.hi[term]; k += terms, to += nr) {
                S const* row[terms];
                for (int i = 0; i < terms; ++i) {
                    at[term] = k + i;
                    bool const is_one = k + i < own.hi[term];
                    row[i] = is_one ? rows(at, 0, n, room + i * wide) : none;
                }
                put_together_all(row, n, room, to, runs.all_words() * nr);
            }
        });
    }
    // The last strip is filled with zeros.
    template <class S>
    void put_together_all(S const** row, index_t n, S* room, term_word* to, index_t pitch) {
        index_t const whole = n / nr * nr, wide = (n + nr - 1) / nr * nr;
        index_t j = 0;
        for (; j < whole; j += nr, to += pitch) put_together(row, j, to, start_.data + j);
        if (j == n) return;
        for (int i = 0; i < terms; ++i) {
            S* const end = room + i * wide + whole;
            if (row[i] + whole != end) std::copy(row[i] + whole, row[i] + n, end);
            std::fill(end + (n - whole), end + nr, S(0));
            row[i] = room + i * wide;
        }
        put_together(row, j, to, start_.data + j);
    }
    // A word of each of nr columns.
    template <class S>
    void put_together(S const* const* row, index_t first, term_word* to, T* start) const {
        using V = xsimd::batch<T>;
        constexpr int W = tile<T>::width;
        for (int l = 0; l < nr; l += W) words_of_rows<T>(row, first + l).store_unaligned(to + l);
        if (!both_signed()) return;
        for (int l = 0; l < nr; l += W) {
            V from = V::load_unaligned(start + l);
            for (int i = 0; i < terms; ++i)
                from = from - V(how::offset_of_signed) * load_as<T>(row[i] + first + l);
            from.store_unaligned(start + l);
        }
    }

    // Columns that lie along their terms are transposed, a word an element. Those beyond the last
    // are 0.
    void pack_columns(in_memory<element> const& lies, box const& own, word_runs const& runs) {
        label_list const &n = axes().n, &k = axes().k;
        element const* column[nr];
        index_t const all = count(own, n);
        index_t j = 0;
        for_each_point(own, n.label, n.count, -1, [&](index_t const* at) {
            column[j++ % nr] = lies.data + offset_in(own, n, n.count, lies.stride, at);
            if (j % nr != 0 && j != all) return;
            index_t const first = (j - 1) / nr * nr;
            term_word* to = words_.data + first * runs.all_words();
            for_each_point(own, k.label, runs.outer, -1, [&](index_t const* of) {
                index_t const start = offset_in(own, k, runs.outer, lies.stride, of);
                pack_run(column, j - first, start, runs.length, to, start_.data + first);
                to += runs.words * nr;
            });
        });
    }
    void pack_run(element const* const* column, index_t columns, index_t start, index_t length,
                  term_word* to, T* sums) {
        using word_vector = xsimd::batch<std::int32_t>;
        constexpr index_t W = tile<T>::width;
        index_t const whole = length / (terms * W) * W, words = (length + terms - 1) / terms;
        for (index_t first = 0; first < nr; first += W) {
            for (index_t w = 0; w < whole; w += W) {
                word_vector word[W];
                for (index_t i = 0; i < W; ++i) {
                    bool const is_one = first + i < columns;
                    auto const* const p = is_one ? column[first + i] + start + w * terms : none();
                    word[i] = word_vector::load_unaligned(reinterpret_cast<std::int32_t const*>(p));
                }
                transpose(word);
                for (index_t i = 0; i < W; ++i)
                    word[i].store_unaligned(
                        reinterpret_cast<std::int32_t*>(to + (w + i) * nr + first));
            }
        }
        for (index_t j = 0; j < nr; ++j) {
            element const* const p = j < columns ? column[j] + start : none();
            for (index_t w = whole; w < words; ++w) {
                to[w * nr + j] = 0;
                if (j >= columns) continue;
                auto const some = std::min<index_t>(terms, length - w * terms);
                std::memcpy(to + w * nr + j, p + w * terms,
                            static_cast<std::size_t>(some) * sizeof(element));
            }
            for (index_t i = 0; i < length && j < columns && both_signed(); ++i)
                sums[j] -= static_cast<T>(how::offset_of_signed * p[i]);
        }
    }
    static element const* none() {
        static constexpr element zeros[terms * tile<T>::width] = {};
        return zeros;
    }
    // What was packed as elements of T.
    void pack_packed(right_strips<T> const& from, word_runs const& runs, index_t strips) {
        static constexpr T none[nr] = {};
        for (index_t s = 0; s < strips; ++s) {
            term_word* to = words_.data + s * runs.all_words() * nr;
            T const* rows = from.data + s * from.pitch;
            for (index_t r = 0; r < runs.count; ++r, rows += runs.length * nr) {
                for (index_t k = 0; k < runs.length; k += terms, to += nr) {
                    T const* row[terms];
                    for (int i = 0; i < terms; ++i)
                        row[i] = k + i < runs.length ? rows + (k + i) * nr : none;
                    put_together(row, 0, to, start_.data + s * nr);
                }
            }
        }
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    gemm_packing<T> packing_;
    packed_box<term_word> words_;
    packed_box<T> start_;  // of each column's sums
};

}  // namespace felt::inline FELT_ABI::host
