// SPDX-License-Identifier: BSD-3-Clause
//
// What Felt throws. Every message names the operation and the shapes, or the file and the byte.
#pragma once
#include <felt/core/version.hpp>
#include <stdexcept>
#include <string>

namespace felt::inline FELT_ABI {

// The base of every exception that Felt throws itself.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Extents, axes or indices that do not fit together: "matmul: (2, 3) by (4, 5): 3 is not 4".
struct shape_error : error {
    using error::error;
};

// A file that is missing, damaged or not writable; names the file and the byte or entry.
struct io_error : error {
    using error::error;
};

// A failure of the device or its runtime; names the operation.
struct device_error : error {
    using error::error;
};

}  // namespace felt::inline FELT_ABI
