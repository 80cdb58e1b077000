// SPDX-License-Identifier: BSD-3-Clause
//
// The parameters of a network by name. They lie one behind another in one vector, as optimisers
// and gradient buckets want them, in the order in which they are added:
//
//   felt::parameter_list list;
//   auto const w = list.add<felt::ChannelsLast>("conv1.weight", {64, 3, 7, 7});
//   felt::Tensor<float, 1> theta({list.size()});
//   w.in(theta)                  // a view of the part, (64, 3, 7, 7), in that layout
//   list.put(file, theta);       // into an npz by name, row-major; list.get(file, theta) back
#pragma once
#include <felt/felt.hpp>
#include <felt/npz_arrays.hpp>
#include <string>
#include <vector>

namespace felt::inline FELT_ABI {

// Where a parameter lies in the vector of all.
template <std::size_t R, class Layout = RowMajor>
struct parameter {
    index_t offset = 0;
    extents<R> e;

    template <class T, class Space>
    View<T const, R, Space> in(Tensor<T, 1, Space> const& all) const {
        return view<Layout, Space>(all.data() + offset, e);
    }
    template <class T, class Space>
    View<T, R, Space> in(Tensor<T, 1, Space>& all) const {
        return view<Layout, Space>(all.data() + offset, e);
    }
};

class parameter_list {
public:
    // Of any rank up to 4.
    struct entry {
        std::string name;
        index_t offset, size;
        std::vector<index_t> extents, strides;
    };

    template <class Layout = RowMajor, std::size_t R>
    parameter<R, Layout> add(std::string name, extent_arg const (&e)[R]) {
        return add<Layout>(std::move(name), make_extents(e));
    }
    template <class Layout = RowMajor, std::size_t R>
    parameter<R, Layout> add(std::string name, extents<R> const& e) {
        parameter<R, Layout> const p{size_, e};
        auto const strides = Layout::strides(p.e);
        entries_.push_back({std::move(name),
                            size_,
                            p.e.size(),
                            {p.e.begin(), p.e.end()},
                            {strides.begin(), strides.end()}});
        size_ += span_size<Layout>(p.e);
        return p;
    }

    index_t size() const { return size_; }  // elements of all
    std::vector<entry> const& entries() const { return entries_; }

    // Copies of the parameters in `all`, each under its name.
    template <npz_element T>
    void put(npz& file, Tensor<T, 1> const& all) const {
        check(all.size());
        for (entry const& of : entries_) {
            std::vector<T> values(static_cast<std::size_t>(of.size));
            each(of, [&](std::size_t i, index_t at) { values[i] = all.data()[at]; });
            file.put(of.name, of.extents, values);
        }
    }

    // Throws io_error that names the file and the parameter that it lacks, or that has other
    // extents; then `all` is as it was. (o, c, h, w) may lie there as (o, c h w).
    template <npz_element T>
    void get(npz const& file, Tensor<T, 1>& all) const {
        check(all.size());
        for (entry const& of : entries_) {
            file.values<T>(of.name);
            npz_array const& a = file.array(of.name);
            if (a.extents == of.extents || are_rows(a.extents, of)) continue;
            throw io_error(file.file + ": array '" + of.name + "' is " +
                           detail::npz_shape(a.extents) + ", not " + detail::npz_shape(of.extents));
        }
        for (entry const& of : entries_) {
            std::vector<T> const& values = file.values<T>(of.name);
            each(of, [&](std::size_t i, index_t at) { all.data()[at] = values[i]; });
        }
    }

private:
    static bool are_rows(std::vector<index_t> const& e, entry const& of) {
        return e.size() == 2 && of.extents.size() > 2 && e[0] == of.extents[0] &&
               e[0] * e[1] == of.size;
    }
    // f(i, place in the vector of all) for element i in row-major order.
    template <class F>
    static void each(entry const& of, F&& f) {
        extents<4> e{{1, 1, 1, 1}}, strides;
        std::size_t const missing = 4 - of.extents.size();
        for (std::size_t r = 0; r < of.extents.size(); ++r) {
            e[missing + r] = of.extents[r];
            strides[missing + r] = of.strides[r];
        }
        detail::for_each_offset(e, strides,
                                [&](std::size_t i, index_t at) { f(i, of.offset + at); });
    }

    void check(index_t n) const {
        if (n == size_) return;
        throw shape_error("parameter_list: a vector of " + std::to_string(n) +
                          " elements for parameters of " + std::to_string(size_));
    }

    std::vector<entry> entries_;
    index_t size_ = 0;
};

}  // namespace felt::inline FELT_ABI
