// SPDX-License-Identifier: BSD-3-Clause
#include <resnet/data.hpp>
#include <resnet/photographs.hpp>
#include <algorithm>

namespace resnet {

namespace {

std::size_t count_of(int asked, std::size_t usual) {
    return asked > 0 ? static_cast<std::size_t>(asked) : usual;
}

// A fifth of what it learns from, as CIFAR-10 has, and enough to tell.
std::size_t held_out_count(job const& j) {
    if (j.brief) return 400;
    return std::clamp(count_of(j.train, 50000) / 5, std::size_t{1000}, std::size_t{10000});
}

data load_small(job const& j) {
    auto train = std::make_unique<small_pictures>(
        support::load_colours(j.data, "train", count_of(j.train, j.brief ? 1400 : 50000), j.seed));
    auto test = std::make_unique<small_pictures>(
        support::load_colours(j.data, "test", held_out_count(j), j.seed), train->normal());
    return {std::move(train), std::move(test)};
}

// Of all photographs every tenth, or the others.
std::vector<photograph> part(std::vector<photograph> const& all, bool tenth) {
    std::vector<photograph> some;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if ((i % 10 == 9) == tenth) some.push_back(all[i]);
    }
    return some;
}

data load_photographs(job const& j, index_t side) {
    auto const list = list_photographs(j.images);
    auto const classes = static_cast<index_t>(list.classes.size());
    auto const make = [&](std::vector<photograph> of, std::string const& from) {
        if (of.empty()) throw felt::io_error(from + ": too few images to hold some out");
        return std::make_unique<photographs>(std::move(of), classes, side, from);
    };
    if (j.held_out.empty()) {
        return {make(part(list.all, false), j.images), make(part(list.all, true), j.images)};
    }
    auto const others = list_photographs(j.held_out);
    if (others.classes != list.classes) {
        throw felt::io_error(j.held_out + ": other classes than in " + j.images);
    }
    return {make(list.all, j.images), make(others.all, j.held_out)};
}

}  // namespace

data load(job const& j, setting& s) {
    data d = j.images.empty() ? load_small(j) : load_photographs(j, s.side);
    if (s.large != !j.images.empty()) {
        throw felt::error(s.large ? "this network is for photographs: --images DIR is missing"
                                  : "--images is for ResNet-50, not for " + s.name());
    }
    s.classes = d.train->classes();
    return d;
}

}  // namespace resnet
