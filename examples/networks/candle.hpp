// SPDX-License-Identifier: BSD-3-Clause
//
// The data of CANDLE's P1B1 and P3B1, from their files or generated in their shape, and P3B1's
// score. (github.com/ECP-CANDLE/Benchmarks, Pilot1/P1B1, Pilot3/P3B1.)
#pragma once
#include <networks/samples.hpp>

namespace networks {

// P1B1: profiles of gene expression, log(1 + FPKM-UQ) by gene, in files P1B1.dev.train.csv and
// P1B1.dev.test.csv, or without .dev: a header, and columns case_id and cancer_type that are left
// out. Each gene is scaled to [0, 1] over both files. Generated ones follow from two numbers each.
struct p1b1_size {
    index_t train = 3000, test = 1000, features = 60483;
};
data_set p1b1_profiles(std::string const& data, std::uint64_t seed, p1b1_size const& n = {});

// P3B1: 400 features of a clinical report for each of three tasks, in files
// task{0,1,2}_0_{train,test}_{feature,label}.csv without headers.
inline constexpr index_t p3b1_features = 400, p3b1_classes[] = {13, 2, 4};
std::vector<data_set> p3b1_reports(std::string const& data, std::uint64_t seed);

// F1 of labels, by class and then the mean ("macro"), or of all at once, which is the accuracy
// ("micro"); of classes that occur in either.
struct f1_scores {
    double macro = 0, micro = 0;
};
f1_scores f1(felt::Tensor<index_t, 1> const& said, felt::Tensor<index_t, 1> const& right);
double geometric_mean(std::vector<double> const& v);
// Pearson's correlation of all elements.
double correlation(felt::Tensor<float, 2> const& x, felt::Tensor<float, 2> const& y);

}  // namespace networks
