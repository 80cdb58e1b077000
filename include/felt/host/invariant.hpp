// SPDX-License-Identifier: BSD-3-Clause
//
// Loop-invariant values: those of a function that stay the same along some of the loops that it is
// read in are computed once for a block, and read from there (plan/5_hoisting/invariants.hpp says
// which).
#pragma once
#include <felt/host/environment.hpp>
#include <felt/host/leaf_loader.hpp>

namespace felt::inline FELT_ABI::host {

template <class T>
struct row_source;

// The state of a row: where kept values lie, or else what is read for each point.
template <class T, class Others>
struct kept_or {
    cursor<T> kept;
    Others others;
};

template <class T>
class invariant_values {
public:
    [[gnu::noinline]] invariant_values(environment& env, node_id id) : env_(&env), id_(id) {
        if (is_kept()) read_ = leaf_loader<T>(loops(), nullptr, zeros());
    }

    bool is_kept() const { return along() >= 0; }
    bool are_here() const { return here_; }
    loop_view loops() const { return env_->loops(env_->described(id_).space); }

    cursor<T> row(index_t const* at) const { return read_.row(at); }
    bool continues_row(int l, index_t n) const { return read_.continues_row(l, n); }

    // What is the same in all blocks stays.
    void prepare(box const& b, row_source<T> const& values);

private:
    int along() const { return env_->placed(id_).kept_along; }
    static index_t const* zeros() {
        static constexpr index_t none[max_axes] = {};
        return none;
    }
    bool follows(int l) const { return (along() >> l & 1) != 0; }

    // The part of b that the values move with: where b begins along the other loops, for which what
    // they are computed from was made ready.
    box varying(box b) const {
        for (int l = 0; l < b.rank; ++l) {
            if (!follows(l)) b.hi[l] = b.lo[l] + 1;
        }
        return b;
    }
    bool holds(box const& b) const {
        for (int l = 0; l < b.rank; ++l) {
            if (follows(l) && (b.lo[l] < held_.lo[l] || b.hi[l] > held_.hi[l])) return false;
        }
        return true;
    }

    // Dense, along the lanes first.
    index_t lay(box const& b, strided<T>& to) const {
        index_t size = 1;
        int const lane = loops().lane;
        for (bool along : {true, false}) {
            for (int l = b.rank - 1; l >= 0; --l) {
                if ((l == lane) != along || !follows(l)) continue;
                to.stride[l] = size;
                size *= b.extent(l);
            }
        }
        return size;
    }

    environment* env_;
    node_id id_;
    leaf_loader<T> read_;
    T* room_ = nullptr;
    index_t capacity_ = 0;
    bool here_ = false;
    box held_;
};

}  // namespace felt::inline FELT_ABI::host
