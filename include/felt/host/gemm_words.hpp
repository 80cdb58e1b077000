// SPDX-License-Identifier: BSD-3-Clause
//
// A product whose factors are narrow (word_dots.hpp): both operands become words of several terms,
// the right one packed, the left one where its rows lie. A word is of terms of one run, which is
// the innermost of the shared axes; the last of a run is filled with zeros of the right operand.
#pragma once
#include <felt/host/right_words.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
class gemm_words {
    using words = word_terms<T>;
    using term_type = typename words::term;
    using geometry = tile<T>;

public:
    gemm_words(environment& env, node_id id)
        : env_(&env),
          id_(id),
          how_(&env.p.s[env.p.g[id].product]),
          packing_(env, id),
          right_(env, id) {}

    // c (+)= a b over a box of labels.
    void over(box const& part, product_target<T> const& t, row_source<T> const& a,
              row_source<T> const& b) {
        word_runs const runs(part, axes().k, words::count);
        word_strips<T> const right = right_.over(b, part, runs);
        box const own = without(part, axes().n);
        if (how_->left_boxed) a.prepare(own);
        // As it lies, though it is read as T.
        auto const narrow = narrow_memory<T>(*env_, id_, how_->rows_from, own);
        bool const whole = runs.length % words::count == 0 && !right_.both_signed();
        if (whole && narrow.data != nullptr && narrow.stride[axes().k[runs.outer]] == 1) {
            auto const* const terms = reinterpret_cast<term_type const*>(narrow.data);
            return multiply(part, runs, {terms, narrow.stride}, right, t);
        }
        in_memory<T> lies;
        if (how_->left_in_place && !how_->left_bordered) lies = find_in_memory(a, part);
        if (lies.data != nullptr && lie_in_words(runs, lies.stride)) {
            multiply(part, runs, {narrow_left(lies, own), lies.stride}, right, t);
            return;
        }
        index_t sizes[max_axes];
        index_t const limit = std::max<index_t>(how_->mc, geometry::mr);
        auto const cut = chunks(loops(0), part, axes().m, limit, sizes);
        for_each_block(cut, part, [&](box const& block) {
            index_t stride[max_axes];
            multiply(block, runs, {copy_left(a, block, runs, stride), stride}, right, t);
        });
    }

private:
    planning::contraction_axes const& axes() const { return how_->axes; }
    // Those in which an operand is read.
    loop_view loops(int n) const { return env_->loops(env_->described(id_).inner + n); }

    // Times 0 what follows a run counts as nothing, unless it is not finite.
    bool lie_in_words(word_runs const& runs, index_t const* stride) const {
        return stride[axes().k[runs.outer]] == 1 &&
               (std::is_integral_v<T> || runs.length % words::count == 0);
    }

    void multiply(box const& block, word_runs const& all, in_memory<term_type> const& a,
                  word_strips<T> const& b, product_target<T> const& t) {
        term_runs const runs = runs_in(without(block, axes().n), all, a.stride);
        rows_.over(block, axes().m, a.stride, t.to.stride, geometry::mr);
        auto const to = cells_of(block, axes().m, env_->described(id_).rank, t);
        auto const strips = rows_.strips(static_cast<T const*>(nullptr), 1);
        multiply_words(count(block, axes().n), runs, strips, a.data, b, to);
    }

    // Where its runs begin; those that follow each other are one.
    term_runs runs_in(box const& own, word_runs const& all, index_t const* stride) {
        label_list const& k = axes().k;
        index_t length = all.length;
        int outer = all.outer;
        while (outer > 0 && length % words::count == 0 &&
               (own.extent(k[outer - 1]) == 1 || stride[k[outer - 1]] == length))
            length *= own.extent(k[--outer]);
        starts_.clear();
        for_each_point(own, k.label, outer, -1, [&](index_t const* at) {
            starts_.push_back(offset_in(own, k, outer, stride, at));
        });
        auto const runs = static_cast<index_t>(starts_.size());
        return {all.all_words() / runs, runs, starts_.data()};
    }

    // The left operand's numbers as parts of words, each where it lay. Zeros follow the last.
    term_type const* narrow_left(in_memory<T> const& values, box const& own) {
        index_t lo = 0, hi = 1;
        for (int l = 0; l < own.rank; ++l) {
            index_t const reach = values.stride[l] * (own.extent(l) - 1);
            (reach < 0 ? lo : hi) += reach;
        }
        if (!left_.holds(own)) {
            index_t const n = hi - lo;
            left_.take(env_->scratch, n + words::count);
            narrow_terms(values.data + lo, n, offset_of_left(), left_.data);
            std::fill(left_.data + n, left_.data + n + words::count, term_type(0));
            left_.hold(own);
        }
        return left_.data - lo;
    }

    term_type offset_of_left() const {
        return right_.both_signed() ? words::offset_of_signed : term_type(0);
    }
    // Rows of the left operand that do not lie so: computed along their terms, or packed and
    // turned. Sets their strides.
    term_type const* copy_left(row_source<T> const& a, box const& block, word_runs const& runs,
                               index_t* stride) {
        box const own = without(block, axes().n);
        if (loops(how_->rows_from).lane == axes().k.last()) {
            T const* const values = packing_.compute_left(a, block, stride, words::count);
            return narrow_left({values, stride}, own);
        }
        index_t const size = packing_.lay_out(own, stride, words::count);
        if (left_.holds(own)) return left_.data;
        index_t const m = count(own, axes().m), h = row_walk::height_of(m, geometry::mr);
        index_t const pitch = h * runs.count * runs.length + geometry::width;
        T const* strip = packing_.left(a, block, {static_cast<int>(h), pitch, true});
        left_.take(env_->scratch, size);
        std::fill(left_.data, left_.data + size, term_type(0));
        index_t const row = runs.all_words() * words::count + planning::row_padding;
        for (index_t i = 0; i < m; i += h, strip += pitch)
            turn(strip, std::min(h, m - i), runs, row, left_.data + i * row);
        left_.hold(own);
        return left_.data;
    }
    void turn(T const* strip, index_t rows, word_runs const& runs, index_t row,
              term_type* to) const {
        term_type column[4 * geometry::width];  // g++ takes narrow_terms to fill a vector
        for (index_t r = 0; r < runs.count; ++r, to += runs.words * words::count) {
            for (index_t k = 0; k < runs.length; ++k, strip += rows) {
                narrow_terms(strip, rows, offset_of_left(), column);
                for (index_t i = 0; i < rows; ++i) to[i * row + k] = column[i];
            }
        }
    }

    environment* env_;
    node_id id_;
    planning::product_schedule const* how_;
    gemm_packing<T> packing_;
    row_walk rows_;
    packed_box<term_type> left_;
    std::vector<index_t> starts_;
    right_words<T> right_;
};

}  // namespace felt::inline FELT_ABI::host
