// SPDX-License-Identifier: BSD-3-Clause
//
// Readers that break the rules, each in a way of its own: the check of readers has to find them.
#include <tests/fuzz/target.hpp>

namespace {

fuzz::files seeds() { return {"4 bytes"}; }

std::string first_line(std::string const& file) {
    std::ifstream in(file, std::ios::binary);
    std::string line;
    std::getline(in, line);
    return line;
}

fuzz::target const trusts("trusts", seeds, fuzz::file([](std::string const& file) {
                              auto const line = first_line(file);
                              std::size_t const all = line[0] == '4' ? 4 : std::size_t{1} << 28;
                              std::vector<char> const memory(all);
                              if (line != "4 bytes") throw felt::io_error(file + ": other bytes");
                          }));
fuzz::target const nameless("nameless", seeds, fuzz::file([](std::string const& file) {
                                if (first_line(file) != "4 bytes")
                                    throw felt::io_error("other bytes");
                            }));
fuzz::target const foreign("foreign", seeds, fuzz::file([](std::string const& file) {
                               (void)std::stoi(first_line(file));
                           }));
fuzz::target const refuses("refuses", seeds, fuzz::file([](std::string const& file) {
                               throw felt::io_error(file + ": whatever it is");
                           }));

}  // namespace
