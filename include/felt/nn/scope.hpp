// SPDX-License-Identifier: BSD-3-Clause
//
// What a layer is handed when it is asked for its expression: a scope, from which it takes its
// parameters by name. A layer of one's own is
//
//   struct scaled {
//       static constexpr std::size_t rank = 4;   // of what it reads; 2: samples in rows
//       auto operator()(auto& s, auto const& x) const {
//           return x * along<1>(param<"scale">(s, {x.extents()[1]}, felt::nn::constant(1)));
//       }
//   };
#pragma once
#include <felt/nn/initial.hpp>
#include <felt/nn/parameters.hpp>
#include <algorithm>
#include <functional>
#include <memory>

namespace felt::inline FELT_ABI::nn {

// What a network is asked for: a value and what a backward pass reads, the value alone, or that of
// parameters which have normalisations in them.
enum class pass { training, inference, folded };

// What a step's random numbers follow from: a seed, and which samples of a batch these are. Those
// of a part of it are what they are in the whole.
struct draws {
    std::uint64_t seed = 0;
    index_t first = 0;

    constexpr draws(std::uint64_t of_step = 0, index_t first_sample = 0)
        : seed(of_step), first(first_sample) {}
};

// Makes v the sum of it over all parts of a batch.
template <class T, class Space>
using sum_over_parts = std::function<void(View<T, 1, Space>& v)>;

// Lists of statements have copies of it.
template <class T, class Space>
struct sum_if_shared {
    sum_over_parts<T, Space> const* sum = nullptr;

    template <class How>
    void operator()(How, View<T, 1, Space>& v) const {
        if (sum != nullptr) (*sum)(v);
    }
};

// Memory that a network gives to what has no place yet.
template <class T, class Space>
class memory {
public:
    using piece = Tensor<T, 1, Space>;

    T* take(index_t n) {
        all_.push_back(std::make_unique<piece>(extents<1>{{n}}, uninitialized));
        taken_ += n;
        return all_.back()->data();
    }
    // Of at least n elements, and the same for all who ask at one depth of networks in networks:
    // they use it at different times. It has no elements until allocate_shared().
    piece const& share(std::size_t depth, index_t n) {
        while (shared_.size() <= depth) shared_.push_back({std::make_unique<piece>(), 0});
        shared_[depth].size = std::max(shared_[depth].size, n);
        return *shared_[depth].at;
    }
    void allocate_shared() {
        for (auto const& s : shared_) *s.at = piece(extents<1>{{s.size}}), taken_ += s.size;
    }
    index_t taken() const { return taken_; }

private:
    struct shared_piece {
        std::unique_ptr<piece> at;
        index_t size;
    };
    std::vector<std::unique_ptr<piece>> all_;
    std::vector<shared_piece> shared_;
    index_t taken_ = 0;
};

// Where the layers of one block find their parameters and what they keep: noted when the network
// is prepared, in the order in which the layers ask, and found again in that order at every step.
template <class T, class Space>
class site {
public:
    using vector = Tensor<T, 1, Space>;

    struct place {
        char const* name;
        std::size_t layer;  // of the block
        index_t offset;
        extents<4> e, stride;     // of the first axes, as many as there are
        bool by_columns = false;  // once folded, rows lie side by side: see put_columns()
    };

    // From here on parameters are added to these lists. Of images that are read as rows of features
    // (n, h w c) weights are filters (o, c, h, w) to whoever reads a file.
    void prepare(std::string prefix, std::size_t first_layer, extents<4> const& images,
                 parameter_list& trained, std::vector<init>& begin, parameter_list& running,
                 memory<T, Space>& kept) {
        *this = {};
        images_ = images;
        prefix_ = std::move(prefix), first_layer_ = first_layer;
        trained_ = &trained, begin_ = &begin, running_ = &running, memory_ = &kept;
    }
    void begin_step(vector const& theta, vector& running, draws d, bool is_folded = false) {
        theta_ = theta.data(), statistics_ = running.data(), draws_ = d, is_folded_ = is_folded;
        trained_ = nullptr;
    }
    // Each keeps other values.
    void begin_expression(pass of = pass::training) {
        at_ = 0, norm_ = 0, slot_ = 0;
        slots_ = &slots_of_[static_cast<std::size_t>(of)];
    }

