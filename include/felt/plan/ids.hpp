// SPDX-License-Identifier: BSD-3-Clause
//
// Names of the things that a plan is made of. A node is no loop space and no statement, although
// all of them are numbers: so each has an id of a type of its own, and tables that take no other.
#pragma once
#include <felt/plan/flat_vector.hpp>
#include <compare>
#include <cstddef>
#include <vector>

namespace felt::inline FELT_ABI::planning {

// The place of an Of in its table. One that was not set is none, and false.
template <class Of>
class id {
public:
    constexpr id() = default;
    constexpr explicit id(std::size_t i) : i_(static_cast<int>(i)) {}
    consteval id(int literal) : i_(literal) {}

    constexpr explicit operator bool() const { return i_ >= 0; }
    constexpr std::size_t index() const { return static_cast<std::size_t>(i_); }
    constexpr int number() const { return i_; }

    constexpr id& operator++() {
        ++i_;
        return *this;
    }
    constexpr id& operator--() {
        --i_;
        return *this;
    }
    constexpr id operator+(int n) const {
        id to = *this;
        to.i_ += n;
        return to;
    }
    constexpr id operator-(int n) const { return *this + -n; }
    constexpr int operator-(id other) const { return i_ - other.i_; }
    constexpr bool operator==(id const&) const = default;
    constexpr auto operator<=>(id const&) const = default;

private:
    int i_ = -1;
};

// The number of an axis, a loop or a label: an index into arrays of extents and strides, and an int
// to who computes with it, but an axis is taken for no loop. -1: none.
template <class Of>
class ordinal {
public:
    constexpr ordinal() = default;
    constexpr explicit ordinal(int i) : i_(i) {}
    constexpr operator int() const { return i_; }
    constexpr ordinal& operator++() {
        ++i_;
        return *this;
    }
    constexpr ordinal& operator--() {
        --i_;
        return *this;
    }

private:
    int i_ = -1;
};
using axis_id = ordinal<struct of_axes>;
using loop_id = ordinal<struct of_loops>;
using label_id = ordinal<struct of_labels>;

// Ids from the first one up to the one before `last`.
template <class Id>
struct id_range {
    Id first, last;

    struct iterator {
        Id at;
        constexpr Id operator*() const { return at; }
        constexpr iterator& operator++() {
            ++at;
            return *this;
        }
        constexpr bool operator!=(iterator const& o) const { return at != o.at; }
    };
    constexpr iterator begin() const { return {first}; }
    constexpr iterator end() const { return {last}; }
    constexpr bool contains(Id x) const { return first <= x && x < last; }
};

// All ordinals of so many.
template <class Ordinal>
constexpr id_range<Ordinal> first_of(int n) {
    return {Ordinal(0), Ordinal(n)};
}

// A vector that ids of one type index.
template <class Id, class T>
class table {
public:
    table() = default;
    explicit table(std::size_t n, T const& all = {}) : all_(n, all) {}

    T& operator[](Id i) { return all_[i.index()]; }
    T const& operator[](Id i) const { return all_[i.index()]; }

    std::size_t size() const { return all_.size(); }
    Id end_id() const { return Id(all_.size()); }
    id_range<Id> ids() const { return {Id(std::size_t{0}), end_id()}; }
    Id add(T x) {
        all_.push_back(static_cast<T&&>(x));
        return end_id() - 1;
    }
    T& add() { return all_.emplace_back(); }
    void reserve(std::size_t n) { all_.reserve(n); }
    void fill(std::size_t n, T const& x) { all_.assign(n, x); }
    T& back() { return all_.back(); }

    auto begin() { return all_.begin(); }
    auto begin() const { return all_.begin(); }
    auto end() { return all_.end(); }
    auto end() const { return all_.end(); }

private:
    std::conditional_t<std::is_trivially_copyable_v<T>, flat_vector<T>, std::vector<T>> all_;
};

struct node;
struct loop_space;
struct contraction;
struct destination;
using node_id = id<node>;
using space_id = id<loop_space>;
using product_id = id<contraction>;
using statement_id = id<destination>;

}  // namespace felt::inline FELT_ABI::planning
