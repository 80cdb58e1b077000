// SPDX-License-Identifier: BSD-3-Clause
//
// Training: text, steps with their progress, results, and the tables at the end.
#include <lstm/job.hpp>
#include <lstm/instances.hpp>
#include <lstm/report.hpp>
#include <support/interrupt.hpp>
#include <support/outputs.hpp>
#include <support/progress.hpp>
#include <iostream>

namespace lstm {

namespace {

struct files {
    support::outputs all;
    path cost, perplexity, sample, parameters, reference, state;
    profile_files profile;

    files(job const& j, bool on_host) : all(j) {
        cost = all.add("cost.svg");
        perplexity = all.add("perplexity.svg");
        sample = all.add("sample.txt");
        parameters = all.add("parameters.npz");
        if (j.profile) {
            profile.stages = all.add("profile-fused.svg");
            if (on_host) profile.operations = all.add("profile-unfused.svg");
        }
        if (j.reference) reference = all.add("reference.npz");
        if (!j.save.empty()) state = all.add_file(j.save, j.resume);
        all.prepare();
    }
};

// The texts as numbers.
struct data {
    std::string source;
    vocabulary words;
    corpus train, test;
    double unigram;

    data(texts const& t, setting const& s, felt::communicator const& ranks)
        : data(t, cut(t.train, s), cut(t.test, s), s, ranks) {}

private:
    data(texts const& t, tokens const& train_text, tokens const& test_text, setting const& s,
         felt::communicator const& ranks)
        : source(t.source),
          words(train_text),
          train(words.numbers(train_text), s.steps, s.batch, ranks),
          test(words.numbers(test_text), s.steps, s.batch, ranks),
          unigram(unigram_perplexity(train.text(), test.text(), words.size())) {}

