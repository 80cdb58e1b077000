// SPDX-License-Identifier: BSD-3-Clause
//
// What a network is a list of, behind virtual functions: a block, or networks beside each other.
#pragma once
#include <felt/nn/boundary.hpp>
#include <string>

namespace felt::inline FELT_ABI::nn {

// One way more that networks in that space are compiled for, such as felt::tf32 of Device. Who
// wants it says so before there is a network, in all of a program.
template <class Space>
inline constexpr auto further_way = fused;

// felt::fused, felt::exact, felt::unfused, felt::count_bytes on the host or the further way, for
// virtual functions.
class mode {
public:
    mode(count_bytes to) : kind_(counted_kind), to_(to) {}
    template <class How>
        requires(!std::is_same_v<How, mode> && !std::is_same_v<How, count_bytes>)
    mode(How)
        : kind_(std::is_same_v<How, fused_t>     ? fused_kind
                : std::is_same_v<How, exact_t>   ? exact_kind
                : std::is_same_v<How, unfused_t> ? unfused_kind
                                                 : further_kind) {}

    // f(fused) and so on.
    template <class Space, class F>
    void visit(F const& f) const {
        using more = std::remove_const_t<decltype(further_way<Space>)>;
        if (kind_ == unfused_kind) return f(unfused);
        if (kind_ == fused_kind) return f(fused);
        if (kind_ == exact_kind) {
            exact_scope const here;
            return f(fused);
        }
        if constexpr (std::is_same_v<Space, Host>) {
            if (kind_ == counted_kind) return f(to_);
        }
        if constexpr (std::is_same_v<more, fused_t>)
            throw error("nn: networks are not compiled for this way to run, see nn::further_way");
        else f(further_way<Space>);
    }

private:
    enum kind { fused_kind, exact_kind, unfused_kind, counted_kind, further_kind } kind_;
    count_bytes to_{};
};
template <class Space = Host, class F>
void in_mode(mode m, F const& f) {
    m.visit<Space>(f);
}

// What the stages of a network share while it is prepared.
template <class T, class Space>
struct preparation {
    parameter_list &trained, &running;
    std::vector<init>& begin;
    memory<T, Space>& kept;
    workspace<Space>& scratch;
    std::string prefix{};           // of names
    std::size_t layers_before = 0;  // in this list
    std::size_t depth = 0;          // of networks in networks

    // For network k of those that make up the next layer.
    preparation inner(std::size_t k) const {
        return {trained, running,
                begin,   kept,
                scratch, prefix + std::to_string(layers_before) + "." + std::to_string(k) + ".",
                0,       depth + 1};
    }
};

// One step: of which parameters, and where derivatives by them go.
template <class T, class Space>
struct step_of {
    using vector = Tensor<T, 1, Space>;
    mode how;
    vector const& theta;
    vector& running;
    vector* gradient = nullptr;
    draws draw{};
    std::function<void(index_t)> ready{};  // (k): the gradient is final from k on
    // ("forward", k): stage k has run.
    std::function<void(char const*, std::size_t)> passed{};
    bool is_folded = false;  // theta is what fold() gave

    // For networks within a stage, of which nobody is told.
    step_of within() const {
        step_of s = *this;
        s.passed = nullptr;
        return s;
    }
};

// Where the derivative by what a stage has read goes: over that, elsewhere, or nowhere; and what
// others that have read the same give to it, if any.
template <class T, class Space>
struct read_derivative {
    boundary<T, Space> to{}, also{};
};

// max(y + more, floor) in the place of what a stage gives; 0 or minus infinity is the floor.
template <class T, class Space>
struct residual {
    boundary<T, Space> more, to;
    T floor;
};

template <class T, class Space>
class stage {
public:
    using value = boundary<T, Space>;
    using step = step_of<T, Space>;
    using vector = Tensor<T, 1, Space>;

    stage() = default;
    stage(stage const&) = delete;
    stage& operator=(stage const&) = delete;
    virtual ~stage() = default;

    // Notes parameters, takes memory for what it keeps, and says what it gives, which has no memory
    // yet: put(). Throws shape_error.
    virtual void prepare(value const& in, preparation<T, Space>& p) = 0;
    virtual void put(value const& out) { out_ = out; }
    value const& out() const { return out_; }
    // Where the derivative by out() belongs: in its place, unless that is read on the way back.
    virtual value const& derivative() const { return out_; }
    virtual std::size_t layer_count() const = 0;
    virtual std::string text() const = 0;  // "conv 64, 3 x 3 | relu"
    // Whether it reads what is to be normalised, else it is handed what was.
    virtual bool reads_pending_norm() const { return false; }
    // Whether it does nothing to what is normalised already.
    virtual bool only_settles() const { return false; }
    // Statistics of normalisations are those of so many images, of which a batch is a part.
    virtual void share(index_t images, sum_over_parts<T, Space> const& sum) = 0;

    virtual void forward(value const& in, step const& s) = 0;
    // dy: the derivative by out(), which lies where derivative() says or elsewhere, or, behind an
    // activation, by what went into that; it may lie over out(). Where dx lies over `in`, that has
    // an activation or none, and is not read after this.
    virtual void backward(value const& in, step const& s, value const& dy,
                          read_derivative<T, Space> const& dx) = 0;
    // The same as forward, with nothing for a backward pass.
    virtual void infer(value const& in, step const& s) = 0;
    // Whether infer_sum() can stand for infer() and the sum behind it, in one pass.
    virtual bool infers_sums() const { return false; }
    virtual void infer_sum(value const& in, step const& s, residual<T, Space> const& sum) {
        (void)in, (void)s, (void)sum;
    }
    // Normalisations in parameters, as fold_norm() does it; infer() reads these if s.is_folded.
    virtual void fold(vector& parameters, vector& running) = 0;

protected:
    value out_;
};

}  // namespace felt::inline FELT_ABI::nn
