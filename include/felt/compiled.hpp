// SPDX-License-Identifier: BSD-3-Clause
//
// felt.hpp ends with this where felt::compiled is linked: what that library holds is not compiled
// again. Beside planning these are the loops of the usual types of elements; what is left to each
// source is the innermost loop of its expressions. Other types work as ever.
#pragma once
#include <felt/expr/lifetimes.hpp>
#include <felt/host/run.hpp>

// What checks and tells mistakes.
#define FELT_ENGINE_PARTS(EXTERN)                               \
    EXTERN template struct apart<&detail::text_of>;             \
    EXTERN template struct apart<&detail::extents_fail>;        \
    EXTERN template struct apart<&detail::layout_fails>;        \
    EXTERN template struct apart<&detail::access_fails>;        \
    EXTERN template struct apart<&detail::begin_owner>;         \
    EXTERN template struct apart<&detail::end_owner>;           \
    EXTERN template struct apart<&detail::change_owner>;        \
    EXTERN template struct apart<&detail::find_owner>;          \
    EXTERN template struct apart<&detail::check_owner>;         \
    EXTERN template struct apart<&detail::broadcast_fails>;     \
    EXTERN template struct apart<&detail::assign_fails>;        \
    EXTERN template struct apart<&detail::check_labels>;        \
    EXTERN template struct apart<&planning::detail::add_node>;  \
    EXTERN template struct apart<&planning::detail::begin_map>; \
    EXTERN template struct apart<&planning::detail::end_map>;

// Random elements, a vector at a time.
#define FELT_RANDOM(EXTERN, T, LAW)                                                 \
    EXTERN template void detail::random_steps<T, detail::LAW, host::batch_size<T>>( \
        std::uint64_t, std::uint64_t, std::uint64_t, T*);

// The loops of one type; those of products, and of sums of what T is.
#define FELT_LOOPS(EXTERN, T)                                                               \
    EXTERN template class leaf_loader<T>;                                                   \
    EXTERN template class invariant_values<T>;                                              \
    EXTERN template leaf_loader<T> detail::leaf_loader_of<T>(environment const&, node_id,   \
                                                             T const*);                     \
    EXTERN template class materialized<T>;                                                  \
    EXTERN template class materialized_operand<T>;                                          \
    EXTERN template class viewed<T>;                                                        \
    EXTERN template class detail::bound_values<T>;                                          \
    EXTERN template void copy_box<T>(strided<T>, strided<T const>, box, bool);              \
    EXTERN template void evaluate<T>(row_source<T> const&, loop_view const&, box const&,    \
                                     strided<T> const&, arena&, bool);                      \
    EXTERN template void store_block<T>(row_source<T> const&, loop_view const&, box const&, \
                                        strided<T> const&);
#define FELT_PRODUCTS(EXTERN, T) EXTERN template class product_of<T>;
#define FELT_SUMS(EXTERN, MONOID, V, T)                                                         \
    EXTERN template void reduction<monoid::MONOID, V, T>::prepare_values(box const&,            \
                                                                         row_source<V> const&); \
    EXTERN template void reduction<monoid::MONOID, V, T>::add_strip(strip_range const&,         \
                                                                    row_source<V> const&);
#define FELT_LOOPS_OF_REALS(EXTERN, T) \
    FELT_LOOPS(EXTERN, T)              \
    FELT_PRODUCTS(EXTERN, T)           \
    FELT_SUMS(EXTERN, sum, T, T)       \
    FELT_SUMS(EXTERN, max, T, T)       \
    FELT_SUMS(EXTERN, min, T, T)       \
    FELT_SUMS(EXTERN, argmax, T, index_t)
#define FELT_LOOPS_OF_CONDITIONS(EXTERN)                 \
    FELT_LOOPS(EXTERN, bool)                             \
    FELT_LOOPS(EXTERN, unsigned char)                    \
    FELT_SUMS(EXTERN, any, unsigned char, unsigned char) \
    FELT_SUMS(EXTERN, all, unsigned char, unsigned char)

namespace felt::inline FELT_ABI {

// Undefined at link time: felt::compiled and this source were compiled for other instructions, with
// other checks (NDEBUG), with and without threads, or with and without the address sanitizer.
template <class Instructions, bool Checked, bool Threaded, int Guard>
struct felt_compiled_has_other_flags {
    static void than_this_source();
};
using flags_of_this_source = felt_compiled_has_other_flags<xsimd::default_arch, FELT_CHECKED,
                                                           FELT_THREADED, FELT_SCRATCH_GUARD>;
[[gnu::used]] inline constexpr void (*same_flags)() = &flags_of_this_source::than_this_source;

FELT_ENGINE_PARTS(extern)
FELT_RANDOM(extern, float, uniform_law)
FELT_RANDOM(extern, float, normal_law)
FELT_RANDOM(extern, double, uniform_law)
FELT_RANDOM(extern, double, normal_law)

extern template class storage<float, Host>;
extern template class storage<double, Host>;
extern template class storage<int, Host>;
extern template class storage<index_t, Host>;
extern template class storage<bool, Host>;

}  // namespace felt::inline FELT_ABI

namespace felt::inline FELT_ABI::host {

FELT_LOOPS_OF_REALS(extern, float)
FELT_LOOPS_OF_REALS(extern, double)
FELT_LOOPS(extern, int)
FELT_LOOPS(extern, index_t)
FELT_LOOPS_OF_CONDITIONS(extern)

}  // namespace felt::inline FELT_ABI::host
