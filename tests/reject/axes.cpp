// SPDX-License-Identifier: BSD-3-Clause
//
// Axes that are not there, or are named twice.
#include "shared.hpp"

void sum_beyond() { (void)felt::sum<2>(a); }                  // rejects: axis_is_in_range
void sum_before() { (void)felt::sum<0, -3>(a); }              // rejects: axis_is_in_range
void max_beyond() { (void)felt::max<1>(v, felt::keepdims); }  // rejects: axis_is_in_range
void sum_twice() { (void)felt::sum<1, -1>(a); }               // rejects: axes_are_distinct
void softmax_beyond() { (void)felt::softmax<2>(a); }          // rejects: axis_is_in_range
void var_beyond() { (void)felt::var<0, 2>(a); }               // rejects: axis_is_in_range
void flip_beyond() { (void)felt::flip<2>(a); }                // rejects: axis_is_in_range
void expand_beyond() { (void)felt::expand_dims<3>(v); }       // rejects: axis_is_in_range
void concat_beyond() { (void)felt::concat<2>(a, b); }         // rejects: axis_is_in_range
void gather_beyond() { (void)felt::gather<2>(a, i); }         // rejects: axis_is_in_range
void no_permutation() { (void)felt::permute<0, 2, 2>(c); }    // rejects: axes_are_a_permutation
void axis_left_out() { (void)felt::permute<1, 0>(c); }        // rejects: axes_are_a_permutation

void squeeze_beyond() { (void)felt::squeeze<2>(a); }    // rejects: axis_is_in_range
void swap_beyond() { (void)felt::swapaxes<0, 2>(a); }   // rejects: axis_is_in_range
void move_beyond() { (void)felt::moveaxis<-3, 0>(a); }  // rejects: axis_is_in_range

void stddev_beyond() { (void)felt::stddev<2>(a); }        // rejects: axis_is_in_range
void norm_beyond() { (void)felt::norm<-3>(a); }           // rejects: axis_is_in_range
void nanmax_beyond() { (void)felt::nanmax<0, 2>(a); }     // rejects: axis_is_in_range
void ptp_twice() { (void)felt::ptp<1, -1>(a); }           // rejects: axes_are_distinct
void diff_beyond() { (void)felt::diff<2>(a); }            // rejects: axis_is_in_range
void count_beyond() { (void)felt::count_nonzero<2>(a); }  // rejects: axis_is_in_range

struct no_monoid {
    float operator()(float x, float y) const { return x + y; }
};
struct total : no_monoid {
    template <class T>
    static T identity() {
        return T(0);
    }
};
void no_identity() { (void)felt::reduce<1>(no_monoid{}, a); }  // rejects: monoid_of
void reduce_beyond() { (void)felt::reduce<2>(total{}, a); }    // rejects: axis_is_in_range
void a_lambda() {
    (void)felt::reduce([](float x, float y) { return x + y; }, a);  // rejects: monoid_of
}
