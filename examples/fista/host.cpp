// SPDX-License-Identifier: BSD-3-Clause
//
// Learning on the host.
#include <fista/learn.hpp>

namespace fista {

extern template felt::code_measures learner<float>::code(felt::fused_t, matrix_f const&,
                                                         solves const&,
                                                         felt::communicator&);  // codes.cpp
extern template void learner<float>::update(felt::fused_t, matrix_f const&, solves const&, index_t,
                                            felt::communicator&);  // rounds.cpp

namespace {

class host_trainer : public trainer_in<felt::Host, solves> {
public:
    host_trainer(learning const& how, matrix_f const& W, matrix_f const& x)
        : trainer_in(how, W), x_(x) {}

private:
    matrix_f const& samples() const override { return x_; }

    matrix_f const& x_;
};

struct host_place : place {
    std::unique_ptr<trainer> learn(learning const& how, matrix_f const& W,
                                   matrix_f const& x) const override {
        return std::make_unique<host_trainer>(how, W, x);
    }
};

}  // namespace

place const& host() {
    static host_place const h;
    return h;
}

}  // namespace fista
