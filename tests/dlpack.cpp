// SPDX-License-Identifier: BSD-3-Clause
//
// DLPack in and out, by its own header where that is found, and by structures like its own; memory
// is let go once, whatever happens.
#include <felt/dlpack.hpp>
#include <doctest/doctest.h>
#include <felt/felt.hpp>
#include <tests/support/plain_dlpack.hpp>
#include <cstring>
#include <vector>
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#define FELT_DLPACK , DLManagedTensor
#else
#define FELT_DLPACK
#endif
#ifdef DLPACK_MAJOR_VERSION
#define FELT_DLPACK_1 , DLManagedTensorVersioned
#else
#define FELT_DLPACK_1
#endif
// clang-format off
#define FELT_EVERY_KIND test::DLManagedTensor, test::DLManagedTensorVersioned FELT_DLPACK FELT_DLPACK_1
#define FELT_VERSIONED test::DLManagedTensorVersioned FELT_DLPACK_1
// clang-format on

namespace {

using felt::SharedView, felt::Tensor;

// Somebody's array of 2 x 3 floats, which counts how often it was let go.
template <class M>
struct producer {
    float elements[6] = {1, 2, 3, 4, 5, 6};
    std::int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
    int let_go = 0;
    M m{};

    producer() {
        m.dl_tensor.data = elements;
        m.dl_tensor.device.device_type = static_cast<decltype(m.dl_tensor.device.device_type)>(1);
        m.dl_tensor.ndim = 2;
        m.dl_tensor.dtype.code = 2;
        m.dl_tensor.dtype.bits = 32;
        m.dl_tensor.dtype.lanes = 1;
        m.dl_tensor.shape = shape;
        m.dl_tensor.strides = strides;
        m.manager_ctx = this;
        m.deleter = [](M* self) { ++static_cast<producer*>(self->manager_ctx)->let_go; };
        if constexpr (felt::dlpack_has_version<M>) m.version.major = 1;
    }
};

// What from_dlpack<T, R> says of it; the array was let go all the same.
template <class T, std::size_t R, class M>
std::string refusal(producer<M>& p) {
    int const before = p.let_go;
    std::string message = "taken";
    try {
        (void)felt::from_dlpack<T, R>(&p.m);
    } catch (felt::error const& e) {
        message = e.what();
    }
    return p.let_go == before + 1 ? message : "not let go once: " + message;
}

template <class M, class X>
concept goes_out = requires(X&& x) { felt::to_dlpack<M>(std::forward<X>(x)); };

template <class M>
void let_go(M* m) {
    m->deleter(m);
}

}  // namespace

TEST_CASE_TEMPLATE("an array comes in without a copy, and is let go once by the last", M,
                   FELT_EVERY_KIND) {
    producer<M> p;
    {
        auto x = felt::from_dlpack<float, 2>(&p.m);
        CHECK(x.data() == p.elements);
        auto const e = felt::from_dlpack<float, 2>(&p.m) * 1.f;  // a consumer of its own
        {
            auto const copy = x;
            x += copy;
        }
        CHECK(p.let_go == 0);
        CHECK(p.elements[5] == 12);
        CHECK(felt::eval(e)(0, 0) == 2);
    }
    CHECK(p.let_go == 2);
    p.m.deleter = nullptr;
    CHECK(felt::from_dlpack<float const, 2>(&p.m)(0, 1) == 4);
}

TEST_CASE_TEMPLATE("strides, offsets and no strides are understood", M, FELT_EVERY_KIND) {
    producer<M> p;
    p.m.dl_tensor.strides = nullptr;
    CHECK(felt::from_dlpack<float, 2>(&p.m).strides() == felt::extents<2>{{3, 1}});
    p.m.dl_tensor.strides = p.strides;
    p.m.dl_tensor.byte_offset = 2 * sizeof(float);
    p.strides[1] = -1;
    auto const back = felt::from_dlpack<float, 2>(&p.m);
    CHECK(back(0, 0) == 3);
    CHECK(back(1, 2) == 4);
    p.strides[0] = 0;
    CHECK(float(felt::sum(felt::from_dlpack<float const, 2>(&p.m))) == 12);
    CHECK(refusal<float, 2>(p) ==
          "from_dlpack: strides (0, -1) of (2, 3) show an element twice: read it as const");
    p.shape[0] = 0;
    p.m.dl_tensor.data = nullptr;
    CHECK(felt::from_dlpack<float, 2>(&p.m).extents() == felt::extents<2>{{0, 3}});
    p.m.dl_tensor.ndim = 0;
    p.m.dl_tensor.shape = nullptr;
    p.m.dl_tensor.data = p.elements;
    CHECK(felt::from_dlpack<float, 0>(&p.m)() == 3);
}

