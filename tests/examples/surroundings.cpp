// SPDX-License-Identifier: BSD-3-Clause
//
// Disks that are full, and files that change while they are read: one error that names the file,
// old files as they were, nothing else left.
#include "scratch.hpp"
#include <felt/felt.hpp>
#include <felt/npy.hpp>
#include <felt/npz.hpp>
#include <support/idx.hpp>
#include <support/numbers.hpp>
#include <support/picture.hpp>
#include <sys/resource.h>
#include <doctest/doctest.h>
#include <csignal>
#include <thread>

namespace {

// Files of this process end after so many bytes: EFBIG, where a full disk says ENOSPC.
struct small_files {
    rlimit before{};

    explicit small_files(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before);
        rlimit const small{bytes, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~small_files() {
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, SIG_DFL);
    }
    small_files(small_files const&) = delete;
};

// write(file, n) writes some file of n numbers, n = 10 of less than 2,000 bytes; or says why not.
template <class F>
void check_full_disk(char const* why, F const& write) {
    test::scratch_folder const folder;
    std::string const file = (folder / "f").string();
    write(file, 10);
    std::string const old = test::read_bytes(file), message = [&] {
        small_files const limit(2000);
        return test::message_of([&] { write(file, 100000); });
    }();
    CHECK_MESSAGE(test::has(message, "f: "), message);
    CHECK_MESSAGE(test::has(message, why), message);
    CHECK(test::read_bytes(file) == old);
    CHECK(folder.files() == 1);
}

// read(file) while a file is now `whole`, now a part of it, now something else, in place: it
// returns or throws an io_error that names it.
template <class F>
void check_changing_file(std::string const& whole, F const& read) {
    test::scratch_folder const folder;
    std::string const file = (folder / "f").string();
    test::write_bytes(file, whole);
    std::atomic<bool> done = false;
    std::thread other([&] {
        for (std::size_t i = 1; !done; ++i) {
            test::fs::resize_file(file, whole.size() * (i % 7) / 7);
            test::write_bytes(file, i % 2 == 0 ? whole : std::string(whole.size() / 2, 'x'));
        }
    });
    for (int i = 0; i < 300; ++i) {
        std::string const message = test::message_of([&] { read(file); });
        CHECK_MESSAGE((message.empty() || message.starts_with(file)), message);
    }
    done = true;
    other.join();
    test::write_bytes(file, whole);
    CHECK(test::message_of([&] { read(file); }) == "");
}

std::vector<float> numbers(std::size_t n) { return std::vector<float>(n, 0.5f); }

felt::npz archive(std::size_t n) {
    felt::npz a;
    a.put("x", {static_cast<felt::index_t>(n)}, numbers(n));
    return a;
}

}  // namespace

TEST_CASE("a full disk is one error, and the old file stays") {
    check_full_disk("File too large", [](std::string const& file, std::size_t n) {
        support::write_file(file, std::string(4 * n, 'x'));
    });
    check_full_disk("", [](std::string const& file, std::size_t n) {  // libzip's words
        felt::save_npz(file, archive(n));
    });
    check_full_disk("makes 400128 bytes, there are", [](std::string const& file, std::size_t n) {
        felt::save_npy(file, felt::view(numbers(n).data(), {n}));
    });
}

TEST_CASE("a file that changes while it is read is data or one error") {
    std::string idx("\0\0\x08\x01\0\1\0\0", 8);
    idx += std::string(65536, '\5');
    check_changing_file(idx, [](std::string const& file) { (void)support::read_idx(file, 1); });
    std::string table;
    for (int i = 0; i < 10000; ++i) table += "1,2,3\n";
    check_changing_file(table, [](std::string const& file) { (void)support::read_numbers(file); });
    test::scratch_folder const folder;
    felt::save_npz((folder / "a").string(), archive(20000));
    check_changing_file(test::read_bytes(folder / "a"),
                        [](std::string const& file) { (void)felt::load_npz(file); });
    felt::save_npy((folder / "y").string(), felt::view(numbers(20000).data(), {20000}));
    check_changing_file(test::read_bytes(folder / "y"),
                        [](std::string const& file) { (void)felt::load_npy<float, 1>(file); });
    support::write_png(folder / "p", {100, 100, std::vector<std::uint8_t>(10000, 7)});
    check_changing_file(test::read_bytes(folder / "p"),
                        [](std::string const& file) { (void)support::read_png(file); });
}
