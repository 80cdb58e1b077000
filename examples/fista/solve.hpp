// SPDX-License-Identifier: BSD-3-Clause
//
// The small dense solves of dictionary learning, by Eigen, in double.
#pragma once
#include <Eigen/Dense>
#include <fista/setting.hpp>
#include <vector>

namespace fista {

class host_solver {
public:
    using dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    // W = A (B + ridge I)^-1 with A = X S', B = S S': the minimum of |W S - X|^2 + ridge |W|^2; of
    // several, as where a code is always 0, the one of least norm. The atoms that no code uses.
    template <class T>
    std::vector<index_t> dictionary(felt::Tensor<T, 2> const& A, felt::Tensor<T, 2> const& B,
                                    double ridge, felt::Tensor<T, 2>& W) const {
        std::vector<index_t> unused;
        for (index_t k = 0; k < B.extent(0); ++k) {
            if (B(k, k) == 0) unused.push_back(k);
        }
        dense const b = dense_of(B);
        store(dense_of(A) * inverse(b + ridge * dense::Identity(b.rows(), b.cols())), W);
        return unused;
    }

    // P = W'(W W')^-1: the least s with W s = x is P x.
    template <class T>
    void pseudo_inverse(felt::Tensor<T, 2> const& W, felt::Tensor<T, 2>& P) const {
        dense const w = dense_of(W);
        store(w.transpose() * inverse(w * w.transpose()), P);
    }

private:
    template <class T>
    static dense dense_of(felt::Tensor<T, 2> const& x) {
        dense y(x.extent(0), x.extent(1));
        std::copy(x.data(), x.data() + x.size(), y.data());
        return y;
    }
    template <class T>
    static void store(dense const& x, felt::Tensor<T, 2>& y) {
        std::transform(x.data(), x.data() + x.size(), y.data(),
                       [](double v) { return static_cast<T>(v); });
    }

    // Of a symmetric matrix without negative eigenvalues; those that are 0 but for rounding of
    // float stay 0.
    static dense inverse(dense const& m) {
        Eigen::SelfAdjointEigenSolver<dense> const eigen(m);
        auto values = eigen.eigenvalues().eval();
        double const least = 1e-7 * values.maxCoeff();
        for (double& v : values) v = v > least ? 1 / v : 0;
        return eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
    }
};

}  // namespace fista
