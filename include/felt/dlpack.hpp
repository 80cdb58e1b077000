// SPDX-License-Identifier: BSD-3-Clause
//
// DLPack, in which NumPy, PyTorch, JAX and others hand arrays to each other without a copy
// (https://dmlc.github.io/dlpack), in and out:
//
//   auto x = felt::from_dlpack<float, 2>(managed);   takes it over, and lets it go once
//   x = felt::exp(x) + 1.f;                          an operand and a destination, as a view is
//   DLManagedTensor* m = felt::to_dlpack<DLManagedTensor>(std::move(y));
//
// DLManagedTensor and DLManagedTensorVersioned are taken by the names of their members: include
// <dlpack/dlpack.h>, or whatever declares them; this header includes none.
#pragma once
#include <felt/dlpack_types.hpp>
#include <felt/foreign.hpp>
#include <felt/shared_view.hpp>

namespace felt::inline FELT_ABI {

namespace detail {

// Lets a managed tensor go, once. Its producer may have left nothing to be done.
template <class M>
struct dlpack_deleter {
    void operator()(M* m) const {
        if (m->deleter != nullptr) m->deleter(m);
    }
};

// Who has them in C order may leave strides out.
template <std::size_t R, class D>
extents<R> dlpack_strides(D const& d, extents<R> const& e) {
    if (d.strides == nullptr) return RowMajor::strides(e);
    extents<R> stride;
    for (std::size_t r = 0; r != R; ++r) stride[r] = static_cast<index_t>(d.strides[r]);
    return stride;
}

template <class T, std::size_t R, class D>
View<T, R> dlpack_view(D const& d) {
    expect_dlpack_device("from_dlpack", static_cast<int>(d.device.device_type), d.device.device_id);
    expect_dlpack_type({d.dtype.code, d.dtype.bits, d.dtype.lanes},
                       dlpack_type_of<std::remove_const_t<T>>());
    if (d.ndim != static_cast<int>(R)) {
        throw shape_error("from_dlpack: an array of " + std::to_string(d.ndim) + " axes, not " +
                          std::to_string(R));
    }
    extents<R> e;
    for (std::size_t r = 0; r != R; ++r) e[r] = static_cast<index_t>(d.shape[r]);
    auto* const bytes = static_cast<char*>(d.data) + (d.data == nullptr ? 0 : d.byte_offset);
    return checked_view<T, R>("from_dlpack", reinterpret_cast<T*>(bytes), e,
                              dlpack_strides<R>(d, e));
}

}  // namespace detail

// The array that *m describes, with R axes of T, `float const` if it is only read. From here on m
// is the view's, also if this throws: its deleter is called once, by the last who holds the view.
// Throws foreign_error if elements are of another type, lie in another memory than the host's or
// may not be written; shape_error for another number of axes, or if elements that may be written
// are shown twice.
template <class T, std::size_t R, dlpack_managed M>
    requires element<std::remove_const_t<T>>
[[nodiscard]] SharedView<T, R> from_dlpack(M* m) {
    if (m == nullptr) throw foreign_error("from_dlpack: a null pointer");
    std::shared_ptr<M> keep(m, detail::dlpack_deleter<M>{});
    if constexpr (dlpack_has_version<M>) {
        detail::expect_dlpack_version(static_cast<index_t>(m->version.major));
        if (!std::is_const_v<T>) detail::expect_dlpack_writable(m->flags);
    }
    auto const x = detail::dlpack_view<T, R>(m->dl_tensor);
    return {x, std::move(keep)};
}

namespace detail {

// What a managed tensor of ours points to: it lives until its deleter is called.
template <class M, std::size_t R>
struct dlpack_export {
    M managed{};
    std::int64_t shape[extents<R>::stored] = {}, strides[extents<R>::stored] = {};
    std::shared_ptr<void const> keep;

    static void let_go(M* m) { delete static_cast<dlpack_export*>(m->manager_ctx); }
};

template <class T, class D>
void describe_elements(D& d, T* data) {
    dlpack_type const type = dlpack_type_of<std::remove_const_t<T>>();
    d.data = const_cast<std::remove_const_t<T>*>(data);
    d.device.device_type = static_cast<decltype(d.device.device_type)>(dlpack_cpu);
    d.dtype.code = static_cast<decltype(d.dtype.code)>(type.code);
    d.dtype.bits = static_cast<decltype(d.dtype.bits)>(type.bits);
    d.dtype.lanes = 1;
}

}  // namespace detail

// The elements of x as a managed tensor, which keeps them until its deleter is called: whoever
// receives it calls that. Constant elements need the versioned M, which can say that they are.
template <dlpack_managed M, class T, std::size_t R>
    requires dlpack_can_say_constant<M, T>
[[nodiscard]] M* to_dlpack(SharedView<T, R> const& x) {
    auto own = std::make_unique<detail::dlpack_export<M, R>>();
    for (std::size_t r = 0; r != R; ++r) {
        own->shape[r] = x.extent(r);
        own->strides[r] = x.strides()[r];
    }
    M& m = own->managed;
    detail::describe_elements(m.dl_tensor, x.data());
    m.dl_tensor.ndim = static_cast<int>(R);
    m.dl_tensor.shape = own->shape;
    m.dl_tensor.strides = own->strides;
    m.deleter = &detail::dlpack_export<M, R>::let_go;
    if constexpr (dlpack_has_version<M>) {
        m.version.major = detail::dlpack_major;
        m.flags = std::is_const_v<T> ? detail::dlpack_read_only : 0;
    }
    own->keep = x.keep();
    m.manager_ctx = own.get();
    return &own.release()->managed;
}

// The tensor itself, moved in.
template <dlpack_managed M, class T, std::size_t R, class Layout>
[[nodiscard]] M* to_dlpack(Tensor<T, R, Host, Layout>&& x) {
    return to_dlpack<M>(share(std::move(x)));
}
template <dlpack_managed M, strided_array X>
void to_dlpack(X&) = delete;  // who keeps it? std::move(x), or SharedView(view(x), keep)

}  // namespace felt::inline FELT_ABI
