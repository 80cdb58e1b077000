// SPDX-License-Identifier: BSD-3-Clause
//
// That CMake's project has the same version, a program of tests/install says.
#include <doctest/doctest.h>
#include <felt/core/version.hpp>
#include <string>

namespace {

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
std::string const abi = TEXT(FELT_ABI);

bool has(char const* word) { return abi.find(word) != std::string::npos; }

}  // namespace

TEST_CASE("the version as a text is that of its numbers") {
    CHECK(std::string(FELT_VERSION) == std::to_string(FELT_VERSION_MAJOR) + "." +
                                           std::to_string(FELT_VERSION_MINOR) + "." +
                                           std::to_string(FELT_VERSION_PATCH));
}

TEST_CASE("the namespace is named by version and instructions") {
    std::string const begins =
        "v" + std::to_string(FELT_VERSION_MAJOR) + "_" + std::to_string(FELT_VERSION_MINOR) + "_";
    CHECK(abi.starts_with(begins));
    CHECK(abi.size() > begins.size());
    CHECK(abi.find_first_of(" #(") == std::string::npos);
#if defined(__AVX512F__)
    CHECK(has("avx512"));
#elif defined(__AVX2__)
    CHECK(has("avx2"));
#elif defined(__SSE2__)
    CHECK_FALSE(has("avx2"));
#endif
#if defined(__AVX512BF16__)
    CHECK(has("_bf16"));
#else
    CHECK_FALSE(has("_bf16"));
#endif
}