    // The next parameter, whose name in types is `label`, in files that of its layer and `name`.
    template <std::size_t R>
    View<T const, R, Space> next(char const* label, std::size_t layer, char const* name,
                                 extents<R> const& e, init const& by) {
        using layout = std::conditional_t<R == 4, ChannelsLast, RowMajor>;
        if (trained_ != nullptr) add<layout>(label, layer, name, e, by);
        place const& p = places_[at_++];
        auto steps = layout::strides(e);
        if (is_folded_ && p.by_columns) {
            for (index_t& s : steps.value) s *= e[0];
            steps[0] = 1;
        }
        return {theta_ == nullptr ? nullptr : theta_ + p.offset, e, steps};
    }
    // That layer's filters and, for more than a few rows of samples, matrices lie by columns once
    // they are folded.
    void read_by_columns(std::size_t layer, index_t rows) {
        constexpr index_t few = 4;
        for (place& p : places_) {
            bool const is_filter = p.e[3] > 0, is_matrix = p.e[1] > 0;
            if (p.layer == layer) p.by_columns = is_filter || (is_matrix && rows > few);
        }
    }
    std::vector<place> const& places() const { return places_; }
    // Where the derivative by that parameter belongs.
    template <std::size_t R>
    View<T, R, Space> derivative(char const* label, vector& g) const {
        for (place const& p : places_) {
            if (std::string_view(p.name) != label) continue;
            extents<R> e, stride;
            for (std::size_t r = 0; r < R; ++r) e[r] = p.e[r], stride[r] = p.stride[r];
            return {g.data() + p.offset, e, stride};
        }
        throw error(std::string("nn: no parameter ") + label);
    }
    index_t first_offset() const { return places_.front().offset; }
    // Of its parameters, which lie one behind another; or of those behind, if it has none.
    place const* first_place(std::size_t layer) const {
        place const* p = places_.data();
        while (p->layer < layer) ++p;
        return p;
    }

    // Memory for n elements that the block keeps, the same at every step.
    T* slot(index_t n) {
        if (slot_ == slots_->size()) slots_->push_back({place_for(n), n});
        kept_memory const& k = (*slots_)[slot_++];
        if (k.size < n) throw error("nn: a block keeps other extents than it was prepared for");
        return k.at;
    }
    // Running mean and variance of a normalisation of y, and of how many values of a channel it is.
    template <std::size_t R>
    shared_statistics<T, Space, sum_if_shared<T, Space>> statistics(std::size_t layer,
                                                                    extents<R> const& y) {
        index_t const c = y[1];
        if (trained_ != nullptr) {
            norms_.push_back(running_->add(named(layer, "running_mean"), {c}).offset);
            running_->add(named(layer, "running_var"), {c});
        }
        T* const at = statistics_ == nullptr ? nullptr : statistics_ + norms_[norm_];
        ++norm_;
        index_t const images = images_in_all_ > 0 ? images_in_all_ : y[0];
        index_t const of_image = y[0] * c > 0 ? y.size() / y[0] / c : 0;
        View<T, 1, Space> const mean(at, {{c}}, {{1}});
        return {{mean, {at == nullptr ? at : at + c, {{c}}, {{1}}}}, of_image * images, {sum_}};
    }
    void share(index_t images, sum_over_parts<T, Space> const& sum) {
        images_in_all_ = images, sum_ = &sum;
    }
    std::uint64_t draw(std::size_t layer) const { return draws_.seed + first_layer_ + layer; }
    index_t first_sample() const { return draws_.first; }

private:
    struct kept_memory {
        T* at;
        index_t size;
    };

