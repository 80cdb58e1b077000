// SPDX-License-Identifier: BSD-3-Clause
//
// How fast memory is, and which share of that a chain of six functions gets: GB/s count one read
// and one write of 1 GiB for each. The driver's copy and a plain kernel are the ceiling; `chain`
// reads a row and a column beside the matrix, `same` the matrix alone, which comes in bulk.
// Unfused, each function reads and writes.
#include "timing.hpp"

namespace {

using namespace bench;

__global__ void copy_kernel(float4* to, float4 const* from, index_t n) {
    index_t const i = blockIdx.x * index_t{blockDim.x} + threadIdx.x;
    if (i < n) to[i] = from[i];
}

__host__ __device__ double rest(double z) { return 0.5 * fmax(sqrt(fabs(z)), 0.1); }

struct exact_chain {
    float const *x, *row, *column;
    index_t n;

    __device__ double operator()(index_t i) const {
        return rest(double(x[i]) * double(row[i % n]) + double(column[i / n]));
    }
};
struct exact_same {
    float const* x;

    __device__ double operator()(index_t i) const { return rest(double(x[i]) * 0.75 + 0.25); }
};
struct exact_copy {
    float const* x;

    __device__ double operator()(index_t i) const { return x[i]; }
};

template <class Z>
auto six_of(Z const& z) {  // z has the first two
    return felt::maximum(sqrt(abs(z)), 0.1f) * 0.5f;
}

struct arrays {
    tensor<float, 2> x, y;
    tensor<float, 1> row;
    tensor<float, 2> column;

    explicit arrays(index_t n) : x({n, n}), y({n, n}), row({n}), column({n, 1}) {
        x = felt::uniform<float>({n, n}, 1);
        row = felt::uniform<float>({n}, 2) + 0.5f;
        column = felt::uniform<float>({n, 1}, 3) - 0.5f;
    }
    index_t size() const { return x.size(); }
};

template <class F>
contestant entrant(char const* name, arrays& a, tensor<double, 1> const& want, F const& run) {
    return {name, run, [&] { return largest_error(a.y.data(), want); }, 2e-6};
}

// The seconds of the fastest copy.
double copies(options const& o, arrays& a, work const& w) {
    auto const want = exactly(a.size(), exact_copy{a.x.data()});
    auto const driver = [&] {
        check(cudaMemcpyAsync(a.y.data(), a.x.data(), std::size_t(a.size()) * sizeof(float),
                              cudaMemcpyDeviceToDevice, felt::device::stream_of_this_thread()),
              "copy");
    };
    auto const kernel = [&] {
        index_t const n = a.size() / 4;
        copy_kernel<<<unsigned((n + 255) / 256), 256, 0, felt::device::stream_of_this_thread()>>>(
            reinterpret_cast<float4*>(a.y.data()), reinterpret_cast<float4 const*>(a.x.data()), n);
        check(cudaGetLastError(), "copy");
    };
    auto const t =
        contest(o, "copy", w,
                {entrant("felt", a, want, [&] { a.y = a.x; }), entrant("driver", a, want, driver),
                 entrant("kernel", a, want, kernel)});
    return std::min(t[1], t[2]);
}

template <class E>
void chain(options const& o, char const* name, arrays& a, work const& w, double copy,
           tensor<double, 1> const& want, E const& e) {
    auto const t =
        contest(o, name, w,
                {entrant("felt", a, want, [&] { run(felt::fused, assign(a.y, e)); }),
                 entrant("unfused", a, want, [&] { run(felt::unfused, assign(a.y, e)); })});
    if (t[0] > 0) std::printf("share of the copy, %s: %.2f\n", name, copy / t[0]);
}

}  // namespace

int main(int argc, char** argv) {
    return bench::on_gpu(argc, argv, "copy", [](options const& o) {
        arrays a(o.small ? 64 : 16384);
        work const w{8. * double(a.size()), "GB/s"};
        double const copy = copies(o, a, w);
        chain(o, "chain", a, w, copy,
              exactly(a.size(),
                      exact_chain{a.x.data(), a.row.data(), a.column.data(), a.x.extent(1)}),
              six_of(a.x * a.row + a.column));
        chain(o, "same", a, w, copy, exactly(a.size(), exact_same{a.x.data()}),
              six_of(a.x * 0.75f + 0.25f));
    });
}
