// SPDX-License-Identifier: BSD-3-Clause
//
// The sizes of caches that plans count with: as numbers, as the system says, and as nobody could.
#include <doctest/doctest.h>
#include <felt/plan/caches.hpp>
#include <filesystem>
#include <fstream>

using namespace felt::planning;

TEST_CASE("sizes are those of constants.hpp unless they are said") {
    CHECK(caches_of(nullptr) == cache_sizes{});
    CHECK(caches_of("") == cache_sizes{});
    CHECK(caches_of("48K,2M,16M") == cache_sizes{48 * 1024., 2048 * 1024., 16384 * 1024.});
    CHECK(caches_of("32768,1.5M,1G") == cache_sizes{32768, 1536 * 1024., 1024 * 1024 * 1024.});
}

TEST_CASE("what is no size is refused by name") {
    for (char const* text :
         {"48K", "48K,2M", "48K,2M,16M,1G", "48K;2M;16M", "-1,2M,16M", "0,1,2", "2M,48K,16M",
          "48K,16M,2M", "much", "48Q,2M,16M", "48K,,16M", "48K,2M,16Mx", "nan,nan,nan"}) {
        CAPTURE(text);
        CHECK_THROWS_WITH_AS(caches_of(text), doctest::Contains("FELT_CACHES"), felt::error);
        CHECK_THROWS_WITH_AS(caches_of(text), doctest::Contains(text), felt::error);
    }
}

TEST_CASE("what the system says of its caches is read, and who shares the last one") {
    CHECK(detail::processors_in("0") == 1);
    CHECK(detail::processors_in("0-3,8,10-11") == 7);
    CHECK(detail::processors_in("") == 1);
    namespace fs = std::filesystem;
    fs::path const folder = fs::temp_directory_path() / "felt_caches";
    auto const write = [&](int index, char const* level, char const* type, char const* size,
                           char const* shared) {
        fs::path const at = folder / ("index" + std::to_string(index));
        fs::create_directories(at);
        std::ofstream(at / "level") << level << '\n';
        std::ofstream(at / "type") << type << '\n';
        std::ofstream(at / "size") << size << '\n';
        std::ofstream(at / "shared_cpu_list") << shared << '\n';
    };
    write(0, "1", "Data", "48K", "0");
    write(1, "1", "Instruction", "64K", "0");
    write(2, "2", "Unified", "2048K", "0");
    write(3, "3", "Unified", "32M", "0-3");
    cache_sizes const read = detail::sizes_in_folder(folder.string());
    fs::remove_all(folder);
    CHECK(read == cache_sizes{48 * 1024., 2048 * 1024., 8192 * 1024.});
    CHECK(detail::sizes_in_folder(folder.string()) == cache_sizes{});
    cache_sizes const here = caches_of("system");
    CHECK(here.first > 0);
    CHECK(here.second >= here.first);
    CHECK(here.last >= here.second);
}
