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

// What is measured: run(way), with a network for so many images that is there meanwhile.
template <class Use>
void with_reader(place const& at, shape const& s, parameters const& p, index_t n, Use&& use) {
    made const some(s, n);
    auto const by = at.read(s, n);
    by->start(p.theta, p.running);
    use([&](way w) { by->logits(w, some.view()); });
}
template <class Use>
void with_trainer(place const& at, shape const& s, parameters const& p, index_t n, Use&& use) {
    made const some(s, n);
    auto const by = at.train(s, n, felt::sgd<float>(p.theta), p.running, {});
    felt::sgd_options const o{.rate = 0.01, .momentum = 0.9, .weight_decay = 1e-4};
    use([&](way w) { by->step(w, some.view(), o); });
}

// Of fused runs before any other: the memory that unfused ones take is kept.
template <class With>
std::vector<double> peaks(std::vector<index_t> const& batches, With&& with) {
    std::vector<double> found;
    for (index_t n : batches) {
        if (support::interrupted()) break;
        with(n, [&](auto&& run) {
            found.push_back(support::peak_memory_of([&] { run(felt::fused); }));
        });
    }
    return found;
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

    template <class With>
    void measure(std::vector<index_t> const& batches, std::vector<double> const& peaks,
                 With&& with) {
        for (std::size_t i = 0; i < batches.size() && !support::interrupted(); ++i) {
            with(batches[i], [&](auto&& run) {
                auto c = support::compare([&] { run(felt::fused); }, [&] { run(felt::unfused); },
                                          [](support::count_bytes) {}, 1);
                c.fused.peak = peaks[i];
                add(batches[i], c);
            });
        }
    }
    void report(path const& file) const {
        std::cout << "\n";
        table_.print(std::cout);
        std::cout << std::endl;
        support::write_file(file, support::to_svg(chart_));
    }

private:
    void add(index_t batch, support::comparison const& c) {
        auto const n = static_cast<double>(batch);
        double const fused = n / c.fused.best(), unfused = n / c.unfused.best();
        table_.row({std::to_string(batch), support::three_digits(fused),
                    support::three_digits(unfused), support::three_digits(fused / unfused),
                    support::known(c.fused.peak / 1048576),
                    support::known(c.unfused.peak / 1048576)});
        for (std::size_t i = 0; i < 2; ++i) {
            chart_.series[i].x.push_back(n);
            chart_.series[i].y.push_back(i == 0 ? fused : unfused);
        }
        std::cout << "." << std::flush;
    }

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
    auto const read = [&](index_t n, auto&& use) { with_reader(at, s, p, n, use); };
    auto const train = [&](index_t n, auto&& use) { with_trainer(at, s, p, n, use); };
    auto const either = [&](std::vector<index_t> const& usual) {
        return j.batch > 0 ? std::vector<index_t>{j.batch} : usual;
    };
    auto const read_batches = either({1, 2, 4, 8, 16, 32, 64}), train_batches = either({16, 32});
    auto const read_peaks = peaks(read_batches, read), train_peaks = peaks(train_batches, train);
    sweep reads("inference, batch", "ResNet-50: inference");
    reads.measure(read_batches, read_peaks, read);
    reads.report(inference);
    sweep steps("training, batch", "ResNet-50: training");
    steps.measure(train_batches, train_peaks, train);
    steps.report(training);
    support::report_transfers(at.transferred() - before, watch.seconds(), std::cout);
    out.list(std::cout);
    return support::interrupted() ? support::interrupted_status() : 0;
}

}  // namespace resnet
