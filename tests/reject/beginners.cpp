// SPDX-License-Identifier: BSD-3-Clause
//
// What is written on the first day, in the form in which it is written.
#include "shared.hpp"

using namespace felt;

inline std::vector<float> memory;

// clang-format off
void mixed_types() { a = b + d; }                            // rejects: cast<float>(e)
void narrowed() { a = d; }                                   // rejects: cast<float>(e)
void narrowed_in_a_view() { slice(a, 0, all()) = slice(d, 0, all()); }  // rejects: cast<float>(e)
void narrowed_from_the_start() { Tensor<float, 2> z = matmul(a, d); }   // rejects: cast<float>(e)
void narrowed_in_parentheses() { Tensor<float, 2> z(a * d); }           // rejects: cast<float>(e)
Tensor<float, 2> narrowed_in_a_result() { return a * d; }    // rejects: cast<float>(e)
void narrowed_statement() { fuse(assign(a, exp(d))); }       // rejects: cast<float>(e)
void kept_axis() { Tensor<float, 1> s = sum<1>(a, keepdims); }  // rejects: reduce it
void matrix_as_vector() { Tensor<float, 1> s = a; }          // rejects: reduce it
void fraction() { Tensor<int, 1> n = v / 2; }                // rejects: cast<float>(e)

void no_braces() { Tensor<float, 2> z(3, 4); }               // rejects: in braces
void no_braces_at_all() { Tensor<float, 1> z(3); }           // rejects: in braces
void other_braces() { Tensor<float, 2> z{3, 4}; }            // rejects: in braces
void too_many() { Tensor<float, 2> z({3, 4, 5}); }           // rejects: an extent for every axis
void elements() { Tensor<float, 1> z({1.f, 2.f}); }          // rejects: ::of(
void rows() { auto z = Tensor<float, 2>({{1, 2}, {3, 4}}); } // rejects: ::of(
void value() { Tensor<float, 2> z({3, 4}, 1.f); }            // rejects: fill it after that
void value_of_all() { Tensor<float, 2> z(a.extents(), 1); }  // rejects: fill it after that

void axis_as_argument() { (void)sum(a, 1); }                 // rejects: as template arguments
void axis_beside_keepdims() { (void)mean(a, 1, keepdims); }  // rejects: as template arguments
void larger_of_axis() { (void)max(a, 0); }                   // rejects: as template arguments
void axis_of_softmax() { (void)softmax(a, 1); }              // rejects: as template arguments
void no_axis() { (void)softmax(a); }                         // rejects: as template arguments
void axes_of_transpose() { (void)transpose<1, 0>(a); }       // rejects: permute<1, 0, 2>(x)
void axes_in_parentheses() { (void)permute(a, 1, 0); }       // rejects: permute<1, 0, 2>(x)
void axis_of_concat() { (void)concat(a, b); }                // rejects: concat<0>(x, y)
void one() { (void)concat<0>(a); }                           // rejects: two or more
void axis_of_gather() { (void)gather(a, i); }                // rejects: gather<0>(x, i)
void axis_of_flip() { (void)flip(a, 0); }                    // rejects: as template arguments
void new_axis() { (void)expand_dims(a, 0); }                 // rejects: as template arguments

void row() { (void)a[0]; }                                   // rejects: slice(x, i, all())
void element_of_a_view() { (void)transpose(a)[0]; }          // rejects: slice(x, i, all())
void row_of_a_matrix() { (void)a(0); }                       // rejects: slice(x, i, all())
void flat() { (void)reshape(a, -1); }                        // rejects: extents stand in braces
void other_extents() { (void)reshape(a, 4, 3); }             // rejects: extents stand in braces
void part_of_an_axis() { v = slice(a, range(0, 2)); }        // rejects: slice(x, i, all())
void colon() { (void)slice(a, 0, ":"); }                     // rejects: range(a, b) or all()

void a_container() { (void)(a + memory); }       // rejects: view(v.data(), {v.size()})
void container_first() { (void)(memory / a); }  // rejects: view(v.data(), {v.size()})
void from_a_container() { v = memory; }       // rejects: view(v.data(), {v.size()})
void container_as_view() { (void)view(memory, {3}); }        // rejects: view(v.data(), {v.size()})
void letters_as_argument() { (void)einsum("ij,jk->ik", a, b); }  // rejects: einsum<"ij,jk->ik">(a, b)
void layout_as_space() { Tensor<float, 2, ColMajor> z; }     // rejects: space_stands_before_layout
void other_rank() { if (a.extents() == v.extents()) return; }  // explains: ranks differ

void no_statement() { fuse(a + b); }                         // rejects: fuse(assign(y, e))
void plan_of_an_expression() { (void)explain(a + b); }       // rejects: explain(assign(y, e))
void plan_of_a_run() { (void)explain(a = b); }               // rejects: explain(assign(y, e))

void truth_of_many() { if (a > 0) a = 0; }                   // rejects: if (any(x > 0))
void equality_of_many() { if (a == b) a = 0; }               // rejects: if (any(x > 0))
void constant_changed() { constant = a; }                    // rejects: and not const
void shape() { (void)a.shape(); }                            // rejects: no member named 'shape'
void member() { a = b.transpose(); }                         // rejects: no member named 'transpose'
void one_value() { float s = sum<0>(a); }                    // rejects: to 'float'
// clang-format on
