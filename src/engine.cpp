// SPDX-License-Identifier: BSD-3-Clause
//
// Planning, and what carries out plans.
#include <felt/felt.hpp>
#include <felt/engine.hpp>

namespace felt::inline FELT_ABI {

template <class Instructions, bool Checked, bool Threaded, int Guard>
void felt_compiled_has_other_flags<Instructions, Checked, Threaded, Guard>::than_this_source() {}
template struct felt_compiled_has_other_flags<xsimd::default_arch, FELT_CHECKED, FELT_THREADED,
                                              FELT_SCRATCH_GUARD>;

FELT_ENGINE_PARTS()
FELT_RANDOM(, float, uniform_law)
FELT_RANDOM(, float, normal_law)
FELT_RANDOM(, double, uniform_law)
FELT_RANDOM(, double, normal_law)

template class storage<float, Host>;
template class storage<double, Host>;
template class storage<int, Host>;
template class storage<index_t, Host>;
template class storage<bool, Host>;

}  // namespace felt::inline FELT_ABI
