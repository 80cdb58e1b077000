// SPDX-License-Identifier: BSD-3-Clause
//
// Texts, as the Penn Treebank's: words, their numbers, and the windows to train on.
#include <lstm/corpus.hpp>
#include <tests/fuzz/target.hpp>

namespace {

void read(std::string const& file) {
    auto const texts = lstm::load_texts("", file, "", 1);
    for (bool by_words : {true, false}) {
        auto const cut = by_words ? lstm::words_of : lstm::characters_of;
        auto const train = cut(texts.train), test = cut(texts.test);
        lstm::vocabulary const words(train);
        lstm::corpus all(words.numbers(train), 3, 2);
        for (felt::index_t k = 0; k < all.windows(); ++k) (void)all.window(k);
        (void)lstm::unigram_perplexity(all.text(), words.numbers(test), words.size());
    }
}

fuzz::target const text(
    "text",
    [] {
        return fuzz::files{" no it was n't <unk> monday \n <s> the N </s>\n", "a\nb\n\n\tc\r\n",
                           "abcdefgh\n"};
    },
    fuzz::file(read));

}  // namespace
