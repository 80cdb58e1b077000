// SPDX-License-Identifier: BSD-3-Clause
//
// Each layer is one statement: sums of products of bytes, their scale, ReLU, rounding and the
// maximum of neighbours.
#include <cnn/quantised.hpp>
#include <support/progress.hpp>
#include <iostream>

namespace cnn {

namespace {

using byte_images = felt::Tensor<std::uint8_t, 4>;
felt::conv_options const same{.padding = {2, 2}};
index_t constexpr together = 100;  // images

auto wide(auto const& x) { return felt::cast<std::int32_t>(x); }
auto channels_first(auto& x) { return felt::permute<0, 3, 1, 2>(x); }
auto filters_of(integer_layer<4> const& l) { return felt::permute<3, 2, 0, 1>(l.q); }
auto halved(auto const& x) { return felt::max_pool2d(x, {.window = {2, 2}, .stride = {2, 2}}); }
auto by_channel(felt::Tensor<float, 1> const& x) { return felt::reshape(x, {x.size(), 1, 1}); }

//[quantised]
// What is stored of sums: rounded; ReLU is that nothing is below 0.
auto as_bytes(auto const& sums, auto const& scale, auto const& bias) {
    auto const z = felt::cast<float>(sums) * scale + bias;
    return felt::cast<std::uint8_t>(felt::clip(felt::round(z), 0.F, 255.F));
}
auto convolved(auto const& x, integer_layer<4> const& l) {
    auto const sums = felt::conv2d(wide(x), wide(filters_of(l)), same);
    return halved(as_bytes(sums, by_channel(l.scale), by_channel(l.bias)));
}
//[quantised]

// q and s of w (terms, outputs), and what they are to be multiplied by: z = s from / to sum + b /
// to.
integer_layer<2> quantised(felt::Tensor<float, 2> const& w, felt::Tensor<float, 1> const& b,
                           double from, double to) {
    integer_layer<2> l{felt::Tensor<std::int8_t, 2>(w.extents()), b, b};
    felt::Tensor<float, 1> step(b.extents());
    step = felt::maximum(felt::max<0>(abs(w)), 1e-20F) / 127.F;
    l.q = felt::cast<std::int8_t>(felt::round(w / step));
    l.scale = step * static_cast<float>(from / to);
    l.bias = b / static_cast<float>(to);
    return l;
}

struct float_layer {
    felt::Tensor<float, 2> w;  // (terms, outputs)
    felt::Tensor<float, 1> b;
};
// Filters (o, c, h, w) as terms h w c, as images lie.
float_layer layer_in(felt::npz const& file, std::string const& name) {
    auto const e = file.array(name + ".weight").extents;
    felt::extents<4> all{{1, 1, 1, 1}};
    std::copy(e.begin(), e.end(), all.value);
    felt::Tensor<float, 4> w(all);
    std::copy_n(file.values<float>(name + ".weight").begin(), w.size(), w.data());
    felt::Tensor<float, 1> b({all[0]});
    file.get(name + ".bias", b);
    index_t const terms = w.size() / all[0];
    return {felt::reshape(felt::permute<2, 3, 1, 0>(w), {terms, all[0]}), b};
}
integer_layer<4> as_filters(integer_layer<2> const& l, index_t channels) {
    index_t const side = 5, n = l.q.extent(1);
    return {felt::reshape(l.q, {side, side, channels, n}), l.scale, l.bias};
}

// The largest values behind each layer but the last.
struct largest {
    double first = 0, second = 0, hidden = 0;
};
largest largest_of(images_view const& x, float_layer const& a, float_layer const& b,
                   float_layer const& c) {
    auto const conv = [](auto const& in, float_layer const& l, index_t channels) {
        auto const w = felt::permute<3, 2, 0, 1>(
            felt::reshape(l.w, {index_t(5), index_t(5), channels, l.b.size()}));
        return halved(relu(felt::conv2d(in, w, same) + by_channel(l.b)));
    };
    index_t const n = x.extent(0);
    felt::Tensor<float, 4> h1({n, 14, 14, 32}), h2({n, 7, 7, 64});
    channels_first(h1) = conv(x, a, 1);
    channels_first(h2) = conv(channels_first(h1), b, 32);
    auto const z = matmul(felt::reshape(h2, {n, h2.size() / n}), c.w) + c.b;
    return {double(felt::max(h1)), double(felt::max(h2)), double(felt::max(relu(z)))};
}

}  // namespace

quantised_trial::quantised_trial(felt::npz const& parameters, images_view const& images) {
    auto const a = layer_in(parameters, "0"), b = layer_in(parameters, "3"),
               c = layer_in(parameters, "6"), d = layer_in(parameters, "9");
    largest const most = largest_of(images, a, b, c);
    auto const unit = [](double of) { return std::max(of, 1e-20) / 255; };
    double const pixel = 1.0 / 255, one = unit(most.first), two = unit(most.second),
                 three = unit(most.hidden);
    first_ = as_filters(quantised(a.w, a.b, pixel, one), 1);
    second_ = as_filters(quantised(b.w, b.b, one, two), 32);
    hidden_ = quantised(c.w, c.b, two, three);
    scores_ = quantised(d.w, d.b, three, 1);
}

void quantised_trial::classify(images_view const& x, labels_view y) const {
    byte_images h1({together, 14, 14, 32}), h2({together, 7, 7, 64});
    felt::Tensor<std::uint8_t, 2> h3({together, 1024});
    for (index_t k = 0; k < x.extent(0); k += together) {
        index_t const n = std::min(together, x.extent(0) - k);
        auto const some = [&](auto& h) { return slice(h, felt::range(0, n), felt::ellipsis); };
        images_view const images(x.data() + k * x.strides()[0], {{n, 1, 28, 28}}, x.strides());
        auto a = some(h1), b = some(h2);
        auto c = some(h3);
        channels_first(a) =
            convolved(felt::cast<std::uint8_t>(felt::round(images * 255.F)), first_);
        channels_first(b) = convolved(channels_first(a), second_);
        auto const flat = felt::view(std::as_const(h2).data(), {n, 7 * 7 * 64});
        c = as_bytes(matmul(wide(flat), wide(hidden_.q)), hidden_.scale, hidden_.bias);
        auto const sums = felt::cast<float>(matmul(wide(c), wide(scores_.q)));
        slice(y, felt::range(k, k + n)) = felt::argmax<1>(sums * scores_.scale + scores_.bias);
    }
}

index_t quantised_trial::bytes() const {
    return first_.q.size() + second_.q.size() + hidden_.q.size() + scores_.q.size();
}

namespace {

// The least of three times that all images take, and how many are right.
template <class F>
std::pair<double, double> measured(digits const& d, F&& classify) {
    felt::Tensor<index_t, 1> said({d.count()});
    double best = 1e30;
    for (int i = 0; i < 3; ++i) {
        support::stopwatch const watch;
        classify(d.images(0, d.count()), felt::view(said));
        best = std::min(best, watch.seconds());
    }
    auto const right = felt::sum(felt::cast<float>(said == d.y));
    return {best, 100 * double(right) / static_cast<double>(d.count())};
}

}  // namespace

void report_quantised(learner& net, training const& t, digits const& train, digits const& test,
                      std::ostream& out) {
    felt::npz parameters;
    net.parameters().put(parameters, t.theta());
    quantised_trial const q(parameters, train.images(0, std::min<index_t>(500, train.count())));
    auto const [time, right] =
        measured(test, [&](auto const& x, auto y) { net.classify(felt::fused, x, t.theta(), y); });
    auto const [q_time, q_right] = measured(test, [&](auto const& x, auto y) { q.classify(x, y); });
    support::table table(
        {{""}, {"right"}, {test.count() == 1 ? "1 image" : "all images"}, {"weights"}});
    table.row({"float", support::three_digits(right) + " %", support::duration(time),
               support::byte_size(4.0 * static_cast<double>(t.theta().size()))});
    table.row({"int8", support::three_digits(q_right) + " %", support::duration(q_time),
               support::byte_size(static_cast<double>(q.bytes()))});
    table.print(out);
    out << "\n";
}

}  // namespace cnn
