// SPDX-License-Identifier: BSD-3-Clause
//
// SharedView<T, Rank>: a View that keeps its memory, which others may hold as well. The last of
// them, copies and expressions that it was moved into included, lets it go.
#pragma once
#include <felt/expr/assign.hpp>
#include <memory>

namespace felt::inline FELT_ABI {

// Elements x shows, which are there as long as `keep` is held. Assigning writes elements, as to a
// view, and never exchanges memory.
template <class T, std::size_t Rank>
class SharedView : public View<T, Rank> {
public:
    SharedView(View<T, Rank> const& x, std::shared_ptr<void const> keep)
        : View<T, Rank>(x), keep_(std::move(keep)) {}
    SharedView(SharedView const&) = default;
    SharedView(SharedView&&) = default;

    using View<T, Rank>::operator=;
    SharedView& operator=(SharedView const& other)
        requires elements_are_writable<T>
    {
        View<T, Rank>::operator=(static_cast<View<T, Rank> const&>(other));
        return *this;
    }

    [[nodiscard]] std::shared_ptr<void const> const& keep() const { return keep_; }

private:
    std::shared_ptr<void const> keep_;
};

// The memory of a tensor, shared.
template <class T, std::size_t R, class Layout>
[[nodiscard]] SharedView<T, R> share(Tensor<T, R, Host, Layout>&& x) {
    auto const keep = std::make_shared<Tensor<T, R, Host, Layout>>(std::move(x));
    return {view(*keep), keep};
}

// One that is a temporary enters an expression with what it keeps.
template <class T, std::size_t R>
auto as_node(SharedView<T, R>&& x) {
    using U = std::remove_const_t<T>;
    std::shared_ptr<storage<U, Host> const> keep(x.keep(), nullptr);
    return owned<U, R, Host>{std::move(keep), {x.data(), x.extents(), x.strides()}};
}

}  // namespace felt::inline FELT_ABI
