// SPDX-License-Identifier: BSD-3-Clause
//
// A block of threads of a GPU, emulated: each thread is a fiber that runs until it waits for the
// others; who is next is random. Shared memory begins as NaN. What a kernel must not rely on, it
// does not get: an order of threads, zeros, copies that are there only when they are waited for, or
// not before, what other blocks write without fences.
#pragma once
#include "weak_memory.hpp"
#include <felt/core/version.hpp>
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <ucontext.h>
#include <utility>
#include <variant>
#include <vector>

namespace test {

// Threads that take turns. wait(k) gives the turn away until all threads of the same group (a warp,
// or the block) wait for it, too.
class fibers {
public:
    enum class state { runs, at_block, at_warp, done };
    static constexpr int warp = 32;

    fibers(int threads, unsigned seed) : fiber_(static_cast<std::size_t>(threads)), random_(seed) {}

    void run(std::function<void(int)> const& body) {
        body_ = &body;
        order_.clear();
        for (std::size_t i = 0; i < fiber_.size(); ++i) {
            order_.push_back(i);
            start(fiber_[i]);
        }
        for (bool& is_slow : slow_) is_slow = random_() % 2 == 0;
        while (turn()) {
        }
    }
    void wait(state why) {
        auto& f = fiber_[now_];
        f.now = why;
        swapcontext(&f.context, &scheduler_);
    }
    int thread() const { return static_cast<int>(now_); }
    bool chance() { return random_() % 2 == 0; }

private:
    struct fiber {
        ucontext_t context;
        std::unique_ptr<char[]> stack;
        state now = state::done;
    };
    static constexpr std::size_t stack_size = 256 * 1024;

    static fibers*& current() {
        static fibers* f = nullptr;
        return f;
    }
    static void enter() {
        fibers& all = *current();
        (*all.body_)(all.thread());
        all.fiber_[all.now_].now = state::done;
        swapcontext(&all.fiber_[all.now_].context, &all.scheduler_);
    }
    void start(fiber& f) {
        if (!f.stack) f.stack.reset(new char[stack_size]);
        f.now = state::runs;
        getcontext(&f.context);
        f.context.uc_stack.ss_sp = f.stack.get();
        f.context.uc_stack.ss_size = stack_size;
        f.context.uc_link = &scheduler_;
        makecontext(&f.context, &fibers::enter, 0);
    }
    // Runs those who can, in random order, slow warps more seldom; lets go those that all wait.
    // False when all are done.
    bool turn() {
        std::shuffle(order_.begin(), order_.end(), random_);
        for (bool& goes : goes_) goes = random_() % 16 == 0;
        bool can = false;
        for (std::size_t i : order_) {
            if (fiber_[i].now != state::runs) continue;
            can = true;
            if (slow_[i / warp] && !goes_[i / warp]) continue;
            now_ = i;
            current() = this;
            swapcontext(&scheduler_, &fiber_[i].context);
        }
        bool released = false;
        for (std::size_t w = 0; w < fiber_.size(); w += warp) {
            released = release(w, std::min(w + warp, fiber_.size()), state::at_warp) || released;
        }
        if (released || can || release(0, fiber_.size(), state::at_block)) return true;
        if (count(0, fiber_.size(), state::done) == fiber_.size()) return false;
        throw std::logic_error("deadlock: threads wait for others that do not come");
    }
    std::size_t count(std::size_t from, std::size_t to, state s) const {
        std::size_t n = 0;
        for (std::size_t i = from; i < to; ++i) n += fiber_[i].now == s;
        return n;
    }
    bool release(std::size_t from, std::size_t to, state s) {
        if (count(from, to, s) != to - from) return false;
        for (std::size_t i = from; i < to; ++i) fiber_[i].now = state::runs;
        return true;
    }

    std::vector<fiber> fiber_;
    std::vector<std::size_t> order_;
    std::array<bool, 32> slow_{}, goes_{};  // warps
    std::mt19937 random_;
    std::function<void(int)> const* body_ = nullptr;
    ucontext_t scheduler_{};
    std::size_t now_ = 0;
};

// What a tile program asks of its block.
class block {
public:
    using memory = std::variant<weak_memory<float>, weak_memory<double>, weak_memory<int>>;

    block(fibers& f, int number, int threads, memory* shared = nullptr)
        : fibers_(f),
          number_(number),
          shared_(shared),
          asked_(static_cast<std::size_t>(threads)),
          groups_(static_cast<std::size_t>(threads)) {}

    int thread() const { return fibers_.thread(); }
    int number() const { return number_; }
    void sync() { fibers_.wait(fibers::state::at_block); }

    // Between blocks.
    template <class T>
    void put(T& to, T x) {
        shared<T>().put(thread(), &to, x);
    }
    template <class T>
    T fresh(T const& x) {
        return shared<T>().fresh(thread(), &x);
    }
    void fence() {
        std::visit([&](auto& m) { m.fence(thread()); }, *shared_);
    }
    unsigned add_one(unsigned* counter) {
        return std::visit([&](auto& m) { return m.add_one(counter); }, *shared_);
    }

