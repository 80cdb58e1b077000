// SPDX-License-Identifier: BSD-3-Clause
//
// In which order a derived program writes and reads memory that is not its own: values that are
// kept, derivatives in their place, and those that are asked for. What the backward pass reads must
// be as it was:
//
//     keep<"y">(X, named<"x">(X) * w)   // "x" is overwritten, which the derivative by w reads
//     g(fused, X, dw)                   // so it is here, if that by w is written after that by x
//
// The first is found when the program is derived, the second when it gets other destinations.
#pragma once
#include <felt/core/overlap.hpp>
#include <felt/grad/steps.hpp>
#include <vector>

namespace felt::inline FELT_ABI::derive {

inline std::string operand_text(char const* label) {
    return label != nullptr ? "\"" + std::string(label) + "\"" : "an operand";
}
[[noreturn]] FELT_PLANNING inline void overwritten_fails(char const* what, char const* by,
                                                         bool in_place) {
    throw error("gradient: " + operand_text(what) + " is overwritten by " +
                (in_place ? "the derivative by \"" : "\"") + by +
                "\" before the backward pass reads it: keep them apart");
}
[[noreturn]] FELT_PLANNING inline void destination_fails(char const* by, char const* what) {
    throw error(std::string("gradient: the derivative by \"") + by + "\" is written over " +
                operand_text(what) + ", which is read after that: give it memory of its own");
}
[[noreturn]] FELT_PLANNING inline void destinations_fail(char const* one, char const* other) {
    throw error(std::string("gradient: the derivatives by \"") + one + "\" and \"" + other +
                "\" are written to the same memory");
}

class memory_order {
public:
    using memory = detail::strided_memory;

    // Of a program of so many parts.
    explicit memory_order(std::size_t parts = 1) {
        operands_.reserve(2 * parts), writes_.reserve(parts), reads_.reserve(4 * parts);
    }

    // In order: the forward pass reads that, and writes this value. What a loop reads of its states
    // it has left itself.
    void keeps(char const* label, memory const& m, bool in_loop) {
        writes_.push_back({label, m, in_loop ? in_a_loop : at_once});
    }
    void begin_backward() { is_forward_ = false; }
    // Labels are those of names, null if there is none.
    void reads(char const* label, memory const& m) {
        if (is_forward_) {
            note_operand(m);
        } else {
            check_read(label, m);
            note_read(label, m, now_);
        }
    }
    // The derivative by a value, in its place.
    void overwrites(char const* label, memory const& m) { writes_.push_back({label, m, in_place}); }
    // Derivative k of those that are asked for, of names.
    void asks(std::size_t k, char const* label) {
        if (asked_.size() <= k) asked_.resize(k + 1);
        asked_[k] = {label, now_++};
    }

    // Where all that were asked for go. Some are there already and are not written.
    FELT_PLANNING void check_destinations(memory const* to, bool const* is_written,
                                          std::size_t count) const {
        for (std::size_t k = 0; k != count; ++k) {
            asked const& own = asked_[k];
            for (read const& r : reads_) {
                if (is_written[k] && r.last > own.time && share_memory(r.m, to[k]))
                    destination_fails(own.label, r.label);
            }
            for (std::size_t l = 0; l != k; ++l) {
                if (share_memory(to[l], to[k])) destinations_fail(asked_[l].label, own.label);
            }
        }
    }

private:
    enum kind { at_once, in_a_loop, in_place };
    struct write {
        char const* label;
        memory m;
        kind how;
    };
    struct read {
        char const* label;
        memory m;
        int last;
    };
    struct operand {
        memory m;
        std::size_t writes;
    };
    struct asked {
        char const* label;
        int time;
    };

    // What is read is the value that has this label, or an operand as the forward pass read it;
    // without a label it may be a derivative that was written in the place of a value.
    FELT_PLANNING void check_read(char const* label, memory const& m) const {
        std::size_t const count = writes_.size();
        std::size_t own = 0;
        while (own != count && (label == nullptr || writes_[own].label != label)) ++own;
        bool const is_kept = own != count;
        write const* by = nullptr;
        for (std::size_t k = is_kept ? own + 1 : writes_before(m); k < count; ++k) {
            write const& w = writes_[k];
            if ((w.how == in_a_loop && !is_kept) || !share_memory(w.m, m)) continue;
            if (w.how == in_place && label == nullptr) return;
            by = &w;
        }
        if (by != nullptr) overwritten_fails(label, by->label, by->how == in_place);
    }
    // How many values were written before the forward pass read this operand for the first time.
    std::size_t writes_before(memory const& m) const {
        for (operand const& o : operands_) {
            if (o.m == m) return o.writes;
        }
        return writes_.size();
    }
    FELT_PLANNING void note_operand(memory const& m) {
        if (writes_before(m) == writes_.size()) operands_.push_back({m, writes_.size()});
    }
    FELT_PLANNING void note_read(char const* label, memory const& m, int time) {
        for (read& r : reads_) {
            if (!(r.m == m)) continue;
            r.last = std::max(r.last, time);
            return;
        }
        reads_.push_back({label, m, time});
    }

    std::vector<operand> operands_;
    std::vector<write> writes_;
    std::vector<read> reads_;
    std::vector<asked> asked_;
    int now_ = 0;
    bool is_forward_ = true;
};

template <class T, std::size_t R, class Space>
detail::strided_memory bytes_of(leaf<T, R, Space> const& x) {
    return {x.data, x.e, x.stride, sizeof(T)};
}
template <class T, std::size_t R, class Space>
detail::strided_memory bytes_of(step_node<T, R, Space> const& x) {
    return bytes_of(x.series(std::min(x.count, x.period)));
}

template <class D>
detail::strided_memory bytes_at(D const& to) {
    return {to.data(), to.extents(), to.strides(), sizeof(*to.data())};
}
// A number for addresses, extents and strides: two sets of destinations share one by chance of
// 2^-64.
template <class... D>
std::uint64_t hash_of_places(D const&... to) {
    std::uint64_t hash = sizeof...(D);
    auto const mix = [&](std::uint64_t word) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 32;
    };
    auto const add = [&](auto const& x) {
        mix(reinterpret_cast<std::uintptr_t>(x.data()));
        for (index_t n : x.extents()) mix(static_cast<std::uint64_t>(n));
        for (index_t n : x.strides()) mix(static_cast<std::uint64_t>(n));
    };
    (add(to), ...);
    return hash;
}

// What is read for expression e. (A snapshot is no memory of somebody else's.)
template <class N>
void read_all(memory_order& order, N const& n, char const* label = nullptr) {
    if constexpr (is_named_leaf<N>) read_all(order, n.x, N::label);
    else if constexpr (requires { bytes_of(n); }) order.reads(label, bytes_of(n));
    else apply([&](auto const&... x) { (read_all(order, x), ...); }, n.operands());
}

}  // namespace felt::inline FELT_ABI::derive
