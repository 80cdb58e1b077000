// SPDX-License-Identifier: BSD-3-Clause
//
// The layers, each a forward template; a | b | c is a block of them: one set of fused statements.
//
//   nn::conv{64, 3, {.padding = {1, 1}}} | nn::norm{} | nn::relu
//   nn::dense{4096} | nn::sigmoid
#pragma once
#include <felt/nn/activation.hpp>
#include <felt/nn/scope.hpp>

namespace felt::inline FELT_ABI::nn {

namespace detail {
inline std::string window_text(index_t size, index_t stride) {
    std::string const n = std::to_string(size);
    return n + " x " + n + (stride > 1 ? " / " + std::to_string(stride) : "");
}
}  // namespace detail

// `out` filters of size x size, and a bias, unless a normalisation follows.
struct conv {
    static constexpr std::size_t rank = 4;
    static constexpr bool reads_memory = true, folds_norm = true;
    index_t out, size;
    conv_options o{};
    init weights = he, biases = zeros;

    std::string text() const {
        return "conv " + std::to_string(out) + ", " + detail::window_text(size, o.stride[0].value);
    }
    auto operator()(auto& s, auto const& x) const {
        index_t const channels = x.extents()[1] / o.groups.value;
        auto const y = conv2d(x, param<"weight">(s, {out, channels, size, size}, weights), o);
        if constexpr (std::remove_cvref_t<decltype(s)>::normalised) return y;
        else return y + along<1>(param<"bias">(s, {out}, biases));
    }
};

// x W' + b; of images, each of them is a row.
struct dense {
    static constexpr std::size_t rank = 2;
    static constexpr bool reads_memory = true, folds_norm = true;
    index_t out;
    init weights = glorot, biases = zeros;

    std::string text() const { return "dense " + std::to_string(out); }
    auto operator()(auto& s, auto const& x) const {
        auto const w = param<"weight">(s, {out, x.extents()[1]}, weights);
        return matmul(x, transpose(w)) + param<"bias">(s, {out}, biases);
    }
};

struct max_pool {
    static constexpr std::size_t rank = 4;
    static constexpr bool reads_memory = true, has_no_parameters = true;
    static constexpr bool reads_normalised = true;
    index_t window = 2, stride = window, padding = 0;

    std::string text() const { return "max_pool " + detail::window_text(window, stride); }
    auto operator()(auto&, auto const& x) const {
        return max_pool2d(x, {.window = {window, window},
                              .stride = {stride, stride},
                              .padding = {padding, padding}});
    }
};
struct avg_pool {
    static constexpr std::size_t rank = 4;
    static constexpr bool reads_memory = true, has_no_parameters = true;
    index_t window = 2, stride = window, padding = 0;

    std::string text() const { return "avg_pool " + detail::window_text(window, stride); }
    auto operator()(auto&, auto const& x) const {
        return avg_pool2d(x, {.window = {window, window},
                              .stride = {stride, stride},
                              .padding = {padding, padding}});
    }
};
// The mean of all pixels: (n, c, 1, 1).
struct mean_pool {
    static constexpr std::size_t rank = 4;
    static constexpr bool reads_memory = true, has_no_parameters = true;
    static constexpr bool reads_normalised = true;

    std::string text() const { return "mean_pool"; }
    auto operator()(auto&, auto const& x) const { return mean<2, 3>(x, keepdims); }
};

// Every `stride`-th pixel, and zeros behind the channels that are there: the shortcut without
// parameters of residual networks (option A of He et al., 2016).
struct thinned {
    static constexpr std::size_t rank = 4;
    static constexpr bool has_no_parameters = true;
    index_t stride, channels;

    std::string text() const { return "thinned " + std::to_string(stride); }
    auto operator()(auto&, auto const& x) const {
        auto const e = x.extents();
        return of_part(slice(x, all(), all(), range(0, e[2], stride), range(0, e[3], stride)));
    }
    // Of what it reads of x: the derivative by all else is 0.
    auto of_part(auto const& some) const {
        return pad(some, {{0, 0}, {0, channels - some.extents()[1]}, {0, 0}, {0, 0}});
    }
};

// x as it is, in memory.
struct as_is {
    static constexpr std::size_t rank = 4;
    static constexpr bool has_no_parameters = true, reads_normalised = true;

    std::string text() const { return "as_is"; }
    auto operator()(auto&, auto const& x) const { return x; }
};

// Elements are 0 with that probability, the others 1 / (1 - p) times what they were; in training.
struct dropout {
    static constexpr bool has_no_parameters = true;
    double p = 0.5;

    std::string text() const { return "dropout"; }
    auto operator()(auto& s, auto const& x) const {
        using S = std::remove_cvref_t<decltype(s)>;
        using T = typename S::value_type;
        if constexpr (!S::training) return x;
        else return where(s.uniform(x.extents()) < T(p), T(0), x * T(1 / (1 - p)));
    }
};

// By channel over the batch: batch_norm.
struct norm {
    batch_norm_options o{};

    std::string text() const { return "norm"; }
};

// f(x), elementwise or not. What is kept is the value before it, or its own where by() can tell the
// slope from that.
template <class F, curve C = curve::linear>
struct function {
    static constexpr bool has_no_parameters = true;
    static constexpr curve by_value = C;
    F f{};

    std::string text() const {
        if constexpr (requires { F::name; }) return F::name;
        else return "function";
    }
    auto operator()(auto&, auto const& x) const { return f(x); }
    auto operator()(auto const& x) const { return f(x); }
};

namespace detail {
struct identity_of {
    static constexpr char const* name = "identity";
    auto operator()(auto const& x) const { return x; }
};
struct relu_of {
    static constexpr char const* name = "relu";
    auto operator()(auto const& x) const { return felt::relu(x); }
};
struct sigmoid_of {
    static constexpr char const* name = "sigmoid";
    auto operator()(auto const& x) const { return felt::sigmoid(x); }
};
struct tanh_of {
    static constexpr char const* name = "tanh";
    auto operator()(auto const& x) const { return felt::tanh(x); }
};
struct silu_of {
    static constexpr char const* name = "silu";
    auto operator()(auto const& x) const { return felt::silu(x); }
};
struct softplus_of {
    static constexpr char const* name = "softplus";
    auto operator()(auto const& x) const { return felt::softplus(x); }
};
}  // namespace detail

inline constexpr function<detail::relu_of, curve::rectified> relu{};
inline constexpr function<detail::sigmoid_of, curve::logistic> sigmoid{};
inline constexpr function<detail::tanh_of, curve::tangent> tanh{};
inline constexpr function<detail::silu_of> silu{};
inline constexpr function<detail::softplus_of> softplus{};
// apply(f): f(x) of an expression.
template <class F>
constexpr function<F> apply(F f) {
    return {f};
}

template <class... L>
struct block {
    tuple<L...> layers;
};

namespace detail {
template <class L>
tuple<L> layers_in(L const& l) {
    return {l};
}
template <class... L>
tuple<L...> layers_in(block<L...> const& b) {
    return b.layers;
}
template <class... L>
block<L...> block_of(tuple<L...> const& l) {
    return {l};
}
template <class L>
inline constexpr bool is_network = false;
}  // namespace detail

template <class A, class B>
    requires(!detail::is_network<A> && !detail::is_network<B>)
auto operator|(A const& a, B const& b) {
    return detail::block_of(derive::join_all(detail::layers_in(a), detail::layers_in(b)));
}

}  // namespace felt::inline FELT_ABI::nn
