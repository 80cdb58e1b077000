// SPDX-License-Identifier: BSD-3-Clause
//
// Folders of JPEG and PNG files, what is made of them, and features.
#include "scratch.hpp"
#include <resnet/data.hpp>
#include <resnet/features.hpp>
#include <resnet/photographs.hpp>
#include <resnet/report.hpp>
#include <doctest/doctest.h>

namespace {

using felt::index_t;

// One colour, as a JPEG or a PNG file.
std::string picture_file(bool jpeg, int width, int height, int red, int green, int blue) {
    std::vector<std::uint8_t> pixels;
    for (int k = 0; k < width * height; ++k) {
        for (int v : {red, green, blue}) pixels.push_back(static_cast<std::uint8_t>(v));
    }
    std::string bytes;
    auto const append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<char const*>(data),
                                              static_cast<std::size_t>(size));
    };
    if (jpeg) stbi_write_jpg_to_func(append, &bytes, width, height, 3, pixels.data(), 95);
    else stbi_write_png_to_func(append, &bytes, width, height, 3, pixels.data(), 3 * width);
    return bytes;
}

// `each` red and as many blue pictures of various sizes.
void fill(test::scratch_folder const& folder, int each) {
    for (int i = 0; i < each; ++i) {
        std::string const end = std::to_string(100 + i) + (i % 2 ? ".JPG" : ".png");
        int const w = 40 + i, h = 60 - i;
        test::write_bytes(folder / ("sky/" + end), picture_file(i % 2, w, h, 10, 20, 200 + i));
        test::write_bytes(folder / ("brick/" + end), picture_file(i % 2, w, h, 200 + i, 30, 20));
    }
}

resnet::job job_of(std::string const& images) {
    resnet::job j;
    j.images = images, j.side = 32, j.width = 4;
    return j;
}

}  // namespace

TEST_CASE("classes are folders by name, and every tenth picture is held out") {
    test::scratch_folder const folder;
    fill(folder, 15);
    test::write_bytes(folder / "brick/notes.txt", "no picture");
    auto const list = resnet::list_photographs(folder.path);
    CHECK(list.classes == std::vector<std::string>{"brick", "sky"});
    REQUIRE(list.all.size() == 30);
    CHECK(list.all[0].label == 0);
    CHECK(list.all[29].label == 1);
    resnet::job const j = job_of(folder.path.string());
    resnet::setting s = resnet::chosen(j, {});
    resnet::data const d = resnet::load(j, s);
    CHECK(s.classes == 2);
    CHECK(s.large);
    CHECK(s.schedule == "imagenet");
    CHECK(d.train->count() == 27);
    CHECK(d.test->count() == 3);
    std::vector<float> v(32 * 32 * 3);
    d.train->plain(0, v.data());
    CHECK(v[0] == doctest::Approx((200 - 123.675) / 58.395).epsilon(0.02));
    CHECK(v[1] == doctest::Approx((30 - 116.28) / 57.12).epsilon(0.02));
    CHECK(v[v.size() - 1] == doctest::Approx((20 - 103.53) / 57.375).epsilon(0.02));
    std::vector<float> varied(v.size());
    d.train->varied(0, {5}, varied.data());
    for (std::size_t k = 0; k < v.size(); ++k) {
        CHECK(varied[k] == doctest::Approx(v[k]).epsilon(0.02));
    }
}

TEST_CASE("what is wrong with a folder or a file is said") {
    test::scratch_folder const folder;
    auto const message = [&] {
        return test::message_of([&] { resnet::list_photographs(folder.path); });
    };
    CHECK(test::has(message(), "expected are folders of at least two classes"));
    fill(folder, 2);
    CHECK(message().empty());
    test::write_bytes(folder / "brick/100.png", "not a picture");
    resnet::photographs const p(resnet::list_photographs(folder.path).all, 2, 32, "here");
    std::vector<float> v(32 * 32 * 3);
    CHECK(test::has(test::message_of([&] { p.plain(0, v.data()); }), "100.png: no PNG or JPEG"));
    test::fs::create_directories(folder / "empty");
    CHECK(test::has(message(), "empty: no JPEG or PNG file in this class"));
    resnet::job const j = job_of((folder / "brick").string());
    resnet::setting s = resnet::chosen(j, {});
    CHECK_FALSE(test::message_of([&] { resnet::load(j, s); }).empty());
}

TEST_CASE("features are what goes into the last layer") {
    resnet::shape s = resnet::cifar(8);
    s.width = 4;
    resnet::layers<> const l(s);
    auto const theta = resnet::initial_parameters<float>(s, l, 3);
    auto const running = resnet::initial_running<float>(l);
    resnet::small_pictures const p(support::generated_shapes(60, 1));
    auto const x = resnet::features_of(resnet::host(), s, theta, running, p);
    CHECK(x.extent(0) == 60);
    CHECK(x.extent(1) == 16);
    auto const by = resnet::host().read(s, 60);
    by->start(theta, running);
    resnet::shown all(p, 60);
    all.fill(0);
    auto const y = by->logits(felt::fused, all.view());
    auto const w = l.w.in(theta);
    auto const b = l.b.in(theta);
    for (index_t i : {0, 37, 59}) {
        for (index_t k = 0; k < 10; ++k) {
            double sum = double{b(k)};
            for (index_t f = 0; f < 16; ++f) sum += double{x(i, f)} * double{w(k, f)};
            CHECK(sum == doctest::Approx(double{y(i, k)}).epsilon(1e-4));
        }
    }
}

TEST_CASE("a softmax on features tells what they tell") {
    felt::Tensor<index_t, 1> y({90});
    resnet::matrix_f x = felt::normal<float>({90, 5}, 1);
    for (index_t i = 0; i < 90; ++i) y(i) = i % 3, x(i, i % 3) += 6;
    resnet::linear_classifier const by(x, y, 3);
    auto const logits = by.logits(x);
    int right = 0;
    for (index_t i = 0; i < 90; ++i) {
        index_t said = 0;
        for (index_t k = 1; k < 3; ++k) said = logits(i, k) > logits(i, said) ? k : said;
        right += said == y(i);
    }
    CHECK(right >= 88);
}