    // By inference it lies where training keeps as much: neither reads what the other has left.
    T* place_for(index_t n) {
        auto const is_free = [&](kept_memory const& k) {
            auto const is_there = [&](kept_memory const& other) { return other.at == k.at; };
            return k.size == n && std::none_of(slots_->begin(), slots_->end(), is_there);
        };
        auto const& of_training = slots_of_[0];
        auto const found = std::find_if(of_training.begin(), of_training.end(), is_free);
        return found == of_training.end() ? memory_->take(n) : found->at;
    }

    std::string named(std::size_t layer, char const* name) const {
        return prefix_ + std::to_string(first_layer_ + layer) + "." + name;
    }
    template <class Layout, std::size_t R>
    void add(char const* label, std::size_t layer, char const* name, extents<R> const& e,
             init const& by) {
        place p{label, layer, trained_->size(), {}, {}};
        auto const stride = Layout::strides(e);
        index_t const pixels = images_[2] * images_[3];
        bool const is_of_images = R == 2 && pixels > 1 && e[R - 1] == images_[1] * pixels;
        if (is_of_images) trained_->add<ChannelsLast>(named(layer, name), of_images(e[0]));
        else trained_->add<Layout>(named(layer, name), e);
        for (std::size_t r = 0; r < R; ++r) p.e[r] = e[r], p.stride[r] = stride[r];
        places_.push_back(p);
        begin_->push_back(by);
    }

    extents<4> of_images(index_t n) const { return {{n, images_[1], images_[2], images_[3]}}; }

    std::string prefix_;
    std::size_t first_layer_ = 0;
    parameter_list *trained_ = nullptr, *running_ = nullptr;
    std::vector<init>* begin_ = nullptr;
    memory<T, Space>* memory_ = nullptr;
    std::vector<place> places_;
    std::vector<kept_memory> slots_of_[3], *slots_ = nullptr;  // by pass
    std::vector<index_t> norms_;
    extents<4> images_{};
    index_t images_in_all_ = 0;
    sum_over_parts<T, Space> const* sum_ = nullptr;
    std::size_t at_ = 0, slot_ = 0, norm_ = 0;
    T const* theta_ = nullptr;
    T* statistics_ = nullptr;
    draws draws_;
    bool is_folded_ = false;
};

namespace detail {
// A number below 1000 as a literal.
template <std::size_t I>
consteval auto number() {
    if constexpr (I < 10) {
        char const one[2] = {static_cast<char>('0' + I), 0};
        return fixed_string<2>(one);
    } else {
        return number<I / 10>() + number<I % 10>();
    }
}
}  // namespace detail

// Layer I of a block. `training`: else it is asked for what it gives then; `normalised`: a
// normalisation follows, which takes a bias away.
template <class T, class Space, std::size_t I, bool Training, bool Normalised>
struct scope {
    using value_type = T;
    static constexpr bool training = Training, normalised = Normalised;
    site<T, Space>& at;

    std::uint64_t draw() const { return at.draw(I); }  // a seed of its own at every step
    // Uniform in [0, 1), other numbers at every step; axis 0 is that of the samples.
    template <std::size_t R>
    auto uniform(extents<R> const& e) const {
        extents<R> all = e;
        all[0] += at.first_sample();
        return rows(felt::uniform<T>(all, draw()), std::make_index_sequence<R - 1>{});
    }

private:
    template <class X, std::size_t... A>
    auto rows(X const& x, std::index_sequence<A...>) const {
        return slice(x, range(at.first_sample(), x.extents()[0]), (void(A), all())...);
    }
};

// The layer's parameter of that name and these extents: a leaf by which derivatives are taken.
template <fixed_string Name, class T, class Space, std::size_t I, bool... S, std::size_t R>
auto param(scope<T, Space, I, S...>& s, extent_arg const (&list)[R], init const& by = {}) {
    constexpr auto label = detail::number<I>() + fixed_string(".") + Name;
    return felt::named<label>(
        s.at.next(literal_name<label>::text, I, Name.text, make_extents(list), by));
}

}  // namespace felt::inline FELT_ABI::nn
