// SPDX-License-Identifier: BSD-3-Clause
#include "recipe.hpp"
#include <support/options.hpp>
#include <support/picture.hpp>

recipe::recipe(int argc, char const* const* argv, purpose const& p) : size_(p.size) {
    CLI::App app{p.does};
    support::add_count(app, "--size", size_, p.unit);
    support::add_count(app, "--times", times_, "runs, of which the fastest counts");
    if (p.draws) app.add_option("--picture", picture_, "PNG file to write")->type_name("FILE");
    for (CLI::Option* option : app.get_options()) option->capture_default_str();
    if (auto const status = support::parse(app, argc, argv)) std::exit(*status);
    if (size_ < p.least) {
        std::cerr << "--size: at least " << p.least << '\n';
        std::exit(1);
    }
}

void recipe::draw(felt::Tensor<float, 2> const& grey) const {
    if (picture_.empty()) return;
    felt::Tensor<std::uint8_t, 2> const bytes = cast<std::uint8_t>(round(255 * clip(grey, 0, 1)));
    support::picture const p{static_cast<std::size_t>(grey.extent(1)),
                             static_cast<std::size_t>(grey.extent(0)),
                             {bytes.begin(), bytes.end()}};
    auto const write = [&] { return support::write_png(picture_, p), 0; };
    if (auto const status = support::guarded("--picture", write)) std::exit(status);
    std::cout << "picture: " << picture_ << '\n';
}
