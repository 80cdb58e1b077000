// SPDX-License-Identifier: BSD-3-Clause
//
// c = a b. Bound by multiply-adds wherever m, n and k are large; 1x4096x4096 reads every element
// of b once and is bound by memory. Contestants: matmul and einsum with a and b in row- and
// column-major order (rr, rc, cr, cc); oneDNN in the fastest of its layouts, OpenBLAS and Eigen
// on row-major operands. oneDNN multiplies no doubles.
#include "peers/eigen.hpp"
#include "peers/onednn.hpp"
#include "peers/openblas.hpp"
#include "program.hpp"
#include "roofs.hpp"
#include "shapes.hpp"

namespace {

using namespace bench;

template <class T>
contestant on_operands(std::shared_ptr<operands<T>> const& x, shape const& s, task run) {
    contestant c;
    c.run = std::move(run);
    c.of = arithmetic<T>(s.flops());
    c.right = [=] {
        return at_samples(s.m, s.n, [&](index_t i, index_t j) {
            return near(x->c.at(i, j), x->exact(i, j), x->scale());
        });
    };
    return c;
}

template <class T>
void enter_ours(std::string const& name, shape const& s, std::string const& orders) {
    auto const make = operands_of<T>(s, orders);
    enter(name + "/" + orders + "/felt", [=] {
        auto const x = make();
        return on_operands<T>(
            x, s, [=] { felt::noalias(x->c.view()) = felt::matmul(x->a.view(), x->b.view()); });
    });
    enter(name + "/" + orders + "/einsum", [=] {
        auto const x = make();
        return on_operands<T>(x, s, [=] {
            felt::noalias(x->c.view()) = felt::einsum<"ik,kj->ij">(x->a.view(), x->b.view());
        });
    });
}

template <class T>
void enter_peers(std::string const& name, shape const& s) {
    auto const make = operands_of<T>(s, "rr");
    enter(name + "/rr/openblas", [=] {
        auto const x = make();
        return on_operands<T>(x, s,
                              openblas::product(x->a.memory.data(), x->b.memory.data(),
                                                x->c.memory.data(), s.m, s.n, s.k));
    });
    enter(name + "/rr/eigen", [=] {
        auto const x = make();
        return on_operands<T>(x, s,
                              eigen::product(x->a.memory.data(), x->b.memory.data(),
                                             x->c.memory.data(), s.m, s.n, s.k));
    });
}

void enter_onednn(std::string const& name, shape const& s) {
    enter(name + "/best/onednn", [=] {
        operands<float> const x(s, "rr");
        auto const best =
            onednn::best_of({s.m, s.n, s.k, x.a.memory.data(), x.b.memory.data(), nullptr, false});
        contestant c;
        c.run = best.run;
        c.of = arithmetic<float>(s.flops());
        c.label = best.layout;
        c.right = [=, x = std::make_shared<operands<float>>(x)] {
            auto const at = best.result();
            return at_samples(s.m, s.n, [&](index_t i, index_t j) {
                return near(at(i, j), x->exact(i, j), x->scale());
            });
        };
        return c;
    });
}

template <class T>
void enter_all(std::string const& type) {
    for (shape const& s : shapes) {
        std::string const name = "product/" + type + "/" + s.name();
        for (char const* orders : {"rr", "rc", "cr", "cc"}) enter_ours<T>(name, s, orders);
        enter_peers<T>(name, s);
        if constexpr (sizeof(T) == 4) enter_onednn(name, s);
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::run(argc, argv, [] {
        enter_all<float>("float");
        enter_all<double>("double");
    });
}
