// SPDX-License-Identifier: BSD-3-Clause
//
// Python's DLPack capsules in and out of felt/dlpack.hpp, for check.py: a capsule named dltensor
// holds a DLManagedTensor until somebody takes it.
#include <felt/dlpack.hpp>
#include <felt/felt.hpp>
#include <nanobind/nanobind.h>
#include <tests/support/plain_dlpack.hpp>

namespace nb = nanobind;
using test::DLManagedTensor;

namespace {

DLManagedTensor* take(nb::handle capsule) {
    void* const m = PyCapsule_GetPointer(capsule.ptr(), "dltensor");
    if (m == nullptr) throw nb::python_error();
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");
    return static_cast<DLManagedTensor*>(m);
}

// x *= 2, and its address.
std::uintptr_t twice(nb::handle capsule) {
    auto x = felt::from_dlpack<float, 2>(take(capsule));
    x *= 2.f;
    return reinterpret_cast<std::uintptr_t>(x.data());
}
double total(nb::handle capsule) {
    return felt::sum(felt::from_dlpack<double const, 2>(take(capsule)));
}

// 0 1 2 / 3 4 5, which numpy.from_dlpack and torch.from_dlpack take.
struct producer {
    nb::object capsule() const {
        felt::Tensor<float, 2> y({2, 3});
        y = felt::iota<float>({2, 3});
        auto* const m = felt::to_dlpack<DLManagedTensor>(std::move(y));
        return nb::steal(PyCapsule_New(m, "dltensor", [](PyObject* unused) {
            if (PyCapsule_IsValid(unused, "dltensor") == 0) return;
            auto* const own =
                static_cast<DLManagedTensor*>(PyCapsule_GetPointer(unused, "dltensor"));
            own->deleter(own);
        }));
    }
};

}  // namespace

NB_MODULE(felt_capsules, m) {
    m.def("twice", &twice);
    m.def("total", &total);
    m.def("allocated", [] { return felt::allocations().tensors; });
    nb::class_<producer>(m, "Producer")
        .def(nb::init<>())
        .def("__dlpack__", [](producer const& p, nb::kwargs const&) { return p.capsule(); })
        .def("__dlpack_device__", [](producer const&) { return nb::make_tuple(1, 0); });
}
