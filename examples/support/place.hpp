// SPDX-License-Identifier: BSD-3-Clause
//
// Where an example computes: --space host, device or auto. What it does with tensors stands behind
// the virtual functions of a place of its own, derived from this one. The host's is always there,
// the device's by FELT_DEVICE; that one alone, in device.cpp, knows felt/device.hpp.
#pragma once
#include <felt/felt.hpp>
#include <support/machine.hpp>
#include <support/table.hpp>
#include <cstdio>
#include <string>

namespace support {

class place {
public:
    virtual ~place() = default;
    virtual std::string name() const { return "host"; }
    virtual void threads(int n) const {  // 0: as many as by default
        if (n > 0) felt::threads(n);
    }
    virtual bool has_gpu() const { return false; }
    virtual double transferred() const { return 0; }  // seconds of copies between spaces, so far
};

// `device` is nullptr in a program without one.
template <class P>
P const& chosen_place(std::string const& space, P const& host, P const* device) {
    bool const gpu = device != nullptr && device->has_gpu();
    if (space == "host" || (space == "auto" && !gpu)) return host;
    if (device == nullptr) {
        throw felt::error(
            "--space device: this program was built without the device; cmake builds it with "
            "-DFELT_DEVICE=ON and Thrust, of the CUDA toolkit or Debian's libthrust-dev");
    }
    return *device;
}

// Says how far a place's results are from the host's, and whether that is near enough.
inline bool agrees(place const& at, double apart, double limit) {
    bool const near = apart < limit;
    std::printf("%s, in float: %.3g from the host's in double, %s %.0e\n", at.name().c_str(), apart,
                near ? "below" : "NOT BELOW", limit);
    return near;
}

// A line on the copies of a run, if there were any.
inline void report_transfers(double transferred, double all, std::ostream& out) {
    if (!(transferred > 0)) return;
    out << "copies between host and device: " << duration(transferred) << ", "
        << three_digits(100 * transferred / all) << " % of the run\n";
}

// What code for any space has to know of its own.
template <class Space>
struct space_traits {
    static constexpr bool knows_bytes = true;  // a plan's bytes are what runs
    static constexpr bool knows_peak = true;   // its tensors are in the memory of the process

    static void wait() {}
    static double transferred() { return 0; }
    // A tensor of the host as one of the space, and back.
    template <class X>
    static X const& placed(X const& x) {
        return x;
    }
    template <class X>
    static X const& fetched(X const& x) {
        return x;
    }

    // An optimiser of the host as one of the space, and back.
    template <class O>
    static O placed_state(O&& o) {
        return std::move(o);
    }
    template <class O>
    static O fetched_state(O&& o) {
        return std::move(o);
    }
};

// A clock that waits for the space and keeps its copies apart.
template <class Space>
class space_watch {
public:
    double seconds() const {
        space_traits<Space>::wait();
        return watch_.seconds() - transferred();
    }
    double transferred() const { return space_traits<Space>::transferred() - before_; }

private:
    stopwatch watch_;
    double before_ = space_traits<Space>::transferred();
};

}  // namespace support
