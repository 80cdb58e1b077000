// SPDX-License-Identifier: BSD-3-Clause
//
// --imagenet: how many images of 224 x 224 ResNet-50 learns from, and tells, in a second. The
// images are made.
#include <resnet/report.hpp>
#include <support/chart.hpp>
#include <support/interrupt.hpp>
#include <support/outputs.hpp>
#include <iostream>

namespace resnet {

namespace {

struct made {
    felt::Tensor<float, 4, felt::Host, felt::ChannelsLast> x;
    felt::Tensor<index_t, 1> y;

    made(shape const& s, index_t count) : x({count, 3, s.side, s.side}), y({count}) {
        x = felt::normal<float>(x.extents(), 1);
        for (index_t i = 0; i < count; ++i) y(i) = i % s.classes;
    }
    batch_f view() const { return {felt::view(x), felt::view(y)}; }
};

struct parameters {
    vector_f theta, running;

    explicit parameters(shape const& s, job const& j) {
        layers<> const l(s);
        theta = initial_parameters<float>(s, l, j.seed), running = initial_running<float>(l);
        if (j.import_from.empty()) return;
        felt::npz const file = felt::load_npz(j.import_from);
        l.trained.get(file, theta), l.running.get(file, running);
    }
};

// run(way) both ways in turn.
template <class Run>
support::comparison timed(Run&& run) {
    return support::compare([&] { run(felt::fused); }, [&] { run(felt::unfused); },
                            [](support::count_bytes) {}, 1);
}

// One row and one point of each line.
class sweep {
public:
    sweep(std::string const& what, std::string const& title)
        : table_({{what},
                  {"fused", "images/s"},
                  {"unfused", "images/s"},
                  {"fused / unfused"},
                  {"peak, fused", "MiB"},
                  {"peak, unfused", "MiB"}}),
          chart_{title, "batch", "images per second", {{"fused", {}, {}}, {"unfused", {}, {}}}} {}

    void add(index_t batch, support::comparison const& c) {
        auto const n = static_cast<double>(batch);
        double const fused = n / c.fused.best(), unfused = n / c.unfused.best();
        table_.row({std::to_string(batch), support::three_digits(fused),
                    support::three_digits(unfused), support::three_digits(fused / unfused),
                    support::known(c.fused.peak / 1048576),
                    support::known(c.unfused.peak / 1048576)});
        for (std::size_t i : {0, 1}) {
            chart_.series[i].x.push_back(n);
            chart_.series[i].y.push_back(i == 0 ? fused : unfused);
        }
        std::cout << "." << std::flush;
    }
    void report(path const& file) const {
        std::cout << "\n";
        table_.print(std::cout);
        std::cout << std::endl;
        support::write_file(file, support::to_svg(chart_));
    }

private:
    support::table table_;
    support::line_chart chart_;
};

// How far the logits of the images in an imported file are from those in it; 0 without any.
double distance_from_file(place const& at, shape const& s, job const& j, parameters const& p) {
    felt::npz const file = felt::load_npz(j.import_from);
    if (!file.contains("x") || !file.contains("logits")) return 0;
    index_t const count = file.array("x").extents.at(0);
    made some(s, count);
    file.get("x", some.x);
    matrix_f right({count, s.classes});
    file.get("logits", right);
    auto const by = at.read(s, count);
    by->start(p.theta, p.running);
    matrix_f const own = by->logits(felt::fused, some.view());
    return double(float(max(abs(own - right)))) / double(float(max(abs(right))));
}

bool agrees_with_file(place const& at, shape const& s, job const& j, parameters const& p) {
    double const apart = distance_from_file(at, s, j, p), limit = 1e-3;
    if (apart == 0) return true;
    std::cout << "logits of the images in " << j.import_from << ": " << support::three_digits(apart)
              << " of the largest from those in it, " << (apart < limit ? "below " : "NOT BELOW ")
              << limit << "\n\n";
    return apart < limit;
}

}  // namespace

int throughput(job const& j) {
    place const& at = support::chosen_place(j.space, host(), device());
    support::outputs out(j);
    path const training = out.add("training.svg"), inference = out.add("inference.svg");
    out.prepare();
    at.threads(j.threads);
    shape s = resnet50();
    s.stride_first = j.stride_first;
    parameters const p(s, j);
    std::cout << "ResNet-50, strides on the " << (s.stride_first ? "first 1x1" : "3x3") << ", "
              << p.theta.size() << " parameters, images of " << s.side << " x " << s.side << "\n"
              << "float, built for " << support::instruction_set() << "; " << at.name()
              << std::endl;
    if (!j.import_from.empty() && !agrees_with_file(at, s, j, p)) return 1;
    double const before = at.transferred();
    support::stopwatch const watch;
    sweep reads("inference, batch", "ResNet-50: inference");
    for (index_t n = 1; n <= 64 && !support::interrupted(); n *= 2) {
        if (j.batch > 0 && n != j.batch) continue;
        made const some(s, n);
        auto const by = at.read(s, n);
        by->start(p.theta, p.running);
        reads.add(n, timed([&](way w) { by->logits(w, some.view()); }));
    }
    reads.report(inference);
    sweep steps("training, batch", "ResNet-50: training");
    for (index_t n : {16, 32}) {
        if (support::interrupted()) break;
        index_t const batch = j.batch > 0 ? j.batch : n;
        made const some(s, batch);
        auto const by = at.train(s, batch, felt::sgd<float>(p.theta), p.running, {});
        felt::sgd_options const o{.rate = 0.01, .momentum = 0.9, .weight_decay = 1e-4};
        steps.add(batch, timed([&](way w) { by->step(w, some.view(), o); }));
        if (j.batch > 0) break;
    }
    steps.report(training);
    support::report_transfers(at.transferred() - before, watch.seconds(), std::cout);
    out.list(std::cout);
    return support::interrupted() ? support::interrupted_status() : 0;
}

}  // namespace resnet
