// SPDX-License-Identifier: BSD-3-Clause
//
// Texts as numbers: a text is a sequence of tokens (words, or characters), and a vocabulary
// numbers them by how often they occur. Every line ends with a token of its own.
#pragma once
#include <support/data.hpp>
#include <support/random.hpp>
#include <algorithm>
#include <unordered_map>

namespace lstm {

using tokens = std::vector<std::string>;

struct texts {
    std::string train, test, source;
};

// Words are parted by white space. What some texts have around their lines, as the Penn Treebank's
// </s>, says no more than the end of the line does.
inline tokens words_of(std::string const& text) {
    tokens list;
    std::string word;
    auto const take = [&] {
        if (!word.empty() && word != "<s>" && word != "</s>") list.push_back(word);
        word.clear();
    };
    for (char c : text) {
        bool const space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!space) word += c;
        else take();
        if (c == '\n') list.push_back("<eos>");
    }
    take();
    return list;
}

inline tokens characters_of(std::string const& text) {
    tokens list;
    for (char c : text) list.emplace_back(1, c);
    return list;
}

class vocabulary {
public:
    static constexpr char const* unknown = "<unk>";

    // The most frequent token is 0; of equally frequent ones the first to occur comes first.
    explicit vocabulary(tokens const& text) {
        std::unordered_map<std::string, std::size_t> place;
        std::vector<std::size_t> times;
        for (std::string const& t : text) {
            auto const [at, fresh] = place.try_emplace(t, names_.size());
            if (fresh) names_.push_back(t), times.push_back(0);
            ++times[at->second];
        }
        if (place.try_emplace(unknown, names_.size()).second) {
            names_.emplace_back(unknown), times.push_back(0);
        }
        std::vector<std::size_t> order(names_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return times[a] != times[b] ? times[a] > times[b] : a < b;
        });
        tokens sorted;
        for (std::size_t i : order) sorted.push_back(names_[i]);
        names_ = std::move(sorted);
        for (std::size_t i = 0; i < names_.size(); ++i) number_[names_[i]] = static_cast<int>(i);
    }

    std::size_t size() const { return names_.size(); }
    std::string const& name(std::size_t i) const { return names_[i]; }

    // Tokens that the vocabulary lacks are <unk>.
    std::vector<int> numbers(tokens const& text) const {
        std::vector<int> list;
        for (std::string const& t : text) {
            auto const at = number_.find(t);
            list.push_back(at == number_.end() ? number_.at(unknown) : at->second);
        }
        return list;
    }

private:
    tokens names_;
    std::unordered_map<std::string, int> number_;
};

// Sentences of a small grammar, as many as fill about `size` characters.
inline std::string made_up(std::size_t size, std::uint64_t seed) {
    static constexpr char const* nouns[] = {"fox", "river", "child", "wheel", "stone", "bird"};
    static constexpr char const* adjectives[] = {"red", "old", "quiet", "small", "bright"};
    static constexpr char const* verbs[] = {"sees", "follows", "carries", "turns", "finds"};
    static constexpr char const* places[] = {"in the wood", "at night", "behind the house"};
    auto r = support::stream_of(seed, 77);
    auto const pick = [&](auto const& list) { return std::string(list[r.below(std::size(list))]); };
    auto const thing = [&] {
        std::string name = r.uniform() < 0.5 ? "the " : "a ";
        if (r.uniform() < 0.5) name.append(pick(adjectives)).append(" ");
        return name.append(pick(nouns));
    };
    std::string text;
    while (text.size() < size) {
        text.append(thing()).append(" ").append(pick(verbs)).append(" ").append(thing());
        if (r.uniform() < 0.4) text.append(" ").append(pick(places));
        text += '\n';
    }
    return text;
}

inline std::string read_text(support::fs::path const& file) {
    auto const bytes = support::read_file(file);
    if (bytes.empty()) throw felt::io_error(file.string() + ": is empty");
    return {bytes.begin(), bytes.end()};
}

// The end of a text, from the first line that begins in its last tenth.
inline texts split(std::string const& text, std::string source) {
    std::size_t const line = text.find('\n', text.size() - text.size() / 10);
    std::size_t const at = line == std::string::npos ? text.size() - text.size() / 10 : line + 1;
    return {text.substr(0, at), text.substr(at), std::move(source)};
}

// Texts that the user names, else the Penn Treebank's, else made-up ones.
inline texts load_texts(std::string const& data, std::string const& train, std::string const& test,
                        std::uint64_t seed) {
    if (!train.empty()) {
        if (test.empty()) return split(read_text(train), train + ", its last tenth held out");
        return {read_text(train), read_text(test), train + "; held out: " + test};
    }
    if (!test.empty()) throw felt::error("--test needs --text");
    if (auto const found = support::find_files(data, "ptb", {"ptb.valid.txt", "ptb.test.txt"})) {
        return {read_text((*found)[0]), read_text((*found)[1]),
                (*found)[0].string() + "; held out: " + (*found)[1].filename().string()};
    }
    return split(made_up(60000, seed), "made-up sentences, the last tenth held out");
}

}  // namespace lstm
