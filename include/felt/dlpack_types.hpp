// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of DLPack's binary interface, and what is said of those that do not fit. They are the
// same in every version: 0.x in DLManagedTensor, 1.x in DLManagedTensorVersioned as well.
#pragma once
#include <felt/foreign.hpp>
#include <string>

namespace felt::inline FELT_ABI {

// DLManagedTensor, or DLManagedTensorVersioned.
template <class M>
concept dlpack_managed = requires(M& m) {
    m.dl_tensor.data;
    m.dl_tensor.device.device_type;
    m.dl_tensor.dtype.lanes;
    m.dl_tensor.byte_offset;
    m.manager_ctx;
    m.deleter(&m);
};

// The versioned one.
template <class M>
concept dlpack_has_version = requires(M& m) {
    m.version.major;
    m.flags;
};
template <class M, class T>
concept dlpack_can_say_constant = !std::is_const_v<T> || dlpack_has_version<M>;

namespace detail {

inline constexpr int dlpack_cpu = 1;
inline constexpr unsigned dlpack_major = 1, dlpack_read_only = 1;

// A number of `bits` by its code, or `lanes` of them side by side.
struct dlpack_type {
    int code, bits, lanes;
    bool operator==(dlpack_type const&) const = default;
};

template <class T>
constexpr dlpack_type dlpack_type_of() {
    int const code = std::is_same_v<T, bool>       ? 6
                     : is_complex<T>               ? 5
                     : is_bfloat16<T>              ? 4
                     : std::is_floating_point_v<T> ? 2
                     : std::is_unsigned_v<T>       ? 1
                                                   : 0;
    return {code, static_cast<int>(8 * sizeof(T)), 1};
}

// "float32", "int8 in 4 lanes"
inline std::string dlpack_name(dlpack_type t) {
    char const* const names[] = {"int", "uint", "float", "handle", "bfloat", "complex", "bool"};
    std::string text = t.code < 7 ? names[t.code] : "type " + std::to_string(t.code) + " of ";
    if (t.code != 6 || t.bits != 8) text += std::to_string(t.bits);
    return t.lanes == 1 ? text : text + " in " + std::to_string(t.lanes) + " lanes";
}

inline void expect_dlpack_type(dlpack_type have, dlpack_type want) {
    if (have == want) return;
    throw foreign_error("from_dlpack: elements are " + dlpack_name(have) + ", not " +
                        dlpack_name(want));
}

// The host's: also what it shares with a device, pinned or managed.
inline void expect_dlpack_device(char const* function, int type, int id) {
    char const* const names[] = {"none",   "cpu",       "cuda",    "cuda_host",    "opencl",
                                 "5",      "6",         "vulkan",  "metal",        "vpi",
                                 "rocm",   "rocm_host", "ext_dev", "cuda_managed", "oneapi",
                                 "webgpu", "hexagon",   "maia",    "trainium"};
    if (type == dlpack_cpu || type == 3 || type == 11 || type == 13) return;
    std::string const name =
        type >= 0 && type < 19 ? names[type] : "device type " + std::to_string(type);
    throw foreign_error(std::string(function) + ": elements lie on " + name + ":" +
                        std::to_string(id) + ", not in the host's memory");
}

inline void expect_dlpack_version(index_t major) {
    if (major == dlpack_major) return;
    throw foreign_error("from_dlpack: DLPack " + std::to_string(major) +
                        ".x, of which only 1.x is known");
}

template <class F>
void expect_dlpack_writable(F flags) {
    if ((flags & dlpack_read_only) == 0) return;
    throw foreign_error("from_dlpack: the array may only be read: ask for const elements");
}

}  // namespace detail
}  // namespace felt::inline FELT_ABI
