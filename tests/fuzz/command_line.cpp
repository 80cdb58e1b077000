// SPDX-License-Identifier: BSD-3-Clause
//
// Command lines: the words are lines of the file. They are parsed, or said to be wrong with status
// other than 0, and nothing runs.
#include <cnn/options.hpp>
#include <lstm/options.hpp>
#include <resnet/options.hpp>
#include <tests/fuzz/target.hpp>
#include <sstream>

namespace {

// What a program says meanwhile.
struct silence {
    std::ostringstream said;
    std::streambuf *out = std::cout.rdbuf(said.rdbuf()), *err = std::cerr.rdbuf(said.rdbuf());
    silence() = default;
    silence(silence const&) = delete;
    ~silence() { std::cout.rdbuf(out), std::cerr.rdbuf(err); }
};

template <class Command>
auto parsed_by(Command read_command) {
    return [=](std::string_view bytes) {
        std::vector<std::string> words = {"felt"};
        std::istringstream lines{std::string(bytes)};
        for (std::string word; std::getline(lines, word);) words.push_back(word.c_str());
        std::vector<char const*> argv;
        for (std::string const& word : words) argv.push_back(word.c_str());
        silence const quiet;
        auto const status = read_command(static_cast<int>(argv.size()), argv.data()).status;
        if (status && quiet.said.str().empty()) throw std::logic_error("refused without a word");
        return !status;
    };
}

fuzz::files seeds(std::string const& own) {
    return {"--data=d\n--out\no\n-n\n7\n--seed\n9\n--threads=2\n--save\ns.npz\n--force\n-q\n",
            "--space\nhost\n--save-every\n3\n--distributed\nnone\n--check\n--profile\n", own};
}

fuzz::target const cnn_line(
    "cnn_line", [] { return seeds("--network\ntrial\n--batch=5\n--int8\n"); },
    parsed_by(cnn::read_command));
fuzz::target const lstm_line(
    "lstm_line", [] { return seeds("--setting\nwords\n--hidden=5\n--rate\n1e-3\n"); },
    parsed_by(lstm::read_command));
fuzz::target const resnet_line(
    "resnet_line", [] { return seeds("--layers\n20\n--width=4\n--train\n40\n"); },
    parsed_by(resnet::read_command));

}  // namespace