TEST_CASE_TEMPLATE("what does not fit is named, and let go", M, FELT_EVERY_KIND) {
    producer<M> p;
    CHECK(refusal<double, 2>(p) == "from_dlpack: elements are float32, not float64");
    CHECK(refusal<felt::bfloat16, 2>(p) == "from_dlpack: elements are float32, not bfloat16");
    CHECK(refusal<bool, 2>(p) == "from_dlpack: elements are float32, not bool");
    CHECK(refusal<float, 3>(p) == "from_dlpack: an array of 2 axes, not 3");
    p.m.dl_tensor.dtype.lanes = 4;
    CHECK(refusal<float, 2>(p) == "from_dlpack: elements are float32 in 4 lanes, not float32");
    p.m.dl_tensor.dtype = {12, 8, 1};
    CHECK(refusal<std::uint8_t, 2>(p) == "from_dlpack: elements are type 12 of 8, not uint8");
    p.m.dl_tensor.dtype = {2, 32, 1};
    p.m.dl_tensor.device.device_type = static_cast<decltype(p.m.dl_tensor.device.device_type)>(2);
    p.m.dl_tensor.device.device_id = 1;
    CHECK(refusal<float, 2>(p) == "from_dlpack: elements lie on cuda:1, not in the host's memory");
    p.m.dl_tensor.device.device_type = static_cast<decltype(p.m.dl_tensor.device.device_type)>(13);
    CHECK(refusal<float, 2>(p) == "taken");
    p.m.dl_tensor.byte_offset = 1;
    CHECK(refusal<float, 2>(p) == "from_dlpack: elements are not aligned to 4 bytes");
    p.shape[1] = -3;
    CHECK(refusal<float, 2>(p) == "from_dlpack: negative extent in (2, -3)");
    M* const none = nullptr;
    CHECK_THROWS_WITH_AS((void)(felt::from_dlpack<float, 2>(none)), "from_dlpack: a null pointer",
                         felt::foreign_error);
}

TEST_CASE_TEMPLATE("versions are checked, and what may only be read is read only", M,
                   FELT_VERSIONED) {
    producer<M> p;
    p.m.flags = 1;
    CHECK(refusal<float, 2>(p) ==
          "from_dlpack: the array may only be read: ask for const elements");
    CHECK(refusal<float const, 2>(p) == "taken");
    p.m.version.major = 2;
    CHECK(refusal<float const, 2>(p) == "from_dlpack: DLPack 2.x, of which only 1.x is known");
    float const constant[2] = {1, 2};
    auto const keep = std::make_shared<int>();
    SharedView<float const, 1> const x(felt::view(constant, {2}), keep);
    M* const m = felt::to_dlpack<M>(x);
    CHECK(m->flags == 1);
    CHECK(m->version.major == 1);
    CHECK_THROWS_AS((void)(felt::from_dlpack<float, 1>(m)), felt::foreign_error);
    CHECK(keep.use_count() == 2);  // ours, and x's: it was let go
    static_assert(!felt::dlpack_can_say_constant<test::DLManagedTensor, float const>);
}

