// SPDX-License-Identifier: BSD-3-Clause
//
// std::cout << x: a tensor, a view or the value of an expression, as NumPy prints it: in columns of
// one width, in lines of 75 characters; of more than 1000 elements, three from each end of every
// axis. Then its type and extents on a line: Tensor<float, 2> (3, 4). What has rank 0 is printed as
// the number it is.
#pragma once
#include <felt/tensor/print_numbers.hpp>
#include <felt/tensor/view.hpp>
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace felt::inline FELT_ABI {

namespace detail {

// What is printed of a shape, and where.
class printed {
public:
    static constexpr index_t most = 1000, ends = 3;
    static constexpr std::size_t line = 75;

    printed(index_t const* e, std::size_t rank) : e_(e), rank_(rank) {
        for (std::size_t r = 0; r < rank; ++r) size_ *= e[r];
    }

    // f(at) for the index of each element that is shown, in row-major order.
    template <class F>
    void for_each(F&& f) const {
        index_t at[max_rank] = {};
        walk(0, at, f);
    }

    // Brackets around each axis, the elements aligned to the right.
    std::string text(std::vector<std::string> const& elements) const {
        if (size_ == 0) return "[]";
        std::size_t width = 0, next = 0;
        for (std::string const& t : elements) width = std::max(width, t.size());
        std::string out;
        write(out, elements, width, 0, next);
        return out;
    }

private:
    bool skips(std::size_t axis, index_t i) const {
        return size_ > most && i == ends && e_[axis] > 2 * ends;
    }

    template <class F>
    void walk(std::size_t axis, index_t* at, F& f) const {
        if (axis == rank_) return f(at);
        for (index_t i = 0; i < e_[axis]; ++i) {
            if (skips(axis, i)) i = e_[axis] - ends;
            at[axis] = i;
            walk(axis + 1, at, f);
        }
    }

    void write(std::string& out, std::vector<std::string> const& elements, std::size_t width,
               std::size_t axis, std::size_t& next) const {
        out += '[';
        if (axis + 1 == rank_) {
            write_row(out, elements, width, next);
        } else {
            for (index_t i = 0; i < e_[axis]; ++i) {
                if (i > 0) out += between_rows(axis);
                if (skips(axis, i)) {
                    out += "..." + between_rows(axis);
                    i = e_[axis] - ends;
                }
                write(out, elements, width, axis + 1, next);
            }
        }
        out += ']';
    }

    // Words; one that would reach into the place of the closing brackets begins a line.
    void write_row(std::string& out, std::vector<std::string> const& elements, std::size_t width,
                   std::size_t& next) const {
        std::size_t column = rank_;
        auto const put = [&](std::string const& word) {
            if (column > rank_ && column + 1 + word.size() > line - rank_) {
                out += '\n' + std::string(rank_, ' ');
                column = rank_;
            } else if (column > rank_) {
                out += ' ';
                ++column;
            }
            out += word;
            column += word.size();
        };
        for (index_t i = 0; i < e_[rank_ - 1]; ++i) {
            if (skips(rank_ - 1, i)) {
                put("...");
                i = e_[rank_ - 1] - ends;
            }
            std::string const& t = elements[next++];
            put(std::string(width - t.size(), ' ') + t);
        }
    }

    // A line for each row, an empty one between matrices, two between their batches.
    std::string between_rows(std::size_t axis) const {
        return std::string(rank_ - axis - 1, '\n') + std::string(axis + 1, ' ');
    }

    index_t const* e_;
    std::size_t rank_;
    index_t size_ = 1;
};

template <class T>
std::string text_of_element(T v) {
    if constexpr (std::is_same_v<T, bool>) return v ? "true" : "false";
    else return std::to_string(v);
}

// Integers as text, floating numbers as doubles: what of them differs between tensors ends here.
template <class T>
std::vector<std::string> texts_of(std::vector<T const*> const& elements,
                                  std::ios_base const& stream) {
    if constexpr (is_complex<T>) {
        std::vector<double> real, imag;
        for (T const* v : elements) real.push_back(v->real()), imag.push_back(v->imag());
        return texts_of_complex(real, imag, std::is_same_v<real_of<T>, float>, stream);
    } else if constexpr (std::is_floating_point_v<computed_t<T>>) {
        std::vector<double> values;
        for (T const* v : elements) values.push_back(*v);
        return texts_of_floats(values, !std::is_same_v<T, double>, stream);
    } else {
        std::vector<std::string> texts;
        for (T const* v : elements) texts.push_back(text_of_element(*v));
        return texts;
    }
}

// As one spells it: float, int, index_t, std::uint8_t without std.
template <class T>
std::string name_of_element() {
    if constexpr (std::is_same_v<T, bool>) return "bool";
    else if constexpr (std::is_same_v<T, float>) return "float";
    else if constexpr (std::is_same_v<T, double>) return "double";
    else if constexpr (is_bfloat16<T>) return "bfloat16";
    else if constexpr (std::is_same_v<T, int>) return "int";
    else if constexpr (std::is_same_v<T, index_t>) return "index_t";
    else if constexpr (is_complex<T>) return "std::complex<" + name_of_element<real_of<T>>() + ">";
    else return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T)) + "_t";
}

}  // namespace detail

template <class X>
concept can_be_printed = node<X> || strided_array<X>;

template <can_be_printed X>
std::ostream& operator<<(std::ostream& out, X const& x) {
    if constexpr (node<X>) {
        return out << eval(x);
    } else if constexpr (!element_access_is_possible<typename X::space>) {
        return out << to<Host>(x);
    } else if constexpr (X::rank == 0) {
        if constexpr (std::is_same_v<value_of<X>, bool>) return out << detail::text_of_element(x());
        else return out << +x();  // small integers are numbers, not letters
    } else {
        auto const e = x.extents();
        auto const stride = x.strides();
        std::vector<value_of<X> const*> elements;
        detail::printed const shown(e.value, X::rank);
        shown.for_each([&](index_t const* at) {
            index_t offset = 0;
            for (std::size_t r = 0; r != X::rank; ++r) offset += at[r] * stride[r];
            elements.push_back(x.data() + offset);
        });
        return out << shown.text(detail::texts_of(elements, out)) << "\nTensor<"
                   << detail::name_of_element<value_of<X>>() << ", " << X::rank << "> "
                   << to_string(e);
    }
}

}  // namespace felt::inline FELT_ABI
