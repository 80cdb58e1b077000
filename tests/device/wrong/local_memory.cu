// SPDX-License-Identifier: BSD-3-Clause
//
// An array that is indexed by what only the run knows lies in local memory: the gate says so.
__global__ void local_memory(int* y, int i, int j) {
    int a[8];
    for (int k = 0; k < 8; ++k) a[(k + i) & 7] = k;
    y[0] = a[j];
}