    static tokens cut(std::string const& text, setting const& s) {
        return s.name == "words" ? words_of(text) : characters_of(text);
    }
};

struct clock_times {
    double steps = 0, all = 0;  // seconds
    felt::bucket_times sums = {};
    bool interrupted = false;
};

// Steps until the end or a signal; a quarter of an epoch apart, tests on ten windows. Saves into
// `state` as often as is asked for.
clock_times iterate(training& t, trainer& by, reader& tester, data& d, job const& j,
                    path const& state) {
    clock_times times;
    auto const done = [&] { return static_cast<std::size_t>(by.iteration()); };
    support::progress progress(static_cast<std::size_t>(t.total()),
                               support::progress::fitting(j.quiet), done());
    index_t const apart = std::max<index_t>(1, t.per_epoch / 4);
    auto const measure = [&] {
        t.tested.push_back(static_cast<double>(by.iteration()));
        t.perplexities.push_back(perplexity(tester, by.theta(), d.test, 10, *j.ranks));
    };
    auto const save = [&] {
        t.optimiser = by.state();
        auto const file = to_npz(t);
        if (j.ranks->is_first()) felt::save_npz(state.string(), file);
    };
    if (t.tested.empty()) measure();
    support::stopwatch const watch;
    while (by.iteration() < t.total() && !by.is_interrupted()) {
        support::stopwatch const step;
        t.step(by, d.train);
        times.steps += step.seconds();
        if (by.iteration() % apart == 0) measure();
        progress.show(done(), {{"cost", t.costs.back()}, {"perplexity", t.perplexities.back()}});
        if (j.check_ranks) support::check_same(*j.ranks, by.theta(), "parameters");
        if (support::is_due(j, by.iteration())) save();
    }
    times.sums = by.sums(), times.interrupted = by.is_interrupted();
    times.all = watch.seconds();
    return times;
}

void introduce(training const& t, shape const& s, data const& d, place const& at) {
    char const* const tokens = t.how.name.c_str();
    std::cout << tokens << " of " << d.source << "\n"
              << d.train.text().size() << " " << tokens << " to learn, " << d.test.text().size()
              << " held out, " << d.words.size() << " different ones\n"
              << s.layers << " layers of " << s.hidden << ", " << s.parameters() << " parameters; "
              << t.total() << " steps of " << t.how.batch << " sequences of " << t.how.steps << ", "
              << support::three_digits(static_cast<double>(t.total()) /
                                       static_cast<double>(t.per_epoch))
              << " epochs\n"
              << "float, built for " << support::instruction_set() << "; " << at.name()
              << std::endl;
}

void write_parameters(path const& file, shape const& s, vector_f const& theta) {
    felt::npz out;
    net::parts_of(theta.data(), s).each([&](std::string const& name, auto const& part) {
        out.put(name, part);
    });
    felt::save_npz(file.string(), out);
}

void write_reference(path const& file, training const& t, shape const& s, data const& d,
                     double perplexity_here) {
    felt::npz out;
    net::parts_of(net::initial_parameters(s, t.seed).data(), s)
        .each([&](std::string const& name, auto const& part) { out.put(name, part); });
    auto const text = [&](char const* name, std::vector<int> const& v) {
        std::vector<std::int64_t> list(v.begin(), v.end());
        out.put(name, {static_cast<index_t>(list.size())}, list);
    };
    text("train", d.train.text()), text("test", d.test.text());
    out.put("steps", t.how.steps), out.put("batch", t.how.batch), out.put("rate", t.how.rate);
    out.put("clip", t.how.clip), out.put("iterations", t.iteration());
    out.put("perplexity", perplexity_here);
    felt::save_npz(file.string(), out);
}

void report(files const& out, job const& j, place const& at, training& t, shape const& s,
            reader& tester, data& d, clock_times const& times, index_t steps) {
    std::cout << "cost " << t.costs.front() << " -> " << t.costs.back() << " in " << t.iteration()
              << " steps";
    if (steps > 0) {
        std::cout << ", " << support::duration(times.steps / static_cast<double>(steps)) << " each";
    }
    std::cout << "\n";
    support::report_ranks(*j.ranks, times.sums, times.steps, std::cout);
    double const held_out = perplexity(tester, t.theta(), d.test, d.test.windows(), *j.ranks);
    if (!j.ranks->is_first()) return;
    std::cout << "perplexity of the text held out " << support::three_digits(held_out)
              << "; of a model that knows how often each token occurs "
              << support::three_digits(d.unigram) << "\n\n";
    bool const words = t.how.name == "words";
    std::string const text = sample(at, s, t.theta(), d.words, words, words ? 60 : 300, t.seed);
    std::cout << "it writes:\n" << text << "\n\n";
    draw_cost(out.cost, t);
    draw_perplexity(out.perplexity, t, d.unigram);
    support::write_file(out.sample, text);
    write_parameters(out.parameters, s, t.theta());
    if (j.reference) write_reference(out.reference, t, s, d, held_out);
}

// Without any wish of the user's: characters, and of a long text the beginning.
bool is_brief(job const& j) {
    return j.data.empty() && j.text.empty() && j.setting.empty() && j.save.empty() &&
           j.resume.empty() && j.epochs == 0 && j.iterations == 0;
}

texts load(job const& j) {
    texts t = load_texts(j.data, j.text, j.test, j.seed);
    if (is_brief(j)) t.train.resize(std::min<std::size_t>(t.train.size(), 60000));
    if (is_brief(j)) t.test.resize(std::min<std::size_t>(t.test.size(), 6000));
    return t;
}

// The setting if none is named.
std::string default_setting(job const& j) {
    if (is_brief(j)) return "characters";
    bool const found =
        !j.text.empty() || support::find_files(j.data, "ptb", {"ptb.valid.txt", "ptb.test.txt"});
    return found ? "words" : "characters";
}

}  // namespace

int train(job j) {
    place const& at = support::chosen_place(j.space, host(), device());
    felt::npz const state = support::state_of(j);
    setting const s =
        chosen(j, j.resume.empty() ? setting{} : setting_of(state), default_setting(j));
    files const out(j, &at == &host());
    at.threads(j.threads);
    data d(load(j), s, *j.ranks);
    index_t const own = support::rows_of(s.batch, *j.ranks).size();
    shape size;
    size.vocabulary = std::max<index_t>(static_cast<index_t>(d.words.size()), j.vocabulary);
    size.hidden = s.hidden;
    net model(size, s.steps, own);
    auto const tester = at.read(size, s.steps, own);
    vector_f start = net::initial_parameters(size, j.seed);
    felt::broadcast(*j.ranks, start);
    training t(s, model, std::move(start), d.train, j.seed);
    t.ranks = j.ranks;
    support::check_same(*j.ranks, d.train.text(), "texts");
    if (!j.resume.empty()) from_npz(state, t);
    introduce(t, size, d, at);

    index_t const first = t.iteration();
    double const before = at.transferred();
    auto const by = at.train(size, s.steps, own, s.clip, model, std::move(t.optimiser), *j.ranks);
    auto const times = iterate(t, *by, *tester, d, j, out.state);
    t.optimiser = by->stop();
    double const transferred = at.transferred() - before;
    support::check_same(*j.ranks, t.theta(), "parameters");
    if (!j.save.empty()) {
        auto const file = to_npz(t);
        if (j.ranks->is_first()) felt::save_npz(out.state.string(), file);
    }
    if (times.interrupted) {
        std::cout << "interrupted after step " << t.iteration() << "\n";
        if (!j.save.empty()) out.all.list(std::cout);
        return support::interrupted_status();
    }
    support::report_transfers(transferred, times.all, std::cout);
    report(out, j, at, t, size, *tester, d, times, t.iteration() - first);
    if (j.ranks->size() > 1) return out.all.list(std::cout), 0;  // the rest is of one rank
    if (j.profile) report_stages(out.profile, at, size, s, std::cout);
    if (j.profile && &at == &host()) report_operations(out.profile, size, s, std::cout);
    bool const equal = report_comparison(at, size, s, std::cout);
    std::cout << "\n";
    out.all.list(std::cout);
    return equal ? 0 : 1;
}

}  // namespace lstm
