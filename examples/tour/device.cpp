// SPDX-License-Identifier: BSD-3-Clause
//
// The device: the same expressions over memory that the host does not read. Compiled by nvcc this
// runs on a GPU; by a host compiler, on what stands for one.
#include "check.hpp"
#include <felt/device.hpp>

using felt::Device;
using felt::Host;
using felt::Tensor;

namespace {

void statements() {
    //[statements]
    Tensor<float, 2> x({64, 1000});
    x = felt::normal<float>(x.extents(), 1);
    auto const d = felt::to<Device>(x);  // explicit: nothing else copies between spaces
    Tensor<float, 2, Device> y = felt::softmax<1>(d * 2) - felt::mean<0>(d);
    Tensor<float, 2> const back = felt::to<Host>(y);
    //[statements]
    x = felt::softmax<1>(x * 2) - felt::mean<0>(x);
    check(felt::all_close(back, x, 1e-5, 1e-6), "the device computes what the host does");
    float const total = sum(y), here = sum(x);
    check(std::abs(total - here) < 1e-2f, "a full reduction comes back as a number");
}

void explaining() {
    std::cout << "# exponentials\n";
    //[explain]
    Tensor<float, 2, Device> x({512, 1000}), y({512, 1000}), z({512, 1000});
    std::cout << explain(assign(y, felt::exp(x - max<1>(x, felt::keepdims))), assign(z, y * y + 1));
    //[explain]
    check(explain(assign(z, y * y + 1)).launch.size() == 1, "a chain is one launch");
}

void streams() {
    Tensor<float, 1, Device> x({1000});
    //[streams]
    felt::stream s;
    {
        felt::use_stream const here(s);  // what this thread asks for goes to s
        x = felt::iota<float>({1000});
        x = sqrt(x) + 1;
    }
    s.wait();  // throws device_error if something failed
    //[streams]
    check(float(max(x)) < 33, "what a stream was asked for is done after wait()");
}

}  // namespace

int main() {
    statements();
    explaining();
    streams();
    return failures != 0;
}