    // Copies are made at once or when they are waited for.
    template <class T>
    void copy_value(T* to, T const* from, bool there) {
        copy(to, from, sizeof(T), there);
    }
    template <class T>
    void copy_packet(T* to, T const* from, bool there) {
        if (reinterpret_cast<std::uintptr_t>(from) % 16 != 0 ||
            reinterpret_cast<std::uintptr_t>(to) % 16 != 0) {
            throw std::logic_error("a packet is not aligned");
        }
        copy(to, from, 4 * sizeof(T), there);
    }
    void commit() { groups().push_back(std::exchange(asked(), {})); }
    template <int N>
    void wait() {
        while (groups().size() > static_cast<std::size_t>(N)) {
            for (auto const& c : groups().front()) c();
            groups().erase(groups().begin());
        }
    }

    // c += a b for each pair of fragments, once all threads of the warp are here.
    template <class Atom, int M, int N>
    void mma(float (&c)[M][N][4], std::uint32_t const (&a)[M][4], std::uint32_t const (&b)[N][2]) {
        auto& mine = shown_[static_cast<std::size_t>(thread())];
        mine = {&c[0][0][0], &a[0][0], &b[0][0]};
        fibers_.wait(fibers::state::at_warp);
        if (thread() % 32 == 0) {
            for (int i = 0; i < M; ++i) {
                for (int j = 0; j < N; ++j) multiply<Atom>(i, j, N);
            }
        }
        fibers_.wait(fibers::state::at_warp);
    }

private:
    struct fragment {
        float* c;
        std::uint32_t const *a, *b;
    };

    // Fragments i and j of the warp that begins with this thread, by the layout that the PTX ISA
    // gives.
    template <class Atom>
    void multiply(int i, int j, int across) {
        constexpr int depth = Atom::depth, half = depth / 2, per = Atom::per_word;
        double a[16][depth], b[depth][8];
        fragment const* const lane = &shown_[static_cast<std::size_t>(thread())];
        for (int l = 0; l < 32; ++l) {
            int const g = l / 4, t = l % 4;
            for (int w = 0; w < per; ++w) {
                for (int r = 0; r < 4; ++r) {
                    a[g + r % 2 * 8][t * per + w + r / 2 * half] =
                        static_cast<double>(Atom::value(lane[l].a[i * 4 + r], w));
                }
                for (int r = 0; r < 2; ++r) {
                    b[t * per + w + r * half][g] =
                        static_cast<double>(Atom::value(lane[l].b[j * 2 + r], w));
                }
            }
        }
        for (int l = 0; l < 32; ++l) {
            for (int r = 0; r < 4; ++r) {
                double sum = 0;
                for (int k = 0; k < depth; ++k) {
                    sum += a[l / 4 + r / 2 * 8][k] * b[k][l % 4 * 2 + r % 2];
                }
                float& to = lane[l].c[(i * across + j) * 4 + r];
                to = static_cast<float>(static_cast<double>(to) + sum);
            }
        }
    }

    template <class T>
    weak_memory<T>& shared() {
        return std::get<weak_memory<T>>(*shared_);
    }

    using copies = std::vector<std::function<void()>>;

    void copy(void* to, void const* from, std::size_t bytes, bool there) {
        auto const made = [=] {
            if (there) std::memcpy(to, from, bytes);
            else std::memset(to, 0, bytes);
        };
        if (fibers_.chance()) made();
        else asked().push_back(made);
    }
    copies& asked() { return asked_[static_cast<std::size_t>(thread())]; }
    std::vector<copies>& groups() { return groups_[static_cast<std::size_t>(thread())]; }

    fibers& fibers_;
    int number_;
    memory* shared_;
    std::vector<copies> asked_;
    std::vector<std::vector<copies>> groups_;
    std::vector<fragment> shown_ = std::vector<fragment>(groups_.size());
};

// Runs work(block, memory) for all blocks, in random order.
template <class Block, class Work>
void emulate(Work work, unsigned seed) {
    constexpr int threads = Work::way::threads;
    using memory = typename Work::memory;
    std::vector<typename Work::way::T> parts(static_cast<std::size_t>(work.number_of_parts()));
    std::vector<unsigned> counters(static_cast<std::size_t>(work.number_of_counters()));
    work.parts = parts.data();
    work.counters = counters.data();
    std::vector<int> order(static_cast<std::size_t>(work.grid.blocks()));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::mt19937 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    fibers all(threads, seed);
    using weak = weak_memory<typename Work::way::T>;
    block::memory global{weak(threads)};
    std::unique_ptr<memory> const shared(new memory);
    for (int number : order) {
        std::memset(static_cast<void*>(shared.get()), 0xff, sizeof(memory));
        std::get<weak>(global).begin_block();
        Block b(all, number, threads, &global);
        all.run([&](int) { work(b, *shared); });
    }
}

}  // namespace test

namespace felt::inline FELT_ABI::device {

// Products of a device that is an emulated block: -DFELT_TILE_RUNNER='"tests/support/block.hpp"'
template <class Work>
void launch_tiles(Work const& work, char const*) {
    test::emulate<test::block>(work, 1);
}

}  // namespace felt::inline FELT_ABI::device
