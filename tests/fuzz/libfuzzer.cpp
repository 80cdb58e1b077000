// SPDX-License-Identifier: BSD-3-Clause
//
// felt_fuzz NAME [ARGUMENTS OF LIBFUZZER]: libFuzzer feeds the reader NAME.
#include <tests/fuzz/target.hpp>
#include <cstdint>

namespace {
fuzz::target const* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    chosen = &fuzz::target::find(*argc > 1 ? (*argv)[1] : "");
    (*argv)[1] = (*argv)[0];
    ++*argv, --*argc;
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    chosen->feed({reinterpret_cast<char const*>(data), size});
    return 0;
}
