// SPDX-License-Identifier: BSD-3-Clause
//
// JPEG and PNG files in folders, one for each class: classes are numbered as their names are
// sorted. They are read when they are shown.
#pragma once
#include <resnet/pictures.hpp>
#include <support/resample.hpp>

namespace resnet {

struct photograph {
    support::fs::path file;
    index_t label = 0;
};

// All files of the classes in `folder`, and the names of the classes.
struct photograph_list {
    std::vector<photograph> all = {};
    std::vector<std::string> classes = {};
};

inline photograph_list list_photographs(support::fs::path const& folder) {
    photograph_list list;
    std::vector<support::fs::path> folders;
    for (auto const& entry : support::fs::directory_iterator(folder)) {
        if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    for (auto const& of : folders) {
        auto const first = list.all.size();
        for (auto const& entry : support::fs::directory_iterator(of)) {
            std::string end = entry.path().extension().string();
            for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            if (end != ".jpg" && end != ".jpeg" && end != ".png") continue;
            list.all.push_back({entry.path(), static_cast<index_t>(list.classes.size())});
        }
        if (list.all.size() == first) {
            throw felt::io_error(of.string() + ": no JPEG or PNG file in this class");
        }
        std::sort(list.all.begin() + static_cast<std::ptrdiff_t>(first), list.all.end(),
                  [](auto const& a, auto const& b) { return a.file < b.file; });
        list.classes.push_back(of.filename().string());
    }
    if (list.classes.size() < 2) {
        throw felt::io_error(folder.string() + ": expected are folders of at least two classes");
    }
    return list;
}

// The middle of each, of a shorter side of 8/7 of what is shown (256 of 224); for training a part
// that is shifted by up to a third and up to half as large again or half as small along each side,
// and mirrored half of the time. Normalised by the means and deviations of ImageNet.
class photographs : public pictures {
public:
    photographs(std::vector<photograph> all, index_t classes, index_t side, std::string source)
        : all_(std::move(all)), classes_(classes), side_(side), source_(std::move(source)) {}

    index_t count() const override { return static_cast<index_t>(all_.size()); }
    index_t classes() const override { return classes_; }
    index_t side() const override { return side_; }
    index_t label(index_t i) const override { return at(i).label; }
    std::string const& source() const override { return source_; }
    std::int64_t fingerprint() const override {  // of the names: there may be a million files
        std::string names;
        for (photograph const& p : all_) names += p.file.filename().string() + "\n";
        return support::fingerprint(std::as_bytes(std::span(names)));
    }

    void plain(index_t i, float* to) const override {
        auto const p = support::read_colours(at(i).file);
        write(p, middle(p, 1, 1, 0, 0), false, to);
    }
    void varied(index_t i, support::random_stream r, float* to) const override {
        auto const p = support::read_colours(at(i).file);
        double const across = r.uniform(0.5, 1.5), down = r.uniform(0.5, 1.5);
        double const x = r.uniform(-0.33, 0.33), y = r.uniform(-0.33, 0.33);
        write(p, middle(p, across, down, x, y), r.uniform() < 0.5, to);
    }

private:
    photograph const& at(index_t i) const { return all_[static_cast<std::size_t>(i)]; }

    // The largest square, less a rim of 1/16 on each side; stretched, and shifted by x, y of it.
    static support::rectangle middle(support::picture const& p, double across, double down,
                                     double x, double y) {
        auto const w = static_cast<double>(p.width), h = static_cast<double>(p.height);
        double const side = 0.875 * std::min(w, h);
        double const width = side * across, height = side * down;
        return {(w - width) / 2 + x * side, (h - height) / 2 + y * side, width, height};
    }

    void write(support::picture const& p, support::rectangle const& part, bool mirrored,
               float* to) const {
        static constexpr normalisation by{{123.675f, 116.28f, 103.53f},
                                          {1 / 58.395f, 1 / 57.12f, 1 / 57.375f}};
        auto const n = static_cast<std::size_t>(side_);
        auto const v = support::resampled(p, part, n, n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j, to += 3) {
                std::size_t const from = (i * n + (mirrored ? n - 1 - j : j)) * 3;
                for (std::size_t c = 0; c < 3; ++c) to[c] = by(c, v[from + c]);
            }
        }
    }

    std::vector<photograph> all_;
    index_t classes_, side_;
    std::string source_;
};

}  // namespace resnet