TEST_CASE_TEMPLATE("a tensor goes out without a copy, and lives until it is let go", M,
                   FELT_EVERY_KIND) {
    Tensor<double, 2, felt::Host, felt::ColMajor> y({2, 3});
    y = Tensor<double, 2>::of({{1, 2, 3}, {4, 5, 6}});
    double const* const at = y.data();
    M* const m = felt::to_dlpack<M>(std::move(y));
    CHECK(m->dl_tensor.data == at);
    CHECK(m->dl_tensor.strides[1] == 2);
    CHECK(m->dl_tensor.dtype.bits == 64);
    static_assert(!goes_out<M, Tensor<double, 2>&> && goes_out<M, Tensor<double, 2>>);
    auto const x = felt::from_dlpack<double, 2>(m);  // and home again
    CHECK(x.data() == at);
    CHECK(x(1, 0) == 4);
    CHECK(float(felt::sum(felt::cast<float>(x))) == 21);
}

TEST_CASE_TEMPLATE("a view goes out with what keeps its memory", M, FELT_EVERY_KIND) {
    auto const memory = std::make_shared<std::vector<std::int8_t>>(6, std::int8_t{7});
    auto const all = felt::view(memory->data(), {2, 3});
    M* const m = felt::to_dlpack<M>(SharedView<std::int8_t, 2>(felt::flip<1>(all), memory));
    CHECK(memory.use_count() == 2);
    CHECK(m->dl_tensor.data == memory->data() + 2);
    CHECK(m->dl_tensor.strides[1] == -1);
    CHECK(m->dl_tensor.dtype.code == 0);
    let_go(m);
    CHECK(memory.use_count() == 1);
}

TEST_CASE("every type of elements has its name, and comes back as it went") {
    auto const back = []<class T>(T value) {
        Tensor<T, 1> x({1});
        x(0) = value;
        auto* const m = felt::to_dlpack<test::DLManagedTensor>(std::move(x));
        return felt::from_dlpack<T const, 1>(m)(0) == value;
    };
    CHECK((back(true) && back(1.5f) && back(1.5) && back(std::complex<float>(1, 2))));
    CHECK((back(std::int8_t{-1}) && back(std::uint16_t{9}) && back(-1) && back(std::uint64_t{9})));
    CHECK(felt::detail::dlpack_name(felt::detail::dlpack_type_of<std::complex<double>>()) ==
          "complex128");
    CHECK(felt::detail::dlpack_name(felt::detail::dlpack_type_of<felt::bfloat16>()) == "bfloat16");
}

#if __has_include(<dlpack/dlpack.h>)
TEST_CASE("the numbers are those of the header") {
    using felt::detail::dlpack_type_of;
    CHECK(felt::detail::dlpack_cpu == kDLCPU);
    CHECK(dlpack_type_of<int>().code == kDLInt);
    CHECK(dlpack_type_of<std::uint8_t>().code == kDLUInt);
    CHECK(dlpack_type_of<double>().code == kDLFloat);
    CHECK(dlpack_type_of<felt::bfloat16>().code == kDLBfloat);
    CHECK(dlpack_type_of<std::complex<float>>().code == kDLComplex);
#ifdef DLPACK_MAJOR_VERSION
    CHECK(dlpack_type_of<bool>().code == kDLBool);
    CHECK(felt::detail::dlpack_read_only == DLPACK_FLAG_BITMASK_READ_ONLY);
    CHECK(felt::detail::dlpack_major == DLPACK_MAJOR_VERSION);
#endif
    CHECK(sizeof(test::DLManagedTensor) == sizeof(DLManagedTensor));
    CHECK(offsetof(test::DLTensor, byte_offset) == offsetof(DLTensor, byte_offset));
}
#endif

TEST_CASE("what the page on other libraries shows") {
    using test::DLManagedTensor;
    producer<DLManagedTensor> p;
    DLManagedTensor* const managed = &p.m;
    //[dlpack]
    auto x = felt::from_dlpack<float, 2>(managed);  // x holds the memory, and so do its copies
    x = felt::exp(x) - 1.f;                         // written where it lies
    felt::Tensor<float, 2> y = x * 2.f;
    auto* const out = felt::to_dlpack<DLManagedTensor>(std::move(y));  // for who calls its deleter
    //[dlpack]
    CHECK(p.elements[0] == doctest::Approx(1.7182818));
    CHECK(static_cast<float const*>(out->dl_tensor.data)[0] == doctest::Approx(2 * 1.7182818));
    let_go(out);
}
