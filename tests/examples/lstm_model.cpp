// SPDX-License-Identifier: BSD-3-Clause
//
// The language model: answers that are known, differences; texts and what they are cut into.
#include <doctest/doctest.h>
#include <lstm/check.hpp>
#include <lstm/corpus.hpp>
#include <numeric>
#include "scratch.hpp"

namespace {

using felt::index_t;
using net = lstm::model<double>;

lstm::shape small() {
    lstm::shape s;
    s.vocabulary = 11, s.hidden = 5;
    return s;
}

std::vector<int> some_text(std::size_t n) {
    std::vector<int> text(n);
    for (std::size_t i = 0; i < n; ++i) text[i] = static_cast<int>((i * i + i / 3) % 11);
    return text;
}

}  // namespace

TEST_CASE("the study's model has as many parameters as it says") {
    CHECK(lstm::shape{}.parameters() == 6180624);
}

TEST_CASE("a model of zeros finds all words alike") {
    net m(small(), 7, 3);
    net::vector const zero({small().parameters()});
    lstm::corpus text(some_text(100), 7, 3);
    m.reset();
    CHECK(m.cost(felt::fused, text.window(0), zero) == doctest::Approx(7 * std::log(11.0)));
    CHECK(m.probabilities()(6, 2, 10) == doctest::Approx(1. / 11));
}

TEST_CASE("the gradient through ten steps is that of differences, fused and unfused") {
    CHECK(lstm::gradient_error<double>(felt::fused, small(), 10, 3, 1) < 1e-7);
    CHECK(lstm::gradient_error<double>(felt::unfused, small(), 10, 3, 2) < 1e-7);
}

TEST_CASE("two windows with the state carried are one of twice the length") {
    lstm::corpus whole(some_text(100), 8, 3), half(some_text(100), 4, 3);
    net a(small(), 8, 3), b(small(), 4, 3);
    auto const theta = net::initial_parameters(small(), 3);
    a.reset(), b.reset();
    double const once = a.cost(felt::fused, whole.window(0), theta);
    double sum = b.cost(felt::fused, half.window(0), theta);
    b.carry();
    sum += b.cost(felt::fused, half.window(1), theta);
    CHECK(sum == doctest::Approx(once).epsilon(1e-12));
}

TEST_CASE("lines of words, each with its end; tokens by how often they occur") {
    auto const words = lstm::words_of(" the cat saw\n</s> the  mouse </s>\n");
    CHECK(words == lstm::tokens{"the", "cat", "saw", "<eos>", "the", "mouse", "<eos>"});
    lstm::vocabulary const v(words);
    CHECK(v.size() == 6);  // with <unk>
    CHECK(v.name(0) == "the");
    CHECK(v.name(1) == "<eos>");
    CHECK(v.name(5) == "<unk>");
    CHECK(v.numbers({"mouse", "dog", "the"}) == std::vector<int>{4, 5, 0});
    CHECK(lstm::characters_of("a\n") == lstm::tokens{"a", "\n"});
}

TEST_CASE("sequences go through their own parts of a text") {
    std::vector<int> text(50);
    std::iota(text.begin(), text.end(), 0);
    lstm::corpus c(text, 4, 3);  // parts of 16 tokens
    CHECK(c.windows() == 4);
    auto const first = c.window(0);
    CHECK(first.words(0, 0) == 0);
    CHECK(first.words(3, 2) == 35);
    CHECK(first.next(3, 2) == 36);
    auto const last = c.window(3);
    CHECK(last.words(0, 1) == 28);
    CHECK(last.next(3, 2) == 48);
}

TEST_CASE("the perplexity of a fair die is its faces") {
    std::vector<int> const die = {0, 1, 2, 3, 4, 5};
    CHECK(lstm::unigram_perplexity(die, die, 6) == doctest::Approx(6));
    CHECK(lstm::unigram_perplexity({}, {0, 0}, 9) == doctest::Approx(9));
}

TEST_CASE("made-up text is the same for a seed, and its end is held out by whole lines") {
    std::string const text = lstm::made_up(5000, 3);
    CHECK(text == lstm::made_up(5000, 3));
    CHECK(text != lstm::made_up(5000, 4));
    auto const parts = lstm::split(text, "");
    CHECK(parts.train + parts.test == text);
    CHECK(parts.train.back() == '\n');
    CHECK(parts.test.size() > 300);
    CHECK(parts.test.size() < 600);
}

TEST_CASE("texts that the user names are found, and a folder that has none is an error") {
    test::scratch_folder const folder;
    test::write_bytes(folder / "a.txt", "one two\nthree\n");
    test::write_bytes(folder / "b.txt", "four\n");
    auto const name = [&](char const* file) { return (folder / file).string(); };
    auto const both = lstm::load_texts("", name("a.txt"), name("b.txt"), 1);
    CHECK(both.train == "one two\nthree\n");
    CHECK(both.test == "four\n");
    CHECK_THROWS_AS(lstm::load_texts("", "", name("b.txt"), 1), felt::error);
    CHECK_THROWS_AS(lstm::load_texts(folder.path.string(), "", "", 1), felt::io_error);
    test::write_bytes(folder / "ptb/ptb.valid.txt", "x y\n");
    test::write_bytes(folder / "ptb/ptb.test.txt", "z\n");
    CHECK(lstm::load_texts(folder.path.string(), "", "", 1).test == "z\n");
}
