// SPDX-License-Identifier: BSD-3-Clause
//
// felt_fuzz_seeds [NAME] feeds all readers, or NAME, with their seeds, all of which they have to
// read, and with the same 2,000 cut and changed ones in every run. felt_fuzz_seeds NAME DIR writes
// the seeds.
#include <tests/fuzz/target.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <new>
#include <random>

namespace {
std::size_t largest = 0;  // bytes that were asked for at once

// Deflated bytes are up to 1032 times as many, and a byte up to eight pixels of three bytes;
// readers ask for at least a part of 1 MiB.
std::size_t justified(std::size_t bytes) { return (std::size_t{4} << 20) + 32768 * bytes; }
}  // namespace

void* operator new(std::size_t n) {
    largest = std::max(largest, n);
    if (void* const p = std::malloc(n)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

bool fed(fuzz::target const& t, std::string const& bytes) {
    largest = 0;
    bool const is_read = t.feed(bytes);
    if (largest > justified(bytes.size()))
        throw std::logic_error(std::to_string(largest) + " bytes of memory at once for a file of " +
                               std::to_string(bytes.size()));
    return is_read;
}

// Cut at some byte, or up to four bytes changed: one bit, or to a value that is often special.
std::string damaged(std::string bytes, std::mt19937_64& random) {
    auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    if (bytes.empty()) return bytes;
    if (below(4) == 0) return bytes.substr(0, below(bytes.size()));
    for (std::size_t n = 1 + below(4); n > 0; --n) {
        char& c = bytes[below(bytes.size())];
        static constexpr char special[] = {0, 1, 127, -128, -1, ' ', '\n', '9'};
        c = below(2) == 0 ? static_cast<char>(c ^ (1 << below(8))) : special[below(8)];
    }
    return bytes;
}

std::string escaped(std::string const& bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (char c : bytes) {
        auto const b = static_cast<unsigned char>(c);
        (text += "\\x") += digits[b / 16];
        text += digits[b % 16];
    }
    return text;
}

int run(fuzz::target const& t) {
    auto const seeds = t.seeds();
    std::mt19937_64 random(1);
    int const count = 2000;
    int read = 0;
    std::string input;
    try {
        for (std::string const& seed : seeds)
            if (input = seed; !fed(t, input)) throw std::logic_error("a seed is refused");
        for (int i = 0; i < count; ++i) {
            input = damaged(seeds[static_cast<std::size_t>(i) % seeds.size()], random);
            read += fed(t, input);
        }
    } catch (std::exception const& e) {
        std::cerr << t.name << ": " << e.what() << "\nprintf '" << escaped(input) << "'\n";
        return 1;
    }
    std::cout << t.name << ": " << seeds.size() << " seeds; of " << count << " damaged ones "
              << read << " were read, " << count - read << " refused\n";
    return 0;
}

void write_seeds(fuzz::target const& t, std::filesystem::path const& folder) {
    std::filesystem::create_directories(folder);
    auto const seeds = t.seeds();
    for (std::size_t i = 0; i < seeds.size(); ++i)
        std::ofstream(folder / std::to_string(i), std::ios::binary) << seeds[i];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        int status = 0;
        for (auto const* each : fuzz::target::all()) status |= run(*each);
        return status;
    }
    auto const& t = fuzz::target::find(argv[1]);
    return argc > 2 ? write_seeds(t, argv[2]), 0 : run(t);
}
