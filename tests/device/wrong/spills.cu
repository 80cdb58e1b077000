// SPDX-License-Identifier: BSD-3-Clause
//
// More values at a time than registers that this kernel may have: the gate says so.
__global__ void __launch_bounds__(1024, 2) spills(float* y) {
    float a[64];
    for (int k = 0; k < 64; ++k) a[k] = y[k * 1024 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64; ++k) y[k * 1024 + threadIdx.x] = a[63 - k] * a[k * 7 & 63];
}
