// SPDX-License-Identifier: BSD-3-Clause
//
// A text cut for training: sequence n of the batch goes through the n-th part of the text, window
// after window, so that the state after one window is that before the next.
#pragma once
#include <felt/distributed/shards.hpp>
#include <lstm/model.hpp>
#include <lstm/text.hpp>
#include <cmath>

namespace lstm {

class corpus {
public:
    corpus(std::vector<int> text, index_t steps, index_t batch,
           felt::communicator const& ranks = felt::alone)
        : own_(felt::shard_of(batch, ranks)),
          text_(std::move(text)),
          part_((static_cast<index_t>(text_.size()) - 1) / batch),
          steps_(steps) {
        if (windows() == 0) return;  // without memory for one
        words_ = felt::Tensor<int, 2>({steps, own_.size()});
        next_ = felt::Tensor<int, 2>({steps, own_.size()});
    }

    index_t windows() const { return part_ / steps_; }  // a last part of one is dropped

    // The batch of window k = 0, 1, .., this rank's sequences of it.
    lstm::batch<> window(index_t k) {
        for (index_t t = 0; t < words_.extent(0); ++t) {
            for (index_t n = 0; n < words_.extent(1); ++n) {
                auto const at =
                    static_cast<std::size_t>((own_.begin + n) * part_ + k * words_.extent(0) + t);
                words_(t, n) = text_[at];
                next_(t, n) = text_[at + 1];
            }
        }
        return {felt::view(std::as_const(words_)), felt::view(std::as_const(next_)), own_.of};
    }

    std::vector<int> const& text() const { return text_; }

private:
    felt::shard own_;
    std::vector<int> text_;
    felt::Tensor<int, 2> words_, next_;
    index_t part_, steps_;  // tokens for each sequence: in all, and in a window
};

// How hard `test` is for a model that knows how often tokens occur in `train`, and no more: one
// is added to each count, so that none is impossible.
inline double unigram_perplexity(std::vector<int> const& train, std::vector<int> const& test,
                                 std::size_t vocabulary) {
    std::vector<double> times(vocabulary, 1);
    for (int t : train) ++times[static_cast<std::size_t>(t)];
    auto const all = static_cast<double>(train.size() + vocabulary);
    double sum = 0;
    for (int t : test) sum -= std::log(times[static_cast<std::size_t>(t)] / all);
    return std::exp(sum / static_cast<double>(test.size()));
}

}  // namespace lstm
