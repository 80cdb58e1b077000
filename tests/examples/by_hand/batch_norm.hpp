// SPDX-License-Identifier: BSD-3-Clause
//
// Batch normalisation of y (N, C, H, W) by channel. (Ioffe and Szegedy, "Batch normalization",
// 2015.) With the mean and the variance of m = N H W values:
//
//   z = gamma (y - mean) / sqrt(variance + epsilon) + beta  =  y scale + shift
//
// and for a derivative dz by z:
//
//   dbeta = sum dz,   dgamma = sum dz n,   n = (y - mean) / sqrt(variance + epsilon)
//   dy = gamma / sqrt(variance + epsilon) (dz - dbeta / m - n dgamma / m)  =  dz p + y q + r
//
// Neither z nor dy is a tensor: they are expressions of y and dz, for whoever reads them. What is
// summed is said as statements, which belong into the pass that writes y, and dz:
//
//   run(how, assign(y, conv2d(x, w)), norm.sum(y), norm.sum_squares(y));
//   norm.finish(how, gamma, beta);                                  // now norm(y) is z
//   run(how, assign(dz, ..), norm.sum_gradient(dz), norm.sum_product(dz, y));
//   norm.finish_gradients(how, gamma, dgamma, dbeta);    // now norm.gradient(dz, y) is dy
//
// Sums are of y less the running mean, which is near: the variance is a difference of squares.
//
// Where ranks share a batch, share() makes statistics those of all of it: 2 C sums go over the
// ranks before each finish.
#pragma once
#include <felt/felt.hpp>
#include <functional>

namespace by_hand {

using namespace felt;

template <class T, class Space = Host>
class batch_normalization {
public:
    using channels = View<T, 4, Space>;  // (1, C, 1, 1)
    using constants = View<T const, 4, Space>;
    using options = batch_norm_options;
    using sum_over_parts = std::function<void(Tensor<T, 1, Space>&)>;

    // For `count` values of each channel. The running mean and variance are the caller's.
    batch_normalization(index_t channel_count, index_t count, channels mean, channels variance,
                        options const& o = {})
        : o_(o), count_(count), running_mean_(mean), running_variance_(variance) {
        for (vector* v : {&mean_, &inverse_, &scale_, &shift_, &p_, &q_, &r_}) {
            *v = vector({1, channel_count, 1, 1});
        }
        sums_ = Tensor<T, 1, Space>({2 * channel_count});
    }

    // y is a part of `count` values of each channel. sum(x) makes a vector its sum over all parts;
    // dgamma and dbeta stay those of this part, as the gradients of other parameters do.
    void share(index_t count, sum_over_parts sum) { count_ = count, sum_parts_ = std::move(sum); }

    // z, and z as it is at inference, by what ran.
    template <class Y>
    auto operator()(Y const& y) const {
        return y * scale_ + shift_;
    }
    template <class DZ, class Y>
    auto gradient(DZ const& dz, Y const& y) const {
        return dz * p_ + y * q_ + r_;
    }

    template <class Y>
    auto sum(Y const& y) {
        return assign(sum_of_values(), felt::sum<0, 2, 3>(y - running_mean_, keepdims));
    }
    template <class Y>
    auto sum_squares(Y const& y) {
        return assign(sum_of_squares(), felt::sum<0, 2, 3>(square(y - running_mean_), keepdims));
    }
    template <class How>
    void finish(How, constants gamma, constants beta);

    template <class DZ>
    auto sum_gradient(DZ const& dz) {
        return assign(sum_of_values(), felt::sum<0, 2, 3>(dz, keepdims));
    }
    template <class DZ, class Y>
    auto sum_product(DZ const& dz, Y const& y) {
        return assign(sum_of_squares(), felt::sum<0, 2, 3>(dz * (y - mean_), keepdims));
    }
    template <class How>
    void finish_gradients(How, constants gamma, channels dgamma, channels dbeta);

    // scale and shift from what ran: z without a batch.
    template <class How>
    void infer(How, constants gamma, constants beta);

private:
    using vector = Tensor<T, 4, Space>;

    // Of y, and then of the gradient: sum dz, sum dz (y - mean).
    channels sum_of_values() { return view<RowMajor, Space>(sums_.data(), mean_.extents()); }
    channels sum_of_squares() {
        return view<RowMajor, Space>(sums_.data() + mean_.size(), mean_.extents());
    }

    options o_;
    index_t count_;
    sum_over_parts sum_parts_;  // none: y is all there is
    channels running_mean_, running_variance_;
    Tensor<T, 1, Space> sums_;
    vector mean_, inverse_, scale_, shift_;  // inverse: 1 / sqrt(variance + epsilon)
    vector p_, q_, r_;
};

template <class T, class Space>
template <class How>
void batch_normalization<T, Space>::finish(How how, constants gamma, constants beta) {
    auto const m = static_cast<T>(1 / static_cast<double>(count_));
    auto const epsilon = static_cast<T>(o_.epsilon), keep = static_cast<T>(1 - o_.momentum);
    // The running variance is the unbiased one.
    auto const n = static_cast<double>(count_);
    auto const take = static_cast<T>(o_.momentum), of_all = static_cast<T>(n > 1 ? n / (n - 1) : 1);
    if (sum_parts_) sum_parts_(sums_);
    channels const sum = sum_of_values(), variance = sum_of_squares();
    run(how, assign(variance, maximum(variance * m - square(sum * m), T(0))),
        assign(mean_, sum * m + running_mean_), assign(inverse_, 1 / sqrt(variance + epsilon)),
        assign(scale_, gamma * inverse_), assign(shift_, beta - mean_ * scale_),
        assign(running_mean_, keep * running_mean_ + take * mean_),
        assign(running_variance_, keep * running_variance_ + take * of_all * variance));
}

template <class T, class Space>
template <class How>
void batch_normalization<T, Space>::finish_gradients(How how, constants gamma, channels dgamma,
                                                     channels dbeta) {
    auto const m = static_cast<T>(1 / static_cast<double>(count_));
    channels const sum = sum_of_values(), product = sum_of_squares();
    run(how, assign(dbeta, sum), assign(dgamma, product * inverse_));
    if (sum_parts_) sum_parts_(sums_);
    run(how, assign(p_, gamma * inverse_), assign(q_, -p_ * inverse_ * (product * inverse_) * m),
        assign(r_, -p_ * sum * m - q_ * mean_));
}

template <class T, class Space>
template <class How>
void batch_normalization<T, Space>::infer(How how, constants gamma, constants beta) {
    auto const epsilon = static_cast<T>(o_.epsilon);
    run(how, assign(scale_, gamma / sqrt(running_variance_ + epsilon)),
        assign(shift_, beta - running_mean_ * scale_));
}

}  // namespace by_hand
