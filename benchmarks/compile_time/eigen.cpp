// SPDX-License-Identifier: BSD-3-Clause
//
// hello.cpp by Eigen.
#include <Eigen/Dense>
#include <iostream>

int main() {
    using matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    matrix const w = 0.05f * matrix::Random(196, 784);
    matrix const x = 0.5f * (matrix::Random(784, 1000).array() + 1.f).matrix();
    Eigen::VectorXf const b = Eigen::VectorXf::Constant(196, 0.1f);
    matrix h(196, 1000);
    h = (1.f / (1.f + (-((w * x).colwise() + b)).array().exp())).matrix();
    float const active = (h.array() > 0.5f).cast<float>().mean();
    std::cout << "h(0, 0) = " << h(0, 0) << ", active: " << 100 * active << " %\n";
}
