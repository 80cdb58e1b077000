// SPDX-License-Identifier: BSD-3-Clause
//
// Statements as functions of Python, over NumPy's arrays and PyTorch's CPU tensors where they lie.
#include <felt/felt.hpp>
#include <felt/python.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

//[layer]
namespace nb = nanobind;
using namespace nb::literals;

template <class T, std::size_t R>
using array = nb::ndarray<T, nb::ndim<R>, nb::device::cpu>;

// y = sigmoid(w x + b): y is Python's, and is written where it lies.
void layer(array<float const, 2> const& w, array<float const, 2> const& x,
           array<float const, 1> const& b, array<float, 2> const& y) {
    auto const bias = felt::expand_dims<1>(b);
    felt::fuse(felt::assign(y, felt::sigmoid(felt::matmul(w, x) + bias)));
}
//[layer]

// A result of Felt's is Python's from then on, and is not copied either.
template <class T>
auto to_numpy(felt::Tensor<T, 2> y) {
    auto* const own = new felt::Tensor<T, 2>(std::move(y));
    nb::capsule const keep(own,
                           [](void* p) noexcept { delete static_cast<felt::Tensor<T, 2>*>(p); });
    std::size_t const shape[] = {std::size_t(own->extent(0)), std::size_t(own->extent(1))};
    return nb::ndarray<nb::numpy, T, nb::ndim<2>>(own->data(), 2, shape, keep);
}

//[module]
NB_MODULE(felt_example, m) {
    nb::exception<felt::error>(m, "Error", PyExc_ValueError);
    // noconvert(): an array of another type is refused, and no copy of it is read or written.
    m.def("layer", &layer, "w"_a.noconvert(), "x"_a.noconvert(), "b"_a.noconvert(),
          "y"_a.noconvert(), nb::call_guard<nb::gil_scoped_release>());
    m.def(
        "softmax",
        [](array<float const, 2> const& x) { return to_numpy<float>(felt::softmax<1>(x)); },
        "x"_a.noconvert());
}
//[module]
