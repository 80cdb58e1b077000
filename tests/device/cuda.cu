// SPDX-License-Identifier: BSD-3-Clause
//
// Statements of a GPU: streams, reductions and copies become kernels, and without a GPU the first
// of them is one clear error.
#include <felt/device.hpp>
#include <cstdio>
#include <cstring>

int main() {
    using namespace felt;
    Tensor<float, 2> const x = normal<float>({30, 40}, 1);
    if (!device::has_gpu()) {
        try {
            auto const there = to<Device>(x);
        } catch (device_error const& e) {
            std::printf("Skipped: no GPU, and this error says so: %s\n", e.what());
            return std::strstr(e.what(), "cuda") == nullptr;
        }
        std::puts("copied to a GPU that is not there");
        return 1;
    }
    bool named = false;  // and only the operation itself fails, none after it
    try {
        storage<float, Device> const huge(index_t{1} << 50, false);
    } catch (device_error const& e) {
        named = std::strstr(e.what(), "allocate") != nullptr;
    }
    auto const there = to<Device>(x);
    Tensor<float, 2, Device> y = softmax<1>(sigmoid(there) * 2 + flip<0>(there));
    Tensor<float, 2> want = softmax<1>(sigmoid(x) * 2 + flip<0>(x));
    Tensor<float, 2, Device> a = there * 2;
    run(fused, assign(a, sigmoid(a) * there), assign(y, y + a * a));
    Tensor<float, 2> c = sigmoid(x * 2) * x;
    want = want + c * c;
    Tensor<float, 1, Device> const columns = sum<0>(y);
    bool const sums =
        all_close(to<Host>(columns), sum<0>(want)) && index_t(argmax(a)) == index_t(argmax(c));
    auto const images = [](auto const& m) { return reshape(m, {1, 1, 30, 40}); };
    Tensor<float, 4, Device> const pooled = max_pool2d(images(there));
    bool const pools = all_close(to<Host>(pooled), eval(max_pool2d(images(x))));
    Tensor<float, 2, Device> p = sigmoid(matmul(there, transpose(there)) / 40);
    bool const products = all_close(to<Host>(p), eval(sigmoid(matmul(x, transpose(x)) / 40)));
    static int watched = 0;
    device::launch_watcher() = [](char const* operation) {
        watched += std::strcmp(operation, "assign") == 0;
    };
    run(fused, assign(a, a * 2));
    device::launch_watcher() = nullptr;
    run(fused, assign(a, a / 2));
    return watched == 1 && named && pools && sums && products && all_close(to<Host>(y), want) ? 0
                                                                                              : 1;
}
